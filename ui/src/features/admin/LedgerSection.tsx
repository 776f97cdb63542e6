import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatUsd } from "../../design/format/money";
import { formatNumber } from "../../design/format/numbers";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { AddBudget } from "./AddBudget";
import styles from "./Admin.module.css";
import { CallTable } from "./CallTable";
import { daysOf, type LedgerDay } from "./ledger-days";

/** Cost of the agent's models: today against its budget, day by day, and call by call. */
export function LedgerSection() {
  const ledger = useRows("model_calls", "list_model_calls", {});
  return (
    <Rows query={ledger} what={t("ledger.title")}>
      {({ rows: { calls, day, is_cut } }) => (
        <>
          <AddBudget day={day} />
          <Panel title={t("ledger.days")} aside={is_cut ? t("ledger.cut") : undefined}>
            {calls.length === 0 ? (
              <Notice title={t("ledger.none")} detail={t("ledger.none_detail")} />
            ) : (
              <Days days={daysOf(calls)} />
            )}
          </Panel>
          {calls.length > 0 && (
            <Panel title={t("ledger.title")}>
              <CallTable calls={calls} />
            </Panel>
          )}
        </>
      )}
    </Rows>
  );
}

function Days({ days }: { days: readonly LedgerDay[] }) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="ledger-days">
        <thead>
          <tr>
            <th scope="col">{t("ledger.day")}</th>
            <th scope="col" className={table.number}>
              {t("ledger.calls")}
            </th>
            <th scope="col" className={table.number}>
              {t("ledger.read")}
            </th>
            <th scope="col" className={table.number}>
              {t("ledger.wrote")}
            </th>
            <th scope="col" className={table.number}>
              {t("ledger.cost")}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, calls, failed, read, wrote, microusd, unknown }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td className={table.number}>
                {formatNumber(calls, 0)}
                {failed > 0 && <span className={styles.hint}> {t("ledger.failed", { count: failed })}</span>}
              </td>
              <td className={table.number}>{formatNumber(read, 0)}</td>
              <td className={table.number}>{formatNumber(wrote, 0)}</td>
              <td className={table.number}>
                {formatUsd(microusd)}
                {unknown > 0 && <span className={styles.hint}> {t("agent.unknown_calls", { count: unknown })}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
