// Reads the live store; renders again only when what was selected changed.

import { useSyncExternalStore } from "react";
import type { LiveStore } from "../../host/live-store";
import { useStation } from "./station-context";

/** `select` must return a primitive or something the store replaces, never changes. */
export function useLive<Selected>(select: (store: LiveStore) => Selected): Selected {
  const { store } = useStation();
  return useSyncExternalStore(store.subscribe, () => select(store));
}
