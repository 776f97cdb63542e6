import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { stepPath, thinned } from "../../../design/chart/series";
import { scalarText } from "../../../design/format/scalar";
import { formatAge, formatClockAgo } from "../../../design/format/time";
import { t } from "../../../locales/i18n";
import { dashOf } from "./dashes";
import type { PlotField } from "./plot-fields";
import { type Lane, shareOf, spread } from "./plot-lanes";
import styles from "./PlotLanes.module.css";
import { ThresholdHandle } from "./ThresholdHandle";

/** Drawn in units of its own and stretched to the lane. */
const WIDTH = 1_000;
const HEIGHT = 200;
/** A line does not get finer with more. */
const POINTS_DRAWN = 1_000;
/** The height that a label at a line's end takes, as a share of its lane. */
const LABEL_ROOM = 0.13;
/** Steps of the cursor across the plot. */
const CURSOR_STEPS = 100;

type PlotLanesProps = {
  lanes: readonly Lane[];
  span_ms: number;
  /** A negative age; null where nobody points. */
  cursor_ms: number | null;
  onCursor: (cursor_ms: number | null) => void;
  onThreshold: (field: PlotField, value: number | null) => void;
};

/** Lanes below each other with one time axis, and a cursor that the pointer or the arrow keys move. */
export function PlotLanes({ lanes, span_ms, cursor_ms, onCursor, onThreshold }: PlotLanesProps) {
  const area = useRef<HTMLDivElement>(null);
  const step_ms = span_ms / CURSOR_STEPS;
  const onPointerMove = (event: PointerEvent) => {
    const bounds = area.current?.getBoundingClientRect();
    if (!bounds || bounds.width === 0) return;
    const share = (event.clientX - bounds.left) / bounds.width;
    onCursor(-span_ms * (1 - Math.min(1, Math.max(0, share))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of a threshold's handle are its own.
    if (event.target !== event.currentTarget) return;
    const moves: Record<string, number> = { ArrowLeft: -step_ms, ArrowRight: step_ms };
    const move = moves[event.key];
    if (event.key === "Escape") onCursor(null);
    else if (event.key === "Home") onCursor(-span_ms);
    else if (event.key === "End") onCursor(0);
    else if (move !== undefined) onCursor(Math.min(0, Math.max(-span_ms, (cursor_ms ?? 0) + move)));
    else return;
    event.preventDefault();
  };
  return (
    <figure className={styles.figure}>
      <div
        ref={area}
        className={styles.lanes}
        role="slider"
        tabIndex={0}
        aria-label={t("plot.cursor")}
        aria-valuemin={-Math.round(span_ms / 1_000)}
        aria-valuemax={0}
        aria-valuenow={Math.round((cursor_ms ?? 0) / 1_000)}
        aria-valuetext={cursor_ms === null ? t("plot.now") : t("plot.ago", { age: formatAge(-cursor_ms) })}
        data-testid="plot-lanes"
        onPointerMove={onPointerMove}
        onPointerLeave={() => onCursor(null)}
        onKeyDown={onKeyDown}
      >
        {lanes.map((lane) => (
          <LaneView key={lane.unit ?? ""} lane={lane} onThreshold={onThreshold} />
        ))}
        {cursor_ms !== null && (
          <span className={styles.cursor} style={{ insetInlineStart: `${100 * (1 + cursor_ms / span_ms)}%` }} />
        )}
      </div>
      <figcaption className={styles.times}>
        <span>{formatClockAgo(span_ms)}</span>
        {cursor_ms !== null && <strong>{formatClockAgo(-cursor_ms)}</strong>}
        <span>{formatClockAgo(0)}</span>
      </figcaption>
    </figure>
  );
}

type LaneProps = { lane: Lane; onThreshold: (field: PlotField, value: number | null) => void };

function LaneView({ lane, onThreshold }: LaneProps) {
  const { unit, lines, extent } = lane;
  const drawn = lines.filter(({ points }) => points.length > 0);
  const ends = spread(
    drawn.map(({ points }) => shareOf(points.at(-1)?.value ?? 0, extent)),
    LABEL_ROOM,
  );
  return (
    <div className={styles.lane}>
      <svg className={styles.svg} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {drawn.map(({ place, points, newest }) => (
          <path
            key={place}
            className={styles.line}
            strokeDasharray={dashOf(place)}
            d={stepPath(thinned(points, POINTS_DRAWN), extent, WIDTH, HEIGHT, newest.held_to_ms)}
          />
        ))}
      </svg>
      <span className={styles.most}>{scalarText(extent.max, unit)}</span>
      <span className={styles.least}>{scalarText(extent.min, unit)}</span>
      {drawn.map(({ place }, at) => (
        <span key={place} className={styles.end} style={{ top: `${100 * (ends[at] ?? 0)}%` }}>
          {place + 1}
        </span>
      ))}
      {lines.map(({ field, threshold, place }) =>
        threshold === null ? null : (
          <ThresholdHandle
            key={place}
            field={field}
            threshold={threshold}
            extent={extent}
            onMove={(value) => onThreshold(field, value)}
          />
        ),
      )}
    </div>
  );
}
