import { describe, expect, it } from "vitest";
import { type Gesture, type GestureInput, step } from "./hold";

type Press = readonly [at_ms: number, input: GestureInput];

/** Plays presses on a control shown at 0 ms and says at which of them it acted. */
function check(needsHold: boolean, presses: readonly Press[], acted_at_ms: readonly number[]) {
  let gesture: Gesture = { phase: "idle" };
  const acted: number[] = [];
  for (const [now_ms, input] of presses) {
    const next = step(gesture, input, { needsHold, shown_ms: 0, now_ms });
    gesture = next.gesture;
    if (next.acts) acted.push(now_ms);
  }
  expect(acted).toEqual(acted_at_ms);
}

describe("U-1204 U-1208 the approval gesture", () => {
  it("ignores a click within 600 ms of appearing", () => check(false, [[599, "click"]], []));
  it("takes a click after 600 ms where a click is enough", () => check(false, [[600, "click"]], [600]));
  it("does not take a click where a hold is needed", () =>
    check(
      true,
      [
        [700, "pointer_down"],
        [720, "let_go"],
        [721, "click"],
      ],
      [],
    ));
  it("takes a pointer hold of 1 s", () =>
    check(
      true,
      [
        [700, "pointer_down"],
        [1_700, "hold_elapsed"],
      ],
      [1_700],
    ));
  it("does not take a hold that was let go", () =>
    check(
      true,
      [
        [700, "pointer_down"],
        [1_500, "let_go"],
        [1_700, "hold_elapsed"],
      ],
      [],
    ));
  it("does not take a hold begun while guarded", () =>
    check(
      true,
      [
        [500, "pointer_down"],
        [1_700, "hold_elapsed"],
      ],
      [],
    ));
  it("takes Space held for 1 s on every tier", () =>
    check(
      false,
      [
        [700, "space_down"],
        [1_700, "hold_elapsed"],
      ],
      [1_700],
    ));
  it("takes two virtual clicks as two steps", () =>
    check(
      true,
      [
        [700, "virtual_click"],
        [1_400, "virtual_click"],
      ],
      [1_400],
    ));
  it("does not take a double virtual click", () =>
    check(
      true,
      [
        [700, "virtual_click"],
        [900, "virtual_click"],
      ],
      [],
    ));
  it("arms again when the second step comes late", () =>
    check(
      true,
      [
        [700, "virtual_click"],
        [5_800, "virtual_click"],
        [6_500, "virtual_click"],
      ],
      [6_500],
    ));
});
