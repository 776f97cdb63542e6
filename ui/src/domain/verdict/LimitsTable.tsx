import type { ItemRow } from "../../generated/bindings/ItemRow";
import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import table from "../../design/components/table.module.css";
import { digitsFor, formatQuantity, formatSigned, NO_NUMBER } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import styles from "./LimitsTable.module.css";
import { limitName, markOf, unitText, wordOf } from "./verdict-words";

/** Every limit a motion was judged by, kept ones too, with how much room there is. */
export function LimitsTable({ rows, compact = false }: { rows: readonly ItemRow[]; compact?: boolean }) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${compact ? styles.compact : ""}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className={compact ? "visually-hidden" : styles.word}>{t("limits.verdict")}</span>
            </th>
            <th scope="col">{t("limits.limit")}</th>
            <th scope="col" className={table.number}>
              {t("limits.bound")}
            </th>
            <th scope="col" className={table.number}>
              {t("limits.predicted")}
            </th>
            <th scope="col" className={table.number}>
              {t("limits.margin")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <LimitRow key={`${row.item.constraint} ${index}`} row={row} compact={compact} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LimitRow({ row: { item, sentence }, compact }: { row: ItemRow; compact: boolean }) {
  const unit = unitText(item.unit);
  const digits = digitsFor(unit);
  const margin = formatSigned(item.margin, digits);
  // It has no numbers: its sentence takes their place and says which one it is.
  const precondition = item.kind === "precondition";
  return (
    <tr data-verdict={markOf(item.verdict)}>
      <td className={styles.verdict}>
        <VerdictMark mark={markOf(item.verdict)} />{" "}
        <span className={compact ? "visually-hidden" : styles.word}>{wordOf(item.verdict)}</span>
      </td>
      <td className={styles.limit} colSpan={precondition ? 4 : 1} title={item.constraint ?? undefined}>
        {limitName(item.kind)}
        {(!compact || precondition) && <small>{sentence}</small>}
      </td>
      {!precondition && (
        <>
          <td className={table.number}>{formatQuantity(item.limit, digits, unit)}</td>
          <td className={table.number}>{formatQuantity(item.predicted, digits, unit)}</td>
          <td className={table.number}>{margin === NO_NUMBER ? margin : `${margin} ${unit}`}</td>
        </>
      )}
    </tr>
  );
}
