import type { CauseRow } from "../../generated/bindings/CauseRow";
import table from "../../design/components/table.module.css";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { t } from "../../locales/i18n";
import { Behind } from "../../design/layout/Behind";
import { CauseLine } from "./CauseLine";
import styles from "./CauseTable.module.css";

type CauseTableProps = { robot: string; causes: readonly CauseRow[]; onGone: () => void };

/** Causes that hold or stop the robot, each with its start, its state, its remedy, and the action beside it. */
export function CauseTable({ robot, causes, onGone }: CauseTableProps) {
  const { rows, behind, letIn, handlers } = useHeldOrder(causes, ({ cause }) => cause);
  return (
    <div className={table.scroll} {...handlers}>
      <table className={`${table.table} ${styles.causes}`} data-testid="causes">
        <thead>
          <tr>
            <th scope="col">{t("causes.cause")}</th>
            <th scope="col">{t("causes.since")}</th>
            <th scope="col">{t("causes.ends")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, gone }) => (
            <CauseLine key={row.cause} robot={robot} cause={row} gone={gone} onGone={onGone} />
          ))}
        </tbody>
      </table>
      <Behind count={behind} onLetIn={letIn} />
    </div>
  );
}
