import { describe, expect, it } from "vitest";
import type { Fact } from "../generated/bindings/Fact";
import { frame, poseSignal } from "../testing/fixtures";
import { LiveStore } from "./live-store";

describe("signals of the live store", () => {
  const event: Fact = {
    kind: "event",
    code: "mission_started",
    sentence: "Night patrol started.",
    at_mono_ms: 9_000_000,
  };

  it("forgets what an earlier run of the station dated", () => {
    const store = new LiveStore();
    const seen = (mono_ms: number, observed_mono_ms: number) =>
      store.applyFrame(frame({ mono_ms, signals: [poseSignal("arm-1", [0, 0, 0], { observed_mono_ms })] }), 0);
    seen(9_000_000, 9_000_000);
    store.applyFrame(frame({ mono_ms: 9_000_000, facts: [event] }), 0);
    store.applyFrame(frame({ mono_ms: 5_000 }), 0);
    expect([store.signal("robot/arm-1/pose"), store.shown("robot/arm-1/pose"), store.lastEvent]).toEqual([
      undefined,
      undefined,
      null,
    ]);
    seen(5_000, 4_900);
    expect(store.track("robot/arm-1/pose")?.since(0)).toHaveLength(1);
  });

  it("keeps everything over a frame that was overtaken", () => {
    const store = new LiveStore();
    store.applyFrame(frame({ mono_ms: 20_000, signals: [poseSignal("arm-1", [0, 0, 0])] }), 0);
    store.applyFrame(frame({ mono_ms: 19_990 }), 0);
    expect(store.signal("robot/arm-1/pose")).toBeDefined();
  });

  it("gives the room of a signal that is long gone to a new one", () => {
    const store = new LiveStore();
    const signals = Array.from({ length: 5_000 }, (_, n) => poseSignal(`r-${n}`, [0, 0, 0]));
    store.applyFrame(frame({ signals }), 0);
    const mono_ms = 10_000_000;
    const fresh = poseSignal("r-0", [0, 0, 0], { observed_mono_ms: mono_ms });
    const added = poseSignal("new", [0, 0, 0], { observed_mono_ms: mono_ms });
    store.applyFrame(frame({ mono_ms, signals: [fresh, added] }), 0);
    expect(["r-0", "r-1", "new"].map((robot) => store.signal(`robot/${robot}/pose`) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("drops the signals of a robot that was removed", () => {
    const store = new LiveStore();
    store.applyFrame(frame({ signals: [poseSignal("arm-1", [0, 0, 0]), poseSignal("arm-10", [0, 0, 0])] }), 0);
    store.applyFrame(frame({ facts: [{ kind: "robot_removed", robot: "arm-1", mode: "sim" }] }), 0);
    expect([store.signal("robot/arm-1/pose"), store.signal("robot/arm-10/pose") !== undefined]).toEqual([
      undefined,
      true,
    ]);
  });
});
