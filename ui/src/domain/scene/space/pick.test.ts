import { describe, expect, it } from "vitest";
import { robotOn } from "./pick";

const ball = (id: string, x: number, y: number, body_radius_m = 0.3) => ({
  id,
  position_m: [x, y, 0] as const,
  body_radius_m,
});
const RAY = { from_m: [0, 0, 0], along: [1, 0, 0] } as const;

describe("U-1103 a press on the scene in three dimensions", () => {
  it("means the robot nearest to the eye under it", () => {
    expect(robotOn(RAY, [ball("far", 9, 0), ball("near", 4, 0.2)], [])).toBe("near");
    expect(robotOn(RAY, [ball("far", 9, 0)], [{ id: "arm", distance_m: 3 }])).toBe("arm");
  });

  it("means none beside all of them, behind the eye, and without any", () => {
    expect(robotOn(RAY, [ball("beside", 4, 0.5), ball("behind", -4, 0)], [])).toBeNull();
    expect(robotOn(RAY, [], [])).toBeNull();
  });

  it("reaches a little beyond a small one, and further off by as much as is seen", () => {
    expect(robotOn(RAY, [ball("small", 4, 0.04, 0.01)], [])).toBe("small");
    expect(robotOn(RAY, [ball("small", 40, 0.3, 0.01)], [])).toBe("small");
    expect(robotOn(RAY, [ball("small", 4, 0.1, 0.01)], [])).toBeNull();
  });
});
