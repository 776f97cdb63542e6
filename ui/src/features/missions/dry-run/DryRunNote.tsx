import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import { VerdictMark } from "../../../design/theme/icons/VerdictMark";
import { t } from "../../../locales/i18n";
import type { DryRunCall } from "./useDryRun";
import styles from "./DryRun.module.css";

/** The dry run of the text that is about to be activated (ME-13), or that there is none, with the act that makes it. */
export function DryRunNote({ hash, call: { dry, run, running, error } }: { hash: string | null; call: DryRunCall }) {
  const own = dry !== null && dry.hash === hash ? dry : null;
  return (
    <section aria-busy={running} data-testid="activation-dry-run">
      <p className={styles.note} role="status">
        {own !== null && <VerdictMark mark={own.ok ? "allow" : "deny"} />}
        <span>{own === null ? t("dry_run.not_run") : t("dry_run.was_run", { outcome: own.sentence })}</span>
        {own === null && (
          <Button size="row" disabled={running} data-testid="activation-dry-run-start" onClick={run}>
            {t(running ? "dry_run.running" : "dry_run.run")}
          </Button>
        )}
      </p>
      <Refusal error={error} />
    </section>
  );
}
