import { describe, expect, it } from "vitest";
import { lookOf, shapeOf } from "./robot-look";

describe("U-109 the glyph of a robot", () => {
  it("is that of its body", () => {
    const withKind = (kind: string) => shapeOf({ actuators: [{ kind }] as never });
    expect([withKind("base"), withKind("tool"), withKind("switch")]).toEqual(["rover", "arm", "gate"]);
  });
  it.each([
    ["disarmed", 0, "disarmed"],
    ["arming", 0, "disarmed"],
    ["armed", 0, "armed"],
    ["armed", 0.009, "armed"],
    ["armed", 0.01, "moving"],
    ["armed", -0.2, "moving"],
    ["hold", 0.2, "held"],
    ["safe_stop", 0.2, "stopped"],
    ["lockout", null, "stopped"],
  ] as const)("of %s at %s m/s shows %s", (state, speed_mps, look) => {
    expect(lookOf(state, speed_mps, true)).toBe(look);
  });
  it("shows nothing but stale while the robot does not answer", () => {
    expect(lookOf("armed", 0.2, false)).toBe("stale");
    expect(lookOf("safe_stop", 0, false)).toBe("stale");
  });
});
