import { describe, expect, it } from "vitest";
import type { TrackPoint } from "../../../host/track";
import { stretchesOf } from "./sights";

const at = (observed_mono_ms: number, x: number, frame = "map"): TrackPoint => ({
  observed_mono_ms,
  pose: { frame, position_m: [x, 0, 0], orientation: null },
});
const check = (points: readonly TrackPoint[], stretches: readonly (readonly number[])[]) =>
  expect(stretchesOf(points).map((stretch) => stretch.map(({ position_m: [x] }) => x))).toEqual(stretches);

describe("U-1102 the trail behind a robot", () => {
  it("is one line while it is seen, also after it stood for a while", () =>
    check([at(0, 0), at(1_000, 1), at(20_000, 1.01), at(20_100, 1.1)], [[0, 1, 1.01, 1.1]]));
  it("has a gap where the robot was silent and elsewhere afterwards", () =>
    check(
      [at(0, 0), at(100, 0.1), at(8_000, 4), at(8_100, 4.1)],
      [
        [0, 0.1],
        [4, 4.1],
      ],
    ));
  it("has a gap where its pose was set anew", () => check([at(0, 0), at(50, 3)], [[0], [3]]));
  it("has a gap where its frame is another", () => check([at(0, 0), at(50, 0.01, "odom")], [[0], [0.01]]));
  it("of nothing is nothing", () => check([], []));
});
