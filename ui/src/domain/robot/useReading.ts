// A signal together with what its age says about it.

import type { Signal } from "../../generated/bindings/Signal";
import { ageMs, type Freshness, freshness } from "../../design/format/freshness";
import { shownAge } from "../../design/format/shown-age";
import type { LiveStore } from "../../host/live-store";
import { useLive } from "../station/useLive";

/** `age` is text, so that a value renders again only when the text changes. */
export type Reading = { signal: Signal | undefined; state: Freshness; age: string };

/** The rate at which a value is redrawn: as often as it can be read, or every time it comes, for steering by it. */
export type ReadingRate = "readable" | "every";

/** The newest value of a signal; `robot` names the robot whose lost link loses it. */
export function useReading(id: string, robot?: string, rate: ReadingRate = "readable"): Reading {
  const signal = useLive((store) => (rate === "every" ? store.signal(id) : store.shown(id)));
  const state = useLive((store) => freshnessOf(store, id, robot));
  const age = useLive((store) => {
    // The age is that of the newest sample: a value that stays the same is not shown anew.
    const sample = store.signal(id);
    return sample && store.time.now_ms !== null
      ? shownAge(state, ageMs(sample.observed_mono_ms, store.time.now_ms), sample.max_age_ms)
      : "";
  });
  return { signal, state, age };
}

/** The freshness of a signal's newest value; a lost link of `robot` loses it. */
export function freshnessOf(store: LiveStore, id: string, robot?: string): Freshness {
  const sample = store.signal(id);
  const link = robot === undefined ? undefined : store.links.get(robot)?.link;
  const dated = sample && { ...sample, source_lost: sample.source_lost || link === "lost" };
  return freshness(dated, store.time.now_ms, store.time.lost);
}
