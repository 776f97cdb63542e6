import { describe, expect, it } from "vitest";
import { LiveStore } from "../../host/live-store";
import { frame, poseSignal, robotRow } from "../../testing/fixtures";
import { liveLook, lookOf, shapeOf } from "./robot-look";

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
  it.each([
    ["moving", 9_900],
    ["stale", 9_000],
  ])("of an armed robot is %s by a speed measured at %s ms, of 10 s", (look, observed_mono_ms) => {
    const store = new LiveStore();
    const speed = { ...poseSignal("arm-1", [0, 0, 0]), id: "robot/arm-1/speed", value: 0.2, observed_mono_ms };
    store.applyFrame(frame({ signals: [speed] }), 0);
    expect(liveLook(store, robotRow({ state: "armed", link: "live" }))).toBe(look);
  });
  it("shows nothing but stale while the robot does not answer", () => {
    expect(lookOf("armed", 0.2, false)).toBe("stale");
    expect(lookOf("safe_stop", 0, false)).toBe("stale");
  });
});
