// Binds the hold gesture to a button.

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { type Gesture, GUARD_MS, HOLD_MS, type GestureInput, SECOND_STEP_MS_MAX, step } from "./hold";

/** Handlers of the button and where the gesture stands. `guarded` lasts for the first 600 ms. */
export type HoldBinding = {
  phase: Gesture["phase"];
  guarded: boolean;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerUp: () => void;
    onPointerLeave: () => void;
    onPointerCancel: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onKeyUp: (event: KeyboardEvent) => void;
    onClick: (event: MouseEvent) => void;
    onBlur: () => void;
  };
};

/** `version` names what the button acts on: when it changes, the guard starts again. */
export function useHold(options: {
  version: string;
  needsHold: boolean;
  disabled: boolean;
  onAct: () => void;
}): HoldBinding {
  const { version, needsHold, disabled, onAct } = options;
  const [gesture, setGesture] = useState<Gesture>({ phase: "idle" });
  const [shown, setShown] = useState<{ version: string; shown_ms: number; open: boolean } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Synchronises with the clock: the guard begins when the browser shows this version.
  useEffect(() => {
    setGesture({ phase: "idle" });
    setShown({ version, shown_ms: localNow(), open: false });
    const open = setTimeout(() => setShown((now) => now && { ...now, open: true }), GUARD_MS);
    return () => {
      clearTimeout(open);
      clearTimeout(timer.current);
    };
  }, [version]);

  // Synchronises with the timer of a press under way: what may no longer be done is not done when it elapses.
  useEffect(() => {
    if (!disabled) return;
    clearTimeout(timer.current);
    setGesture({ phase: "idle" });
  }, [disabled]);

  const take = (input: GestureInput, from: Gesture = gesture) => {
    if (disabled || !shown || shown.version !== version) return;
    const next = step(from, input, { needsHold, shown_ms: shown.shown_ms, now_ms: localNow() });
    clearTimeout(timer.current);
    if (next.gesture.phase === "holding") {
      const held = next.gesture;
      // A timer may fire a little early; the gesture itself insists on the full time.
      timer.current = setTimeout(() => take("hold_elapsed", held), HOLD_MS + 1);
    }
    if (next.gesture.phase === "armed") {
      const left_ms = next.gesture.since_ms + SECOND_STEP_MS_MAX - localNow();
      // A second step that comes later would be a first one again: the button must not ask for it any more.
      timer.current = setTimeout(() => setGesture({ phase: "idle" }), left_ms);
    }
    setGesture(next.gesture);
    if (next.acts) onAct();
  };

  return {
    phase: gesture.phase,
    guarded: !(shown?.open === true && shown.version === version),
    handlers: {
      onPointerDown: (event) => event.button === 0 && take("pointer_down"),
      onPointerUp: () => take("let_go"),
      onPointerLeave: () => take("let_go"),
      onPointerCancel: () => take("let_go"),
      // The key may be let go in another window, which says nothing here.
      onBlur: () => take("let_go"),
      onKeyDown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        // Without this the browser would turn the key into a click.
        event.preventDefault();
        if (event.key === " " && !event.repeat) take("space_down");
      },
      onKeyUp: (event) => {
        if (event.key !== " ") return;
        event.preventDefault();
        take("let_go");
      },
      onClick: (event) => take(event.detail === 0 ? "virtual_click" : "click"),
    },
  };
}

/** The local monotonic clock of gestures. */
function localNow(): number {
  return performance.now();
}
