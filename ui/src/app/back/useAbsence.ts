import { useEffect, useState, useSyncExternalStore } from "react";
import { useLive } from "../../domain/station/useLive";
import { type Absence, follow, HERE, type Known } from "./absence";

function onVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Follows contact and sight; `known` is what this window has read so far. `dismiss` ends what is said about the last one. */
export function useAbsence({ record, alarm }: Known): { absence: Absence; dismiss: () => void } {
  const lost = useLive(({ time }) => time.lost && time.now_ms !== null);
  const hidden = useSyncExternalStore(onVisibility, () => document.visibilityState === "hidden");
  const [absence, setAbsence] = useState<Absence>(HERE);

  // Synchronises with contact to the station and the window's place on the screen.
  useEffect(() => {
    setAbsence((before) => follow(before, { lost, hidden, now_ms: Date.now(), known: { record, alarm } }));
  }, [lost, hidden, record, alarm]);

  return { absence, dismiss: () => setAbsence(HERE) };
}
