import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import { formatMoment, formatWhen } from "../../design/format/time";
import { t } from "../../locales/i18n";
import { type DryRecord, outcomeText, staleWord } from "./dry-record";
import styles from "./DryRecordLine.module.css";

/** The end of a dry run with its time, and everything by which it says nothing about now (MO-20): then it has no mark. */
export function DryRecordLine({ run }: { run: DryRecord | null }) {
  if (run === null) return null;
  return (
    <span className={styles.record} data-stale={run.stale.length > 0} data-testid="dry-record">
      {run.stale.length === 0 && <VerdictMark mark={run.ok ? "allow" : "deny"} />}
      <span>
        {t("dry_run.was_run", { outcome: outcomeText(run) })}{" "}
        <span className={styles.quiet} title={formatMoment(run.at_ms)}>
          {formatWhen(run.at_ms)}
        </span>{" "}
        {run.stale.length > 0 && <strong data-testid="dry-record-stale">{run.stale.map(staleWord).join(" ")}</strong>}
      </span>
    </span>
  );
}
