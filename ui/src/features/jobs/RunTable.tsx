import type { JobRunRow } from "../../generated/bindings/JobRunRow";
import table from "../../design/components/table.module.css";
import { formatUsd } from "../../design/format/money";
import { NO_NUMBER } from "../../design/format/numbers";
import { formatAge } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./JobDetailPanel.module.css";
import { faultText } from "./job-fault";
import { OutcomeMark } from "./JobStateMark";
import { zonedTime } from "./job-time";

/** The newest runs, and the times at which it did not run, with the reason. */
export function RunTable({ runs, time_zone }: { runs: readonly JobRunRow[]; time_zone: string }) {
  if (runs.length === 0) return <p className={styles.facts}>{t("runs.none")}</p>;
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="runs">
        <thead>
          <tr>
            <th scope="col">{t("runs.due")}</th>
            <th scope="col">{t("runs.outcome")}</th>
            <th scope="col" className={table.number}>
              {t("runs.attempt")}
            </th>
            <th scope="col" className={table.number}>
              {t("runs.took")}
            </th>
            <th scope="col" className={table.number}>
              {t("runs.cost")}
            </th>
            <th scope="col">{t("runs.why")}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                {zonedTime(run.due_at * 1_000, time_zone)}{" "}
                {run.late && <small className={styles.late}>{t("runs.late")}</small>}
              </td>
              <td>
                <OutcomeMark outcome={run.outcome} />
              </td>
              <td className={table.number}>{run.attempt === 0 ? NO_NUMBER : run.attempt}</td>
              <td className={table.number}>
                {run.started_at === null || run.ended_at === null
                  ? NO_NUMBER
                  : formatAge((run.ended_at - run.started_at) * 1_000)}
              </td>
              <td className={table.number}>{run.cost_microusd === null ? NO_NUMBER : formatUsd(run.cost_microusd)}</td>
              <td className={`${table.wrap} ${styles.reason}`}>
                {faultText(run.error, run.fault) ?? NO_NUMBER}
                {run.actuated && <> {t("runs.actuated")}</>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
