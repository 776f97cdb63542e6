// The newest event as the status bar shows it: while it is news.

import { stationText } from "../locales/station-words";
import type { LiveStore } from "../host/live-store";

/** An event is news for this long, ms. */
const NEWS_MS = 30_000;

/** Its sentence; null once it is old, and for a stop once none is open any more. */
export function newsOf({ lastEvent, time, stops }: Pick<LiveStore, "lastEvent" | "time" | "stops">): string | null {
  if (lastEvent === null || time.now_ms === null || time.now_ms - lastEvent.at_mono_ms > NEWS_MS) return null;
  if (lastEvent.code === "stop_all" && !stops.some(({ open }) => open)) return null;
  return stationText("event", lastEvent.code) ?? lastEvent.sentence;
}
