import { describe, expect, it } from "vitest";
import { robotAt } from "./pick";

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
