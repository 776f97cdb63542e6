import { useId } from "react";
import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import { formatNumber } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import { type CurvePoint, curvePoints, projectedPoints, type Span } from "./belief-curve";
import { groupedMarks, type Mark, type MarkGroup } from "./belief-marks";
import { markName } from "./belief-words";
import { MarkShapePath } from "./MarkShapeIcon";
import styles from "./Timeline.module.css";
import { tickText, ticksOf } from "./timeline-view";

/** The drawing, in pixels of the page. */
const HEIGHT = 260;
const TOP = 20;
const BOTTOM = 232;
/** As wide as the names of the lanes below, so that both share one axis. */
export const LEFT = 128;
export const RIGHT_MARGIN = 12;
/** Marks closer than this cover each other. */
const APART_PX = 11;
/** A time needs this much room under the axis. */
const TICK_PX = 104;
/** Below these a belief is weak, or challenged (BL-10, BL-14). */
const THRESHOLDS = [0.5, 0.2] as const;
const SCALE = [0, 1] as const;

type PlotProps = {
  history: BeliefHistory;
  marks: readonly Mark[];
  span: Span;
  now: number;
  width: number;
  silent: boolean;
  selected: string | null;
  onSelect: (id: string) => void;
};

/** Drawing of a timeline: axes, thresholds, the line, its projection, and the marks. */
export function TimelinePlot({ history, marks, span, now, width, silent, selected, onSelect }: PlotProps) {
  const right = width - RIGHT_MARGIN;
  const clip = useId();
  const x = (at: number) => LEFT + ((at - span.from) / (span.to - span.from)) * (right - LEFT);
  const columns = Math.max(1, Math.round(right - LEFT));
  const path = (points: readonly CurvePoint[]) =>
    points
      .map(({ at, confidence }, place) => `${place === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(confidence).toFixed(1)}`)
      .join("");
  const past = curvePoints(history, { from: span.from, to: Math.min(span.to, now) }, columns);
  const coming = projectedPoints(history, Math.max(now, span.from), span.to, columns);
  const groups = groupedMarks(
    marks.filter(({ at }) => span.from <= at && at <= span.to),
    (APART_PX / columns) * (span.to - span.from),
  );
  const lastAt = history.rows.at(-1)?.at ?? now;
  return (
    <svg className={styles.svg} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
      <defs>
        <clipPath id={clip}>
          <rect x={LEFT} y={0} width={Math.max(0, right - LEFT)} height={HEIGHT} />
        </clipPath>
        <pattern id={`${clip}-old`} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={styles.hatch} width="2" height="4" />
        </pattern>
      </defs>
      <g clipPath={`url(#${clip})`}>
        {silent && (
          <rect
            x={x(lastAt)}
            y={TOP}
            width={Math.max(0, x(now) - x(lastAt))}
            height={BOTTOM - TOP}
            fill={`url(#${clip}-old)`}
          />
        )}
        {history.pins.map((pin) => (
          <rect
            key={pin.from}
            className={styles.pinned}
            x={x(pin.from)}
            y={BOTTOM - 6}
            width={Math.max(2, x(pin.until) - x(pin.from))}
            height={6}
          />
        ))}
      </g>
      <Frame left={LEFT} right={right} x={x} span={span} />
      <g clipPath={`url(#${clip})`}>
        {span.from <= now && <path className={styles.line} d={path(past)} />}
        {coming.length > 0 && <path className={styles.coming} d={path(coming)} />}
        <Now x={x(now)} right={right} />
        {groups.map((group) => (
          <GroupShape key={group.mark.id} group={group} x={x} selected={selected} onSelect={onSelect} />
        ))}
      </g>
    </svg>
  );
}

type GroupShapeProps = {
  group: MarkGroup;
  x: (at: number) => number;
  selected: string | null;
  onSelect: (id: string) => void;
};

/** Marks that cover each other: the selected one of them, else the most telling, and how many there are. */
function GroupShape({ group: { mark: telling, marks }, x, selected, onSelect }: GroupShapeProps) {
  const mark = marks.find(({ id }) => id === selected) ?? telling;
  return (
    <g
      data-mark={mark.shape}
      transform={`translate(${x(mark.at).toFixed(1)} ${y(mark.confidence).toFixed(1)})`}
      className={styles.mark}
      data-selected={mark.id === selected}
      onClick={() => onSelect(mark.id)}
    >
      <title>{`${markName(mark)} · ${formatNumber(mark.confidence, 2)}`}</title>
      <circle className={styles.target} r={12} />
      <MarkShapePath shape={mark.shape} />
      {marks.length > 1 && (
        <text className={styles.count} y={-14} textAnchor="middle">
          {marks.length}
        </text>
      )}
    </g>
  );
}

function y(confidence: number): number {
  return BOTTOM - confidence * (BOTTOM - TOP);
}

/** Line of the present; its label moves to the other side where there is no room. */
function Now({ x, right }: { x: number; right: number }) {
  const late = x > right - TICK_PX / 2;
  return (
    <g>
      <line className={styles.now} x1={x} x2={x} y1={TOP - 8} y2={BOTTOM} />
      <text className={styles.text} x={late ? x - 4 : x + 4} y={TOP - 8} textAnchor={late ? "end" : "start"}>
        {t("timeline.now")}
      </text>
    </g>
  );
}

/** The axes with their numbers, and the two thresholds with their names. */
function Frame({ left, right, x, span }: { left: number; right: number; x: (at: number) => number; span: Span }) {
  return (
    <g>
      {SCALE.map((confidence) => (
        <g key={confidence}>
          <line className={styles.axis} x1={left} x2={right} y1={y(confidence)} y2={y(confidence)} />
          <text className={styles.text} x={left - 6} y={y(confidence) + 4} textAnchor="end">
            {formatNumber(confidence, 1)}
          </text>
        </g>
      ))}
      {THRESHOLDS.map((confidence) => (
        <g key={confidence}>
          <line className={styles.threshold} x1={left} x2={right} y1={y(confidence)} y2={y(confidence)} />
          <text className={styles.text} x={left - 6} y={y(confidence) + 4} textAnchor="end">
            {t(confidence === 0.5 ? "timeline.below_05" : "timeline.below_02")} {formatNumber(confidence, 1)}
          </text>
        </g>
      ))}
      {ticksOf(span, Math.floor((right - left) / TICK_PX)).map((tick) => (
        <g key={tick.at}>
          <line className={styles.axis} x1={x(tick.at)} x2={x(tick.at)} y1={BOTTOM} y2={BOTTOM + 4} />
          <text
            className={styles.text}
            x={x(tick.at)}
            y={BOTTOM + 18}
            textAnchor={x(tick.at) > right - TICK_PX / 3 ? "end" : "middle"}
          >
            {tickText(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}
