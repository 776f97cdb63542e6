// The keys of a timeline: from mark to mark, closer, further, and to what a mark rests on.

import type { KeyboardEvent } from "react";
import { findShortcut } from "../../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../../design/shortcuts/shortcuts";
import type { Mark } from "./belief-marks";
import { PAN_SHARE, ZOOM_STEP } from "./timeline-view";

type TimelineKeys = {
  marks: readonly Mark[];
  selected: string | null;
  onSelect: (mark: Mark) => void;
  onOpen: () => void;
  /** Around a time, or around the middle. */
  onZoom: (factor: number, around?: number) => void;
  /** By a share of what is in sight. */
  onPan: (share: number) => void;
  onFit: () => void;
};

/** The handler of the timeline's keys. */
export function useTimelineKeys({ marks, selected, onSelect, onOpen, onZoom, onPan, onFit }: TimelineKeys) {
  const here = marks.findIndex(({ id }) => id === selected);
  const step = (by: 1 | -1) => {
    const mark = here < 0 ? marks.at(by > 0 ? 0 : -1) : marks[here + by];
    if (mark) onSelect(mark);
  };
  const acts: Partial<Record<ShortcutId, () => void>> = {
    mark_previous: () => step(-1),
    mark_next: () => step(1),
    mark_open: onOpen,
    timeline_zoom_in: () => onZoom(ZOOM_STEP, marks[here]?.at),
    timeline_zoom_out: () => onZoom(1 / ZOOM_STEP),
    timeline_fit: onFit,
    timeline_pan_back: () => onPan(-PAN_SHARE),
    timeline_pan_on: () => onPan(PAN_SHARE),
  };
  return (event: KeyboardEvent) => {
    const shortcut = findShortcut(event, "timeline");
    const act = shortcut === null ? undefined : acts[shortcut];
    // Tab and the keys of the window go on as ever.
    if (act === undefined) return;
    act();
    event.preventDefault();
  };
}
