import { describe, expect, it } from "vitest";
import { type FrameTime, isSlow, withFrame } from "./pace";

const frames = (took: readonly number[], gap_ms = 400): FrameTime[] =>
  took.reduce<FrameTime[]>((before, took_ms, place) => withFrame(before, { at_ms: place * gap_ms, took_ms }), []);

describe("U-1104 slow graphics are known by the time frames take", () => {
  it.each([
    ["fast frames", [16, 17, 16, 20, 16], false],
    ["slow frames", [140, 150, 130, 160, 145], true],
    ["one long frame among fast ones", [16, 900, 16, 16, 16], false],
    ["too few to say", [390, 16, 390, 16], false],
  ])("%s", (_, took, slow) => expect(isSlow(frames(took))).toBe(slow));

  it("also where a few of them take all the time there is", () => {
    expect(isSlow(frames([800, 800, 800, 800], 800))).toBe(true);
    expect(isSlow(frames([16, 900, 16], 900)), "one of three").toBe(false);
  });

  it("is patient with a burst", () => expect(isSlow(frames([140, 150, 130, 160, 145], 150))).toBe(false));

  it("forgets what is longer ago than two seconds", () => {
    const slow = frames([140, 150, 130, 160, 145]);
    expect(withFrame(slow, { at_ms: 10_000, took_ms: 16 })).toEqual([{ at_ms: 10_000, took_ms: 16 }]);
  });
});
