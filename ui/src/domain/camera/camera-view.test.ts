import { describe, expect, it } from "vitest";
import type { CameraFrame } from "../../generated/bindings/CameraFrame";
import { HostError } from "../../host/host";
import { CameraView } from "./camera-view";

const ROW = { id: "cell", encoding: "jpeg" as const, rate_hz: 5, max_age_ms: 2_000 };
const facts = (changes: Partial<CameraFrame>): CameraFrame => ({
  robot: "arm-1",
  camera: "cell",
  observed_mono_ms: 10_000,
  newer: true,
  width_px: 320,
  height_px: 240,
  rate_hz: 5,
  fault: null,
  ...changes,
});
const at = (now_ms: number, lost = false) => ({ now_ms, local_ms: now_ms, silent_ms: 0, lost });

describe("U-1108 a pane", () => {
  it("says how old its picture is, as of every value", () => {
    const view = new CameraView(ROW);
    expect(view.state(at(10_000))).toBe("never");
    view.note(facts({}), at(10_000));
    const states = [10_100, 11_900, 14_000, 25_000].map((now_ms) => view.state(at(now_ms)));
    expect(states).toEqual(["live", "aging", "stale", "lost"]);
    expect(view.age_ms(at(14_000))).toBe(4_000);
    expect(view.state(at(10_100, true))).toBe("stale");
  });

  it("says that what comes cannot be shown, and that nobody answers", () => {
    const view = new CameraView(ROW);
    view.note(facts({ fault: "not_jpeg" }), at(10_000));
    expect(view.state(at(10_100))).toBe("faulty");
    view.noteError(new HostError("unreachable", ""));
    expect(view.state(at(10_100))).toBe("unreachable");
    view.note(facts({}), at(10_000));
    expect(view.state(at(10_100))).toBe("live");
  });

  it("counts the pictures that it shows", () => {
    const view = new CameraView(ROW);
    for (let ms = 0; ms < 4_000; ms += 200) view.noteDrawn(ms);
    expect([view.shownHz(3_800), view.shownHz(9_000)]).toEqual([5, 0]);
  });
});
