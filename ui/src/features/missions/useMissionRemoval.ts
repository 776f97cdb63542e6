import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { say } from "../../design/components/toast-queue";
import { useOperation } from "../../domain/station/useOperation";
import { useStation } from "../../domain/station/station-context";
import { useUndo } from "../../domain/station/useUndo";
import type { HostError } from "../../host/host";
import { stationText } from "../../locales/station-words";
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
  const { store } = useStation();
  const call = useOperation("remove_mission");
  const saveAgain = useUndo("save_mission");
  const [place, go] = useLocation();
  const shown = useRef(place);
  // Synchronises with the address: the answer may come when another mission is shown.
  useEffect(() => {
    shown.current = place;
  }, [place]);
  const run = (id: string, hash: string) => {
    const key = bufferKey(store.agent, id);
    call.run({ mission_id: id, base_hash: hash }, ({ message, source }) => {
      // A text that is saved nowhere is not in the trash either: it waits for the file to come back.
      dropClean(key);
      if (isPlaceOf(shown.current, id)) go("/missions");
      const text = stationText("mission_said", "remove_mission", { mission: id }) ?? message;
      say({ text, undo: saveAgain({ mission_id: id, base_hash: null, source }) });
    });
  };
  return { run, pending: call.pending, error: call.error };
}
