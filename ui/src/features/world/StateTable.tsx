import type { KeyboardEvent } from "react";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import table from "../../design/components/table.module.css";
import { RowGap } from "../../design/layout/RowGap";
import { useRowWindow } from "../../design/layout/useRowWindow";
import { t } from "../../locales/i18n";
import { StateRow } from "./StateRow";
import styles from "./StateTable.module.css";
import type { Column, Order } from "./world-rows";

type StateTableProps = {
  rows: readonly WorldRow[];
  asked_ms: number;
  order: Order;
  onOrder: (order: Order) => void;
  selected: string | null;
};

/** Key, value, confidence, age, history and source of everything the station knows. Only what is in sight is made. */
export function StateTable({ rows, asked_ms, order, onOrder, selected }: StateTableProps) {
  const { scroller, from, to, before_px, after_px } = useRowWindow(rows.length);
  return (
    <div ref={scroller} className={table.scroll}>
      <table className={table.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <SortHeader column="key" order={order} onOrder={onOrder} />
            <th scope="col" className={table.number}>
              {t("world.value")}
            </th>
            <SortHeader column="confidence" order={order} onOrder={onOrder} number />
            <th scope="col" className={table.number}>
              {t("world.age")}
            </th>
            <th scope="col">{t("world.history")}</th>
            <SortHeader column="source" order={order} onOrder={onOrder} />
          </tr>
        </thead>
        <tbody onKeyDown={stepFocus}>
          <RowGap height_px={before_px} columns={6} />
          {rows.slice(from, to).map((row, place) => (
            <StateRow
              key={row.key}
              row={row}
              asked_ms={asked_ms}
              index={from + place + 2}
              selected={row.key === selected}
            />
          ))}
          <RowGap height_px={after_px} columns={6} />
        </tbody>
      </table>
    </div>
  );
}

/** Arrows go from key to key. */
function stepFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("th a")];
  const here = stops.findIndex((stop) => stop === document.activeElement);
  if (here < 0) return;
  // The table must not scroll away under the focus.
  event.preventDefault();
  stops[here + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}

type SortHeaderProps = { column: Column; order: Order; onOrder: (order: Order) => void; number?: boolean };

/** A column header that sorts; the arrow says how. */
function SortHeader({ column, order, onOrder, number = false }: SortHeaderProps) {
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
