import { useSyncExternalStore } from "react";
import type { LiveStore } from "../host/live-store";
import { type Press, type StopView, viewStop } from "./stop-view";

/** Current state of the button. */
export function useStopView(store: LiveStore, press: Press): StopView {
  const stops = useSyncExternalStore(store.subscribe, () => store.stops);
  const links = useSyncExternalStore(store.subscribe, () => store.links);
  const safety = useSyncExternalStore(store.subscribe, () => store.safety);
  const station_lost = useSyncExternalStore(store.subscribe, () => store.time.lost || !store.connected);
  return viewStop(stops, press, { robots: [...safety.keys()], links, station_lost });
}
