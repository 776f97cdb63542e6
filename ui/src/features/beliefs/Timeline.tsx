import { type RefCallback, useId, useState } from "react";
import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import { formatMoment } from "../../design/format/time";
import { t } from "../../locales/i18n";
import { type Span, wholeSpan } from "./belief-curve";
import type { Mark } from "./belief-marks";
import { markName } from "./belief-words";
import { Lanes } from "./Lanes";
import { TimelineLegend } from "./TimelineLegend";
import { TimelinePlot } from "./TimelinePlot";
import { panned, shown, zoomed } from "./timeline-view";
import { TimelineZoom } from "./TimelineZoom";
import { usePointer } from "./timeline-pointer";
import { useTimelineKeys } from "./useTimelineKeys";
import { useHints } from "../../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../../design/shortcuts/shortcuts";
import styles from "./Timeline.module.css";

type TimelineProps = {
  history: BeliefHistory;
  marks: readonly Mark[];
  /** Unix seconds. */
  now: number;
  /** Nothing new can be heard of the key it rests on. */
  silent: boolean;
  selected: string | null;
  onSelect: (id: string) => void;
  onOpen: () => void;
};

/**
 * The confidence of a belief over time, up to when time alone will have worn it down. Pointer and keyboard do the same.
 */
export function Timeline({ history, marks, now, silent, selected, onSelect, onOpen }: TimelineProps) {
  const { measured, width_px } = useWidth();
  const about = useId();
  const whole = wholeSpan(history, now);
  const [chosen, setChosen] = useState<Span | null>(null);
  const span = chosen ?? whole;
  // All of it is no choice of a span: it goes on growing with the time.
  const change = (next: Span) => setChosen(next.to - next.from >= whole.to - whole.from ? null : next);
  const zoom = (factor: number, around = (span.from + span.to) / 2) => change(zoomed(span, factor, around, whole));
  const pan = (secs: number) => change(panned(span, secs, whole));
  const { dragged, wheel } = usePointer({ span, width_px, onPan: pan, onZoom: zoom });

  const onKeyDown = useTimelineKeys({
    marks,
    selected,
    onSelect: (mark) => {
      onSelect(mark.id);
      change(shown(span, mark.at, whole));
    },
    onOpen,
    onZoom: zoom,
    onPan: (share) => pan(share * (span.to - span.from)),
    onFit: () => setChosen(null),
  });
  const mark = marks.find(({ id }) => id === selected);
  return (
    <figure className={styles.timeline} aria-label={t("timeline.title")}>
      <div
        ref={wheel}
        className={styles.field}
        data-testid="timeline"
        data-from={Math.round(span.from)}
        data-to={Math.round(span.to)}
        role="application"
        tabIndex={0}
        aria-label={t("timeline.name", {
          subject: history.belief.subject,
          predicate: history.belief.predicate,
          count: marks.length,
        })}
        aria-describedby={about}
        onKeyDown={onKeyDown}
        {...dragged}
      >
        <div ref={measured} className={styles.measure}>
          <TimelinePlot
            history={history}
            marks={marks}
            span={span}
            now={now}
            width={width_px}
            silent={silent}
            selected={selected}
            onSelect={onSelect}
          />
        </div>
      </div>
      <p className="visually-hidden" aria-live="polite">
        {mark ? t("timeline.at_mark", { mark: markName(mark), when: formatMoment(mark.at * 1_000) }) : ""}
      </p>
      <Lanes rows={history.rows} span={span} now={now} />
      <figcaption className={styles.foot}>
        <TimelineLegend marks={marks} />
        <TimelineZoom whole={chosen === null} onZoom={zoom} onFit={() => setChosen(null)} />
      </figcaption>
      <p id={about} className={styles.keys}>
        <TimelineKeysHint />
      </p>
    </figure>
  );
}

/** Before anything has been measured, and where nothing is laid out. */
const WIDTH_FIRST_PX = 640;

/** The width in pixels of the element that `measured` is given to. */
function useWidth(): { measured: RefCallback<Element>; width_px: number } {
  const [width_px, setWidth] = useState(WIDTH_FIRST_PX);
  const measured: RefCallback<Element> = (element) => {
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(
      ([entry]) => entry && entry.contentRect.width > 0 && setWidth(entry.contentRect.width),
    );
    observer.observe(element);
    return () => observer.disconnect();
  };
  return { measured, width_px };
}

/** The keys of a timeline, by what they do together. */
const LINES = [
  { text: "timeline.keys_marks", ids: ["mark_previous", "mark_next"] },
  { text: "timeline.keys_open", ids: ["mark_open"] },
  { text: "timeline.keys_zoom", ids: ["timeline_zoom_in", "timeline_zoom_out"] },
  { text: "timeline.keys_move", ids: ["timeline_pan_back", "timeline_pan_on"] },
  { text: "timeline.keys_all", ids: ["timeline_fit"] },
] as const satisfies readonly { text: string; ids: readonly ShortcutId[] }[];

/** The keys of a timeline in one line; those that are switched off are left out. */
function TimelineKeysHint() {
  const hints = useHints();
  return LINES.flatMap(({ text, ids }) => {
    const keys = ids.map((id) => hints.of(id)).filter((key) => key !== "");
    return keys.length === 0 ? [] : [t(text, { keys: keys.join(" ") })];
  }).join(" · ");
}
