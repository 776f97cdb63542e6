import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CameraFrame } from "../../generated/bindings/CameraFrame";
import type { Host } from "../../host/host";
import { paneMs, PictureLoader } from "./picture-loader";

const FACTS: CameraFrame = {
  robot: "arm-1",
  camera: "cell",
  observed_mono_ms: 7,
  newer: false,
  width_px: 320,
  height_px: 240,
  rate_hz: 5,
  fault: null,
  detections: null,
};

/** A host whose answers are given by hand, and the questions that it was asked. */
function fake() {
  const asked: unknown[] = [];
  const waiting: ((answer: unknown) => void)[] = [];
  const call = (name: string, input: unknown) => {
    asked.push([name, input]);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const host: Host = { call: call as Host["call"], subscribe: () => () => undefined };
  const answer = async (facts: Partial<CameraFrame>) => {
    waiting.shift()?.({ ...FACTS, ...facts });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { asked, host, answer };
}

const pane = (robot: string, onAnswer = async () => undefined) => ({
  robot,
  camera: "cell",
  rate_hz: 5,
  onAnswer,
  onError: () => undefined,
});

describe("U-406 pictures are asked for", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("one at a time, whichever pane they are for, and after the one that is there", async () => {
    const { asked, host, answer } = fake();
    const loader = new PictureLoader(host);
    const ends = [loader.watch(pane("arm-1")), loader.watch(pane("rover-1"))];
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toEqual([["camera_frame", { robot: "arm-1", camera: "cell" }]]);
    await answer({ observed_mono_ms: 7 });
    await vi.advanceTimersByTimeAsync(30);
    expect(asked.length).toBe(2);
    await answer({ robot: "rover-1", observed_mono_ms: 9 });
    await vi.advanceTimersByTimeAsync(110);
    expect(asked[2]).toEqual(["camera_frame", { robot: "arm-1", camera: "cell", after_mono_ms: 7 }]);
    for (const end of ends) end();
  });

  it("anew once the station was started again, whose clock begins anew", async () => {
    const { asked, host, answer } = fake();
    const seen = vi.fn(async () => undefined);
    const end = new PictureLoader(host).watch(pane("arm-1", seen));
    await vi.advanceTimersByTimeAsync(0);
    await answer({ observed_mono_ms: 9_000 });
    await vi.advanceTimersByTimeAsync(200);
    await answer({ observed_mono_ms: 40 });
    await vi.advanceTimersByTimeAsync(200);
    expect(asked.at(-1)).toEqual(["camera_frame", { robot: "arm-1", camera: "cell" }]);
    expect(seen.mock.calls.length).toBe(1);
    end();
  });

  it("no more once nobody looks", async () => {
    const { asked, host, answer } = fake();
    const seen = vi.fn(async () => undefined);
    const end = new PictureLoader(host).watch(pane("arm-1", seen));
    await vi.advanceTimersByTimeAsync(0);
    end();
    await answer({});
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked.length, seen.mock.calls.length]).toEqual([1, 0]);
  });

  it("at most ten times a second, and at least once", () => {
    expect([0.1, 2, 5, 60].map(paneMs)).toEqual([1_000, 250, 100, 100]);
  });
});
