import { Link } from "wouter";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import { Aged } from "../../design/components/Aged";
import table from "../../design/components/table.module.css";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { t } from "../../locales/i18n";
import { Spark } from "./Spark";
import styles from "./StateRow.module.css";
import { useWorldReading } from "./useWorldReading";
import { keyPath } from "./world-place";

type StateRowProps = { row: WorldRow; asked_ms: number; index: number; selected: boolean };

/** One thing the station knows; its key opens where it comes from. */
export function StateRow({ row, asked_ms, index, selected }: StateRowProps) {
  const reading = useWorldReading(row, asked_ms);
  const value = scalarText(reading.value, row.unit);
  return (
    <tr
      data-testid={`world-row-${row.key}`}
      data-freshness={reading.state}
      className={styles.row}
      data-selected={selected}
      aria-rowindex={index}
    >
      <th scope="row" className={table.key}>
        <Link
          href={keyPath(row.key)}
          className={styles.key}
          aria-current={selected ? "true" : undefined}
          title={t("world.why")}
        >
          {row.key}
        </Link>
        {row.contested && <span className={styles.tag}>{t("world.contested")}</span>}
      </th>
      <td className={table.number}>
        <Aged state={reading.state} age={reading.age} age_ms={reading.age_ms} origin={row.origin}>
          <span className={`${styles.value} ${row.trust === "text" ? styles.quoted : ""}`} title={value}>
            {value}
          </span>
        </Aged>
      </td>
      <td className={table.number}>{reading.confidence === null ? NO_NUMBER : formatNumber(reading.confidence, 2)}</td>
      <td className={`${table.number} ${table.muted}`}>{reading.age}</td>
      <td>
        <Spark row={row} />
      </td>
      <td
        className={`${table.key} ${table.muted} ${styles.source}`}
        title={t("world.by_provider", { source: row.source, provider: row.provider })}
      >
        {row.source}
      </td>
    </tr>
  );
}
