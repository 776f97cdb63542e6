// The gesture that approves and releases: press and hold, or two deliberate steps (U-1204, U-1208).

/** Shortest press that counts as a hold, milliseconds. */
export const HOLD_MS = 1_000;
/** A control that has just appeared or changed under the hand ignores it for this long. */
export const GUARD_MS = 600;
/** The second of two steps may come this late. */
export const SECOND_STEP_MS_MAX = 5_000;

/** State of a gesture. Times are of one local monotonic clock, milliseconds. */
export type Gesture =
  | { phase: "idle" }
  | { phase: "holding"; by: "pointer" | "space"; since_ms: number }
  | { phase: "armed"; since_ms: number };

/** Inputs of a gesture. `click` is a pointer click, `virtual_click` one made by assistive technology. */
export type GestureInput = "pointer_down" | "space_down" | "let_go" | "click" | "virtual_click" | "hold_elapsed";

/** Conditions of a step besides the input. */
export type GestureRules = { needsHold: boolean; shown_ms: number; now_ms: number };

/** The gesture after an input, and whether it acts. */
export type GestureStep = { gesture: Gesture; acts: boolean };

const IDLE: Gesture = { phase: "idle" };

/** Folds one input into a gesture. Enter is no input: it never approves. */
export function step(gesture: Gesture, input: GestureInput, rules: GestureRules): GestureStep {
  const { now_ms } = rules;
  // Written so that a time that is no number guards, and does not act.
  if (!(now_ms - rules.shown_ms >= GUARD_MS)) return { gesture: IDLE, acts: false };
  switch (input) {
    case "pointer_down":
      return {
        gesture: rules.needsHold ? { phase: "holding", by: "pointer", since_ms: now_ms } : gesture,
        acts: false,
      };
    case "space_down":
      return { gesture: { phase: "holding", by: "space", since_ms: now_ms }, acts: false };
    case "hold_elapsed":
      return { gesture: IDLE, acts: gesture.phase === "holding" && now_ms - gesture.since_ms >= HOLD_MS };
    case "let_go":
      return { gesture: gesture.phase === "holding" ? IDLE : gesture, acts: false };
    case "click":
      return { gesture: IDLE, acts: !rules.needsHold };
    case "virtual_click":
      return secondStep(gesture, now_ms);
  }
}

function secondStep(gesture: Gesture, now_ms: number): GestureStep {
  if (gesture.phase !== "armed" || !(now_ms - gesture.since_ms <= SECOND_STEP_MS_MAX)) {
    return { gesture: { phase: "armed", since_ms: now_ms }, acts: false };
  }
  const acts = now_ms - gesture.since_ms >= GUARD_MS;
  return { gesture: acts ? IDLE : gesture, acts };
}
