import table from "../../design/components/table.module.css";
import { t } from "../../locales/i18n";
import styles from "./SortHeader.module.css";
import type { Column, Order } from "./world-rows";

type SortHeaderProps = { column: Column; order: Order; onOrder: (order: Order) => void; number?: boolean };

/** A column header that sorts; the arrow says how. */
export function SortHeader({ column, order, onOrder, number = false }: SortHeaderProps) {
  const active = order.column === column;
  return (
    <th
      scope="col"
      className={number ? table.number : undefined}
      aria-sort={active ? (order.down ? "descending" : "ascending") : "none"}
    >
      <button type="button" className={styles.sort} onClick={() => onOrder({ column, down: active && !order.down })}>
        {t(`world.${column}`)}
        <span aria-hidden="true">{active ? (order.down ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}
