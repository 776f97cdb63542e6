// The sound of alarms: three tones, told apart by pitch and by how often they come (U-1306). Never the only sign of
// one.

import { useSyncExternalStore } from "react";

/** Priorities that sound. */
export type SoundPriority = 1 | 2 | 3;

const KEY = "quarterdeck.sound";
/** Loud enough for a room, below what hurts in headphones. */
const VOLUME = 0.2;
/** One beep and the pause after it. */
const BEEP_S = 0.14;
const PAUSE_S = 0.08;
/** Fast and high for what is urgent. */
const TONES: Record<SoundPriority, { hz: number; beeps: number }> = {
  1: { hz: 988, beeps: 4 },
  2: { hz: 740, beeps: 2 },
  3: { hz: 523, beeps: 1 },
};

const listeners = new Set<() => void>();
let context: AudioContext | null = null;

/** True if this desk lets alarms sound. */
export function useSoundOn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(KEY) !== "off",
  );
}

/** Switches the sound of this desk. */
export function setSoundOn(on: boolean): void {
  localStorage.setItem(KEY, on ? "on" : "off");
  for (const listener of listeners) listener();
}

/** Plays the tone of a priority, `after_s` from now. */
export function playTone(priority: SoundPriority, after_s = 0): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const { hz, beeps } = TONES[priority];
  for (let beep = 0; beep < beeps; beep += 1) {
    const from = context.currentTime + after_s + beep * (BEEP_S + PAUSE_S);
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + PAUSE_S / 8);
    gain.gain.linearRampToValueAtTime(0, from + BEEP_S);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + BEEP_S);
  }
}
