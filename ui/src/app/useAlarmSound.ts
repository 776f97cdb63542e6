// Lets alarms sound on every screen.

import { useEffect, useRef } from "react";
import type { AlarmRow } from "../generated/bindings/AlarmRow";
import { type Calls, callsOf, callsOn, newCall } from "../domain/alarm/calls";
import { playTone, useSoundOn } from "../domain/alarm/sound";

/** An alarm of the first priority sounds this often until somebody has seen it. */
const REPEAT_MS = 3_000;

/** Sounds what is new among these alarms; nothing while the desk is switched to silence. */
export function useAlarmSound(alarms: readonly AlarmRow[]): void {
  const on = useSoundOn();
  const heard = useRef<Calls>(new Map());
  const calls = callsOf(alarms);
  const urgent = on && callsOn(calls);

  // Synchronises with the loudspeaker of this computer.
  // After every drawing: the list is a new one each time, and what was heard is compared with it.
  useEffect(() => {
    const tone = newCall(heard.current, calls);
    heard.current = calls;
    if (on && tone !== null) playTone(tone);
  });
  useEffect(() => {
    if (!urgent) return;
    const timer = setInterval(() => playTone(1), REPEAT_MS);
    return () => clearInterval(timer);
  }, [urgent]);
}
