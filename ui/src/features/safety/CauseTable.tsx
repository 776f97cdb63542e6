import type { CauseRow } from "../../bindings/CauseRow";
import table from "../../shared/components/table.module.css";
import { t } from "../../shared/i18n";
import { CauseLine } from "./CauseLine";
import styles from "./CauseTable.module.css";

type CauseTableProps = { robot: string; causes: readonly CauseRow[]; onGone: () => void };

/** What holds or stops the robot: since when, whether it still does, what ends it, and the act beside it. */
export function CauseTable({ robot, causes, onGone }: CauseTableProps) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.causes}`} data-testid="causes">
        <thead>
          <tr>
            <th scope="col">{t("causes.cause")}</th>
            <th scope="col">{t("causes.since")}</th>
            <th scope="col">{t("causes.ends")}</th>
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <CauseLine key={cause.cause} robot={robot} cause={cause} onGone={onGone} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
