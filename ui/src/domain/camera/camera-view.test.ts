import { describe, expect, it } from "vitest";
import type { CameraFrame } from "../../generated/bindings/CameraFrame";
import type { DetectedObject } from "../../generated/bindings/DetectedObject";
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
  detections: null,
  ...changes,
});
const at = (now_ms: number, lost = false) => ({ now_ms, wall_ms: null, local_ms: now_ms, silent_ms: 0, lost });

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

  it("is faulty while the newest picture could not be drawn, and until another one is", () => {
    const view = new CameraView(ROW);
    view.note(facts({}), at(10_000));
    view.noteUndrawn(facts({ observed_mono_ms: 10_200 }), at(10_200));
    expect(view.state(at(10_200))).toBe("faulty");
    // Facts without a picture: there is no newer one.
    view.note(facts({ observed_mono_ms: 10_200, newer: false }), at(10_300));
    expect(view.state(at(10_300))).toBe("faulty");
    view.note(facts({ observed_mono_ms: 10_400 }), at(10_400));
    expect(view.state(at(10_400))).toBe("live");
  });

  it("counts the pictures that it shows", () => {
    const view = new CameraView(ROW);
    for (let ms = 0; ms < 4_000; ms += 200) view.noteDrawn(ms);
    expect([view.shownHz(3_800), view.shownHz(9_000)]).toEqual([5, 0]);
  });
});

describe("U-406 detections", () => {
  const person = { label: "person", confidence: 0.9, min_px: [10, 20], max_px: [50, 90] } satisfies DetectedObject;
  const seen = (observed_mono_ms: number, objects: DetectedObject[] = [person]) => ({
    observed_mono_ms,
    fault: null,
    objects,
  });

  it("are shown over the picture that they are in, and the same while nothing new was found", () => {
    const view = new CameraView(ROW);
    expect(view.detector(at(10_000))).toBeNull();
    view.note(facts({ detections: seen(10_000) }), at(10_000));
    const shown = view.objects(at(10_100));
    expect(shown).toEqual([person]);
    view.note(facts({ detections: seen(10_000) }), at(10_200));
    expect(view.objects(at(10_200))).toBe(shown);
    view.note(facts({ detections: seen(10_300, []) }), at(10_300));
    expect(view.objects(at(10_300))).toEqual([]);
  });

  it("are never shown old, over an old picture, or when the newest cannot be read", () => {
    const view = new CameraView(ROW);
    view.note(facts({ observed_mono_ms: 20_000, detections: seen(10_000) }), at(20_000));
    expect([view.state(at(20_000)), view.detector(at(20_000))]).toEqual(["live", "stale"]);
    expect(view.objects(at(20_000))).toEqual([]);
    view.note(facts({ observed_mono_ms: 10_000, detections: seen(20_000) }), at(20_000));
    expect(view.objects(at(20_000))).toEqual([]);
    const broken = { ...seen(20_000), fault: "not_detections" as const };
    view.note(facts({ observed_mono_ms: 20_000, detections: broken }), at(20_000));
    expect(view.detector(at(20_000))).toBe("faulty");
    expect(view.objects(at(20_000))).toEqual([]);
  });
});
