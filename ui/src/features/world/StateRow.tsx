import type { WorldRow } from "../../bindings/WorldRow";
import { Aged } from "../../shared/components/Aged";
import table from "../../shared/components/table.module.css";
import { digitsFor, formatNumber, NO_NUMBER, unitSymbol } from "../../shared/format/numbers";
import { t } from "../../shared/i18n";
import styles from "./StateRow.module.css";
import { useWorldReading } from "./useWorldReading";

/** One thing the station knows. */
export function StateRow({ row, asked_ms }: { row: WorldRow; asked_ms: number }) {
  const reading = useWorldReading(row, asked_ms);
  return (
    <tr data-testid={`world-row-${row.key}`} data-freshness={reading.state}>
      <th scope="row" className={table.key}>
        {row.key}
        {row.contested && <span className={styles.tag}>{t("world.contested")}</span>}
      </th>
      <td className={table.number}>
        <Aged state={reading.state} age={reading.age} age_ms={reading.age_ms} origin={row.origin}>
          <span className={row.trust === "text" ? styles.quoted : undefined}>{valueText(reading.value, row.unit)}</span>
        </Aged>
      </td>
      <td className={table.number}>{reading.confidence === null ? NO_NUMBER : formatNumber(reading.confidence, 2)}</td>
      <td className={`${table.number} ${table.muted}`}>{reading.age}</td>
      <td className={`${table.key} ${table.muted}`} title={t("world.by_provider", { provider: row.provider })}>
        {row.source}
      </td>
    </tr>
  );
}

function valueText(value: WorldRow["value"], unit: string | null): string {
  if (value === null) return NO_NUMBER;
  if (typeof value === "boolean") return value ? t("world.yes") : t("world.no");
  if (typeof value === "string") return value;
  const symbol = unitSymbol(unit ?? "");
  const text = formatNumber(value, Number.isInteger(value) && symbol === "" ? 0 : digitsFor(symbol));
  return symbol === "" ? text : `${text} ${symbol}`;
}
