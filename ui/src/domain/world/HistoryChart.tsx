import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { bandsOf, extentOf, isNumeric, type Point, stepPath, thinned } from "../../design/chart/series";
import table from "../../design/components/table.module.css";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { formatClock, formatClockZone } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./HistoryChart.module.css";
import { oldStretches, valuePoints } from "./history-points";

/** Drawn in units of its own and stretched to the panel. */
const WIDTH = 600;
const HEIGHT = 120;
/** Lines of the table: the newest are what somebody looks for. */
const LINES_MAX = 50;
/** A line does not get finer with more. */
const POINTS_DRAWN = 600;

/** `from_ms` and `to_ms` are Unix milliseconds; `mark_ms` is a moment that is pointed out. */
type HistoryChartProps = {
  history: readonly WorldPoint[];
  unit: string | null;
  from_ms: number;
  to_ms: number;
  mark_ms?: number;
};

/** Values over the time of day: steps for numbers, bands for words. What was stale is hatched. */
export function HistoryChart({ history, unit, from_ms, to_ms, mark_ms }: HistoryChartProps) {
  const all = valuePoints(history);
  const points = all.filter(
    ({ at_ms }, place) => at_ms <= to_ms && (at_ms >= from_ms || (all[place + 1]?.at_ms ?? Infinity) > from_ms),
  );
  if (points.length === 0) return <p className={styles.none}>{t("entry.no_history")}</p>;
  return (
    <>
      <figure className={styles.chart} data-testid="history">
        {isNumeric(points) ? (
          <Line points={points} unit={unit} from_ms={from_ms} to_ms={to_ms} old={oldStretches(history, to_ms)} />
        ) : (
          <Bands points={points} unit={unit} from_ms={from_ms} to_ms={to_ms} />
        )}
        {mark_ms !== undefined && <Mark share={(mark_ms - from_ms) / (to_ms - from_ms)} />}
        <figcaption className={styles.times}>
          <span>{formatClock(from_ms)}</span>
          <span>{formatClockZone(to_ms)}</span>
        </figcaption>
      </figure>
      <details className={styles.twin}>
        <summary>{t("entry.as_table", { count: all.length })}</summary>
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
                    <td>
                      {point.kind === "value"
                        ? scalarText(point.value, unit)
                        : t(`entry.point_${point.kind}`, { value: String(point.value) })}
                    </td>
                    <td className={table.number}>
                      {point.confidence === null ? NO_NUMBER : formatNumber(point.confidence, 2)}
                    </td>
                    <td className={`${table.key} ${table.muted}`}>{point.source}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

/** Mark of a moment on the time axis; `share` is its place, 0 to 1. */
function Mark({ share }: { share: number }) {
  return (
    <p className={styles.mark} style={{ marginInlineStart: `${100 * Math.min(Math.max(share, 0), 1)}%` }}>
      ▲ {t("entry.raised_here")}
    </p>
  );
}

type LineProps = {
  points: readonly (Point & { value: number })[];
  unit: string | null;
  from_ms: number;
  to_ms: number;
  old: readonly { from_ms: number; to_ms: number }[];
};

function Line({ points, unit, from_ms, to_ms, old }: LineProps) {
  const extent = extentOf(points, from_ms, to_ms);
  const share = (at_ms: number) => `${(100 * Math.max(0, at_ms - from_ms)) / (to_ms - from_ms)}%`;
  return (
    <div className={styles.plot}>
      <div className={styles.values} aria-hidden="true">
        <span>{scalarText(extent.max, unit)}</span>
        <span>{scalarText(extent.min, unit)}</span>
      </div>
      <div className={styles.field}>
        {old.map((stretch) => (
          <span
            key={stretch.from_ms}
            className={styles.old}
            style={{
              insetInlineStart: share(stretch.from_ms),
              insetInlineEnd: share(to_ms - (stretch.to_ms - from_ms)),
            }}
          />
        ))}
        <svg
          className={styles.svg}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t("entry.chart_name")}
        >
          <path className={styles.line} d={stepPath(thinned(points, POINTS_DRAWN), extent, WIDTH, HEIGHT)} />
        </svg>
      </div>
    </div>
  );
}

/** Every band carries its word; neighbours differ in brightness as well. */
function Bands({
  points,
  unit,
  from_ms,
  to_ms,
}: {
  points: readonly Point[];
  unit: string | null;
  from_ms: number;
  to_ms: number;
}) {
  return (
    <div className={styles.bands}>
      {bandsOf(points, to_ms).map((band) => (
        <span
          key={band.from_ms}
          className={styles.band}
          style={{ inlineSize: `${(100 * (band.to_ms - Math.max(band.from_ms, from_ms))) / (to_ms - from_ms)}%` }}
          title={`${scalarText(band.value, unit)} · ${formatClock(band.from_ms)} – ${formatClock(band.to_ms)}`}
        >
          {scalarText(band.value, unit)}
        </span>
      ))}
    </div>
  );
}
