// The host and the live store, handed down once by the root.

import { createContext, useContext } from "react";
import type { Host } from "../../host/host";
import type { LiveStore } from "../../host/live-store";

/** The station of every screen: the calls to it, and its live state. */
export type Station = { host: Host; store: LiveStore };

/** Provided by the root. */
export const StationContext = createContext<Station | null>(null);

/** The station of this window. */
export function useStation(): Station {
  const station = useContext(StationContext);
  if (!station) throw new Error("no station above this component");
  return station;
}
