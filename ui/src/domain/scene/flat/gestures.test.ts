import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Gestures, wheelFactor } from "./gestures";

describe("U-1102 the scene under the hand", () => {
  it("a press that stays where it is is a click, and moves nothing", () => {
    const hand = new Gestures();
    hand.press(1, [100, 100]);
    expect(hand.move(1, [102, 101])).toBeNull();
    expect(hand.release(1, false)).toEqual([100, 100]);
  });

  it("a drag moves the scene with the pointer, and is no click", () => {
    const hand = new Gestures();
    hand.press(1, [100, 100]);
    expect(hand.move(1, [110, 95])).toEqual({ right_px: 10, down_px: -5, factor: 1, at: [110, 95] });
    expect(hand.moving).toBe(true);
    expect(hand.release(1, false)).toBeNull();
    expect(hand.moving).toBe(false);
  });

  it("two fingers that part come nearer about the spot between them", () => {
    const hand = new Gestures();
    hand.press(1, [100, 100]);
    hand.press(2, [200, 100]);
    expect(hand.move(2, [300, 100])).toEqual({ right_px: 50, down_px: 0, factor: 2, at: [200, 100] });
    hand.release(1, false);
    expect(hand.release(2, false)).toBeNull();
  });

  it("a pointer that is lost or was never pressed does nothing", () => {
    const hand = new Gestures();
    expect(hand.move(1, [5, 5])).toBeNull();
    hand.press(1, [100, 100]);
    expect(hand.release(1, true)).toBeNull();
  });

  it("a wheel that is turned back undoes its turn, whatever it counts in", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -300, max: 300 }),
        fc.constantFrom(0, 1),
        fc.boolean(),
        (deltaY, deltaMode, ctrlKey) => {
          const forth = wheelFactor({ deltaY, deltaMode, ctrlKey });
          expect(forth * wheelFactor({ deltaY: -deltaY, deltaMode, ctrlKey })).toBeCloseTo(1);
          expect(Math.sign(forth - 1)).toBe(-Math.sign(deltaY) + 0);
        },
      ),
    );
  });
});
