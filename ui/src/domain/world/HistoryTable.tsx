import type { Freshness } from "../../generated/bindings/Freshness";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import table from "../../design/components/table.module.css";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { formatClock } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./HistoryChart.module.css";

/** Lines of the table: the newest are what somebody looks for. */
const LINES_MAX = 50;
const FRESHNESS: readonly Freshness[] = ["live", "aging", "stale", "lost", "never"];

type HistoryTableProps = { history: readonly WorldPoint[]; unit: string | null; count: number };

/** The newest points of a history as text; `count` is that of all its values. */
export function HistoryTable({ history, unit, count }: HistoryTableProps) {
  return (
    <details className={styles.twin}>
      <summary>{t("entry.as_table", { count })}</summary>
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t("entry.when")}</th>
              <th scope="col">{t("entry.what")}</th>
              <th scope="col" className={table.number}>
                {t("world.confidence")}
              </th>
              <th scope="col">{t("world.source")}</th>
            </tr>
          </thead>
          <tbody>
            {history
              .slice(-LINES_MAX)
              .toReversed()
              .map((point, place) => (
                <tr key={`${point.received_ms} ${point.kind} ${place}`}>
                  <td>{formatClock(point.observed_ms)}</td>
                  <td className={`${table.wrap} ${styles.text}`}>{pointText(point, unit)}</td>
                  <td className={table.number}>
                    {point.confidence === null ? NO_NUMBER : formatNumber(point.confidence, 2)}
                  </td>
                  <td className={`${table.key} ${table.muted}`}>{point.source}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {history.length > LINES_MAX && <p className={styles.none}>{t("entry.newest_lines", { count: LINES_MAX })}</p>}
    </details>
  );
}

function pointText({ kind, value }: WorldPoint, unit: string | null): string {
  switch (kind) {
    case "value":
      return scalarText(value, unit);
    case "freshness": {
      const known = FRESHNESS.find((word) => word === value);
      return known === undefined ? String(value) : t(`entry.became_${known}`);
    }
    case "contest":
      return t("entry.point_contest", { value: scalarText(value, null) });
  }
}
