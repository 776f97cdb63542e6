// The robots' maps in the scenes of this desk: shown or not, and the newest of each.

import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { deskMemory } from "../../../host/memory";
import { useStation } from "../../station/station-context";
import { MapLoader, type SeenMap } from "./map-loader";

const KEY = "quarterdeck.maps";
/** A robot that makes its map shows what it has found soon. */
const EVERY_MS = 2_000;
/** A map that was just asked for comes in a moment. */
const FIRST_MS = 400;
const FIRST_TRIES = 10;

const listeners = new Set<() => void>();
const NONE: readonly SeenMap[] = [];

/** The choice of whether maps are shown, and how to change it. */
export type MapsChoice = { shown: boolean; setShown: (shown: boolean) => void };

/** Without a choice, maps are shown where no site plan is. */
export function useMapsChoice(hasPlan: boolean): MapsChoice {
  const kept = useSyncExternalStore(onChange, () => deskMemory.read(KEY));
  return { shown: kept === null ? !hasPlan : kept === "on", setShown };
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  // Another window of this desk may choose, too.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

function setShown(shown: boolean): void {
  deskMemory.write(KEY, shown ? "on" : "off");
  for (const listener of listeners) listener();
}

/** The newest maps of these robots while they are `shown`. */
export function useMaps(robots: readonly RobotRow[], shown: boolean): readonly SeenMap[] {
  const { host } = useStation();
  const [loader] = useState(() => new MapLoader(host));
  const mapped = robots.filter(({ has_map = false }) => has_map).length;
  const wanted = shown && mapped > 0;
  const maps = useQuery({
    queryKey: ["robot_maps"],
    enabled: wanted,
    queryFn: ({ signal }) => loader.load(signal),
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < FIRST_TRIES && state.data?.length !== mapped ? FIRST_MS : EVERY_MS,
    // Cells are compared by the loader.
    structuralSharing: false,
  });
  return wanted ? (maps.data ?? NONE) : NONE;
}
