import type { MissionDryRun } from "../../../generated/bindings/MissionDryRun";
import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import { VerdictMark } from "../../../design/theme/icons/VerdictMark";
import { t } from "../../../locales/i18n";
import type { DryRunCall } from "./useDryRun";
import styles from "./DryRun.module.css";

/** The newest dry run, if it is of exactly the text with this hash. */
export function dryRunOf(hash: string | null, { dry }: DryRunCall): MissionDryRun | null {
  return dry !== null && dry.hash === hash ? dry : null;
}

/** The dry run of the text that is about to be activated (ME-13), or that there is none, with the act that makes it. */
export function DryRunNote({ hash, call }: { hash: string | null; call: DryRunCall }) {
  const own = dryRunOf(hash, call);
  const { run, running, error } = call;
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
