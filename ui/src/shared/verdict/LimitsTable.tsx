import type { ItemRow } from "../../bindings/ItemRow";
import { VerdictMark } from "../../theme/icons/VerdictMark";
import table from "../components/table.module.css";
import { digitsFor, formatQuantity, formatSigned, NO_NUMBER } from "../format/numbers";
import { t } from "../i18n";
import styles from "./LimitsTable.module.css";
import { limitName, markOf, wordOf } from "./verdict-words";

/** Every limit a motion was judged by, kept ones too, with how much room there is. */
export function LimitsTable({ rows, compact = false }: { rows: readonly ItemRow[]; compact?: boolean }) {
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("limits.verdict")}</th>
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
            {!compact && <th scope="col">{t("limits.in_words")}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ item, sentence }, index) => (
            <tr key={`${item.constraint} ${index}`} data-verdict={markOf(item.verdict)}>
              <td className={styles.verdict}>
                <VerdictMark mark={markOf(item.verdict)} /> {wordOf(item.verdict)}
              </td>
              <td title={item.constraint}>{limitName(item)}</td>
              <td className={table.number}>{formatQuantity(item.limit, digitsFor(item.unit), item.unit)}</td>
              <td className={table.number}>{formatQuantity(item.predicted, digitsFor(item.unit), item.unit)}</td>
              <td className={table.number}>{marginText(item.margin, item.unit)}</td>
              {!compact && <td className={`${table.wrap} ${table.muted}`}>{sentence}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function marginText(margin: number | null, unit: string): string {
  const text = formatSigned(margin, digitsFor(unit));
  return text === NO_NUMBER ? text : `${text} ${unit}`;
}
