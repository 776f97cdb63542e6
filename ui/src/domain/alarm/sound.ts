// The sound of alarms: three tones, told apart by pitch and by how often they come (U-1306). Never the only sign of
// one.

import { useSyncExternalStore } from "react";
import { deskMemory } from "../../host/memory";

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
  return useSyncExternalStore(onChange, () => deskMemory.read(KEY) !== "off");
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  // Another window of this desk may switch it, too.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** Switches the sound of this desk. */
export function setSoundOn(on: boolean): void {
  deskMemory.write(KEY, on ? "on" : "off");
  for (const listener of listeners) listener();
}

/** A tone that has waited longer is of an alarm that may be over, ms. */
const WAIT_MS_MAX = 3_000;

/** Tones that wait for a loudspeaker that does not run yet, with when each is to sound. One of each priority is enough. */
const waiting = new Map<SoundPriority, { after_s: number; asked_ms: number }>();

/** Plays the tone of a priority, `after_s` from now. */
export function playTone(priority: SoundPriority, after_s = 0): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "running") return sound(context, priority, after_s);
  // The clock of a context that does not run stands: tones given to it now would all sound at once when it starts.
  waiting.set(priority, { after_s, asked_ms: performance.now() });
  // A webview lets no page sound before its first gesture; the context may also be taken away by another program.
  context.addEventListener("statechange", soundWaiting);
  // A refusal is no news: the context says that it does not run, and the next tone asks again.
  context.resume().catch(() => undefined);
}

/** Sounds what waited, once the context runs. */
function soundWaiting(): void {
  if (context?.state !== "running") return;
  for (const [priority, { after_s, asked_ms }] of waiting)
    if (performance.now() - asked_ms <= WAIT_MS_MAX) sound(context, priority, after_s);
  waiting.clear();
}

function sound(context: AudioContext, priority: SoundPriority, after_s: number): void {
  const { hz, beeps } = TONES[priority];
  for (let beep = 0; beep < beeps; beep += 1) {
    const from = context.currentTime + after_s + beep * (BEEP_S + PAUSE_S);
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = hz;
    // From and to silence: a tone that is cut off clicks.
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + PAUSE_S / 8);
    gain.gain.linearRampToValueAtTime(0, from + BEEP_S);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + BEEP_S);
  }
}
