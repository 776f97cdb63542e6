import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import type { DryRecord } from "../../../domain/mission/dry-record";
import { DryRecordLine } from "../../../domain/mission/DryRecordLine";
import { t } from "../../../locales/i18n";
import type { DryRunCall } from "./useDryRun";
import styles from "./DryRun.module.css";

type DryRunNoteProps = { newest: DryRecord | null; call: DryRunCall };

/**
 * The newest dry run of the mission that is about to be activated, with everything that it is stale by (ME-13), or that
 * there is none. What holds no more is made again here.
 */
export function DryRunNote({ newest, call: { run, running, error } }: DryRunNoteProps) {
  const holds = newest !== null && newest.stale.length === 0;
  return (
    <section aria-busy={running} data-testid="activation-dry-run">
      <p className={styles.note} role="status">
        {newest === null ? <span>{t("dry_run.not_run")}</span> : <DryRecordLine run={newest} />}
        {!holds && (
          <Button size="row" disabled={running} data-testid="activation-dry-run-start" onClick={run}>
            {t(running ? "dry_run.running" : newest === null ? "dry_run.run" : "dry_run.again")}
          </Button>
        )}
      </p>
      <Refusal error={error} />
    </section>
  );
}
