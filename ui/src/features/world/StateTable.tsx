import type { WorldRow } from "../../bindings/WorldRow";
import table from "../../shared/components/table.module.css";
import { t } from "../../shared/i18n";
import { SortHeader } from "./SortHeader";
import { StateRow } from "./StateRow";
import type { Order } from "./world-rows";

type StateTableProps = { rows: readonly WorldRow[]; asked_ms: number; order: Order; onOrder: (order: Order) => void };

/** Key, value, confidence, age and source of everything the station knows. */
export function StateTable({ rows, asked_ms, order, onOrder }: StateTableProps) {
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <SortHeader column="key" order={order} onOrder={onOrder} />
            <th scope="col" className={table.number}>
              {t("world.value")}
            </th>
            <SortHeader column="confidence" order={order} onOrder={onOrder} number />
            <th scope="col" className={table.number}>
              {t("world.age")}
            </th>
            <SortHeader column="source" order={order} onOrder={onOrder} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <StateRow key={row.key} row={row} asked_ms={asked_ms} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
