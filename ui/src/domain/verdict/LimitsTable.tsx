import type { ItemRow } from "../../generated/bindings/ItemRow";
import { Meter } from "../../design/components/Meter";
import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import table from "../../design/components/table.module.css";
import { hyphenated } from "../../design/format/hyphens";
import { digitsFor, formatQuantity, formatSigned, NO_NUMBER } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import { itemSaid } from "./item-words";
import { isUnconcerned, limitFigures } from "./limit-figures";
import styles from "./LimitsTable.module.css";
import { limitName, markOf, unitText, wordOf } from "./verdict-words";

/** Columns of a row, the mark left out: a dock has no room for the bar. */
const columns = (compact: boolean) => (compact ? 4 : 5);

/** Every limit a motion was judged by, kept ones too, with how much room there is. */
export function LimitsTable({ rows, compact = false }: { rows: readonly ItemRow[]; compact?: boolean }) {
  const judged = rows.filter(({ item }) => !isUnconcerned(item));
  const others = rows.filter(({ item }) => isUnconcerned(item)).map(({ item }) => limitName(item.kind));
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${compact ? styles.compact : styles.table}`}>
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
            {!compact && (
              <th scope="col" className={styles.used}>
                {t("limits.used")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {judged.map((row, index) => (
            // One limit may stand in several rows, one for each joint; rows keep no state.
            <LimitRow key={`${row.item.constraint} ${index}`} row={row} compact={compact} />
          ))}
          {others.length > 0 && (
            <tr data-verdict="allow" data-testid="unconcerned">
              <td className={styles.verdict}>
                <VerdictMark mark="allow" />
              </td>
              <td className={styles.others} colSpan={columns(compact)}>
                {t("limits.unconcerned", { names: [...new Set(others)].join(", ") })}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function LimitRow({ row, compact }: { row: ItemRow; compact: boolean }) {
  const { item } = row;
  const { text, more } = itemSaid(row);
  const unit = unitText(item.unit);
  const digits = digitsFor(unit);
  const margin = formatSigned(item.margin, digits);
  const { name, predicted, used } = limitFigures(item);
  // It has no numbers: its sentence takes their place and says which one it is.
  const precondition = item.kind === "precondition";
  return (
    <tr data-verdict={markOf(item.verdict)}>
      <td className={styles.verdict}>
        <VerdictMark mark={markOf(item.verdict)} />{" "}
        <span className={compact ? "visually-hidden" : styles.word}>{wordOf(item.verdict)}</span>
      </td>
      <td
        className={styles.limit}
        colSpan={precondition ? columns(compact) : undefined}
        title={item.constraint ?? undefined}
      >
        {precondition ? (
          <>
            <span className="visually-hidden">{name}: </span>
            {text}
          </>
        ) : (
          <>
            {compact ? hyphenated(name) : name}
            {!compact && <small>{text}</small>}
          </>
        )}
        {precondition && more !== null && <small lang="en">{more}</small>}
      </td>
      {!precondition && (
        <>
          <td className={table.number}>{formatQuantity(item.limit, digits, unit)}</td>
          <td className={table.number}>{formatQuantity(predicted, digits, unit)}</td>
          <td className={table.number}>{margin === NO_NUMBER ? margin : `${margin} ${unit}`}</td>
          {!compact && (
            <td className={styles.used}>
              {used !== null && <Meter used={used} label={t("limits.used_of", { limit: name })} />}
            </td>
          )}
        </>
      )}
    </tr>
  );
}
