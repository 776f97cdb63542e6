import { describe, expect, it } from "vitest";
import { LiveStore } from "../../host/live-store";
import { frame, poseSignal, robotRow } from "../../testing/fixtures";
import { poseNow } from "./pose-now";

function storeWith(...signals: ReturnType<typeof poseSignal>[]): LiveStore {
  const store = new LiveStore();
  store.applyFrame(frame({ signals }), 0);
  return store;
}

describe("U-708 the current pose", () => {
  const robot = robotRow();

  it("is the newest measurement, not the row's, to the millimetre in the frame that is asked for", () => {
    const old = { frame: "base_link", position_m: [9, 9, 9], orientation: null, age_ms: 60_000 } as const;
    const row = robotRow({ pose: { ...old, position_m: [9, 9, 9] } });
    const store = storeWith(poseSignal("arm-1", [0.30041, 0, 0.8]));
    expect(poseNow(store, row, null)).toEqual([0.3, 0, 0.8]);
    expect(poseNow(store, row, "map")).toEqual([3.3, 2, 0.8]);
    store.applyFrame(frame({ seq: 2, signals: [poseSignal("arm-1", [0.4, 0, 0.8])] }), 10);
    expect(poseNow(store, row, null)).toEqual([0.4, 0, 0.8]);
  });

  it("is unknown without a measurement, once it is stale, and where no frame leads to it", () => {
    expect(poseNow(storeWith(), robot, null)).toBeNull();
    expect(poseNow(storeWith(poseSignal("arm-1", [0, 0, 0])), undefined, null)).toBeNull();
    expect(poseNow(storeWith(poseSignal("arm-1", [0, 0, 0], { observed_mono_ms: 9_000 })), robot, null)).toBeNull();
    expect(poseNow(storeWith(poseSignal("arm-1", [0, 0, 0], { source_lost: true })), robot, null)).toBeNull();
    expect(poseNow(storeWith(poseSignal("arm-1", [0, 0, 0])), robot, "no-such")).toBeNull();
  });
});
