import { describe, expect, it } from "vitest";
import { outlineAt, robotAt } from "./pick";
import type { Spot } from "./view";

const LARGE = { id: "rover-1", at: [100, 100], radius_px: 60 } as const;
const SMALL = { id: "arm-1", at: [130, 100], radius_px: 8 } as const;

describe("U-1102 a press on the scene", () => {
  it("finds the robot under it, and the small one before the large one", () => {
    expect(robotAt([LARGE, SMALL], [60, 100])).toBe("rover-1");
    expect(robotAt([LARGE, SMALL], [128, 101])).toBe("arm-1");
  });
  it("reaches a little beyond the ring, and no further", () => {
    expect(robotAt([SMALL], [130, 113])).toBe("arm-1");
    expect(robotAt([SMALL], [130, 118])).toBeNull();
  });
});

describe("U-1601 a press on a limit", () => {
  const corners: readonly Spot[] = [
    [0, 0],
    [200, 0],
    [200, 100],
    [0, 100],
  ];
  const FIELD = { id: "field", corners, round: false } as const;
  const ZONE = { id: "zone", box: { left: 60, top: 20, right: 120, bottom: 80 }, round: true } as const;
  it.each<[string, readonly [number, number], string | null]>([
    ["on an edge, from inside", [197, 50], "field"],
    ["on an edge, from outside", [204, 50], "field"],
    ["at a corner", [203, 103], "field"],
    ["on a circle", [90, 17], "zone"],
    ["in the middle of both", [90, 50], null],
    ["beyond all", [230, 50], null],
  ])("%s finds the nearest outline", (_where, spot, id) => expect(outlineAt([FIELD, ZONE], spot)).toBe(id));
});
