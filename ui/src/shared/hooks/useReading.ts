// A signal together with what its age says about it.

import type { Signal } from "../../bindings/Signal";
import { formatAge } from "../format/time";
import { ageMs, type Freshness, freshness } from "../freshness/freshness";
import { useLive } from "./useLive";

/** `age` is text, so that a value renders again only when the text changes. */
export type Reading = { signal: Signal | undefined; state: Freshness; age: string };

/** The newest value of a signal; `robot` names the robot whose lost link loses it. */
export function useReading(id: string, robot?: string): Reading {
  const signal = useLive((store) => store.signal(id));
  const state = useLive((store) => {
    const sample = store.signal(id);
    const link = robot === undefined ? undefined : store.links.get(robot)?.link;
    const dated = sample && { ...sample, source_lost: sample.source_lost || link === "lost" };
    return freshness(dated, store.time.now_ms, store.time.lost);
  });
  const age = useLive((store) => {
    const sample = store.signal(id);
    return sample && store.time.now_ms !== null ? formatAge(ageMs(sample.observed_mono_ms, store.time.now_ms)) : "";
  });
  return { signal, state, age };
}
