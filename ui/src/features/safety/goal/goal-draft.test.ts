import { describe, expect, it } from "vitest";
import { draftAt, motionOf, placeOf, speedOf } from "./goal-draft";

describe("U-708 a goal that is typed", () => {
  it("is the motion of its fields", () => {
    expect(motionOf(draftAt([1.5, -2, 0], "0.2"))).toEqual({
      pose_goal: { position_m: [1.5, -2, 0], speed_mps: 0.2 },
    });
  });

  it.each([
    ["x", "left"],
    ["z", ""],
    ["speed", "0"],
    ["speed", "-1"],
  ])("is no motion while %s is “%s”", (field, text) => {
    expect(motionOf({ ...draftAt([0, 0, 0]), [field]: text })).toBeNull();
  });

  it("keeps its place while the speed is wrong, and the other way round", () => {
    expect(placeOf(draftAt([1, 2, 3], "fast"))).toEqual([1, 2, 3]);
    expect(speedOf({ ...draftAt([1, 2, 3], "0.4"), y: "there" })).toBe(0.4);
  });
});
