import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { say } from "../../design/components/toast-queue";
import { useOperation } from "../../domain/station/useOperation";
import { useStation } from "../../domain/station/station-context";
import type { HostError } from "../../host/host";
import { stationText } from "../../locales/station-words";
import { useKeptHistory } from "./graph/useKeptHistory";
import { useRemovalUndo } from "./graph/useRemovalUndo";
import { bufferKey, dropClean } from "./mission-buffers";
import { isPlaceOf } from "./mission-tabs";

/** The removal of one mission file at a time. */
export type MissionRemoval = {
  /** Puts the file with this hash away; the toast takes that back. */
  run: (id: string, hash: string) => void;
  pending: boolean;
  error: HostError | null;
};

/** For the screen of missions: a mission's own panel shows no file any more before the answer comes. */
export function useMissionRemoval(): MissionRemoval {
  const { record } = useKeptHistory();
  const call = useOperation("remove_mission", ({ mission_id, base_hash }, { source }) =>
    record({ kind: "text", id: mission_id, before: { hash: base_hash, source }, after: null }),
  );
  const bringBack = useRemovalUndo();
  const leave = useLeave();
  const run = (id: string, hash: string) => {
    call.run({ mission_id: id, base_hash: hash }, ({ message, source }) => {
      leave(id);
      const text = stationText("mission_said", "remove_mission", { mission: id }) ?? message;
      say({ text, undo: bringBack(id, { hash, source }) });
    });
  };
  return { run, pending: call.pending, error: call.error };
}

/** Leaves a mission whose file was put away. */
export function useLeave(): (id: string) => void {
  const { store } = useStation();
  const [place, go] = useLocation();
  const shown = useRef(place);
  // Synchronises with the address: the answer may come when another mission is shown.
  useEffect(() => {
    shown.current = place;
  }, [place]);
  return (id) => {
    // A text that is saved nowhere is not in the trash either: it waits for the file to come back.
    dropClean(bufferKey(store.agent, id));
    if (isPlaceOf(shown.current, id)) go("/missions");
  };
}
