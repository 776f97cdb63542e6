import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { bandsOf, extentOf, isNumeric, type Point, stepPath, thinned } from "../../design/chart/series";
import { scalarText } from "../../design/format/scalar";
import { formatClock, formatClockZone } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./HistoryChart.module.css";
import { type OldStretch, oldStretches, valuePoints } from "./history-points";
import { HistoryTable } from "./HistoryTable";

/** Drawn in units of its own and stretched to the panel. */
const WIDTH = 600;
const HEIGHT = 120;
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
  // The last value before the span still held at its beginning.
  const points = all.filter(
    ({ at_ms }, place) => at_ms <= to_ms && (at_ms >= from_ms || (all[place + 1]?.at_ms ?? Infinity) > from_ms),
  );
  if (points.length === 0) return <p className={styles.none}>{t("entry.no_history")}</p>;
  const span = { from_ms, to_ms, old: oldStretches(history, to_ms) };
  return (
    <>
      <figure className={styles.chart} data-testid="history">
        {isNumeric(points) ? (
          <Line points={points} unit={unit} {...span} />
        ) : (
          <Bands points={points} unit={unit} {...span} />
        )}
        {mark_ms !== undefined && <Mark share={(mark_ms - from_ms) / (to_ms - from_ms)} />}
        <figcaption className={styles.times}>
          <span>{formatClock(from_ms)}</span>
          <span>{formatClockZone(to_ms)}</span>
        </figcaption>
      </figure>
      <HistoryTable history={history} unit={unit} count={all.length} />
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

/** The part of time that is drawn, and the stretches of it in which the value was stale or lost. */
type Span = { from_ms: number; to_ms: number; old: readonly OldStretch[] };

type LineProps = Span & { points: readonly (Point & { value: number })[]; unit: string | null };

function Line({ points, unit, ...span }: LineProps) {
  const extent = extentOf(points, span.from_ms, span.to_ms);
  return (
    <div className={styles.plot}>
      <div className={styles.values} aria-hidden="true">
        <span>{scalarText(extent.max, unit)}</span>
        <span>{scalarText(extent.min, unit)}</span>
      </div>
      <div className={styles.field}>
        <Old {...span} />
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

/** Hatches the stretches in which the value was stale or lost. */
function Old({ from_ms, to_ms, old }: Span) {
  const share = (ms: number) => `${(100 * Math.max(0, ms)) / (to_ms - from_ms)}%`;
  return old.map((stretch) => (
    <span
      key={stretch.from_ms}
      className={styles.old}
      data-testid="history-old"
      style={{ insetInlineStart: share(stretch.from_ms - from_ms), insetInlineEnd: share(to_ms - stretch.to_ms) }}
    />
  ));
}

/** Every band carries its word; neighbours differ in brightness as well. */
function Bands({ points, unit, ...span }: Span & { points: readonly Point[]; unit: string | null }) {
  const { from_ms, to_ms } = span;
  return (
    <div className={styles.bands}>
      {bandsOf(points, to_ms).map((band, place) => (
        <span
          key={`${band.from_ms} ${place}`}
          className={styles.band}
          style={{ inlineSize: `${(100 * (band.to_ms - Math.max(band.from_ms, from_ms))) / (to_ms - from_ms)}%` }}
          title={`${scalarText(band.value, unit)} · ${formatClock(band.from_ms)} – ${formatClock(band.to_ms)}`}
        >
          {scalarText(band.value, unit)}
        </span>
      ))}
      <Old {...span} />
    </div>
  );
}
