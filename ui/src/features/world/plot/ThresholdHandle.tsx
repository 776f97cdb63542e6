import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { Extent } from "../../../design/chart/series";
import { scalarText } from "../../../design/format/scalar";
import { t } from "../../../locales/i18n";
import { nameOf, type PlotField, unitOf } from "./plot-fields";
import { shareOf, stepped, valueOf } from "./plot-lanes";
import styles from "./ThresholdHandle.module.css";

type ThresholdHandleProps = {
  field: PlotField;
  threshold: number;
  extent: Extent;
  onMove: (value: number) => void;
};

/** A threshold across its lane: dragged, or moved by the arrow keys. */
export function ThresholdHandle({ field, threshold, extent, onMove }: ThresholdHandleProps) {
  const line = useRef<HTMLDivElement>(null);
  // While it is dragged its lane keeps the scale that it had when the hand took it.
  const taken = useRef<Extent | null>(null);
  const onPointerDown = (event: PointerEvent) => {
    taken.current = extent;
    // The hand may leave the narrow line while it drags it.
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const lane = line.current?.parentElement?.getBoundingClientRect();
    if (!taken.current || !lane || lane.height === 0) return;
    onMove(valueOf((event.clientY - lane.top) / lane.height, taken.current));
  };
  const onPointerUp = () => {
    taken.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const moved = steps[event.key];
    if (moved === undefined) return;
    event.preventDefault();
    onMove(stepped(threshold, moved, extent));
  };
  return (
    <div ref={line} className={styles.threshold} style={{ top: `${100 * shareOf(threshold, extent)}%` }}>
      <div
        className={styles.handle}
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t("plot.threshold_of", { name: nameOf(field) })}
        aria-valuemin={extent.min}
        aria-valuemax={extent.max}
        aria-valuenow={threshold}
        aria-valuetext={scalarText(threshold, unitOf(field))}
        data-testid="plot-threshold"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
      >
        {scalarText(threshold, unitOf(field))}
      </div>
    </div>
  );
}
