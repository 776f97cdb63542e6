import { describe, expect, it } from "vitest";
import type { SceneRobot, SceneVolume } from "../flat/scene-model";
import type { Vec3 } from "../flat/transform";
import { isNear } from "./near";

const BOX = { robot: "arm-1", constraint: "c", min_m: [0, 0, 0] as const, max_m: [2, 2, 2] as const };
const VOLUMES: Readonly<Record<string, SceneVolume>> = {
  workspace: { kind: "workspace", ...BOX },
  keep_out: { kind: "keep_out_box", ...BOX },
  zone: { kind: "forbidden_zone", robot: "arm-1", constraint: "c", center_m: [1, 1, 1], radius_m: 0.5 },
};

const robot = (id: string, position_m: Vec3): SceneRobot => ({
  id,
  position_m,
  heading_rad: null,
  body_radius_m: 0.1,
  freshness: "live",
  age: "",
  simulated: true,
  base_m: null,
  stand_m: null,
  joints: {},
  trail_m: [],
  shape: "arm",
  look: "armed",
  speed_mps: null,
});

describe("U-1103 a limit is drawn as a body once a robot is near it", () => {
  it.each([
    ["workspace", [1, 1, 1], false],
    ["workspace", [1.7, 1, 1], true],
    ["workspace", [2.5, 1, 1], true],
    ["keep_out", [3, 1, 1], false],
    ["keep_out", [2.3, 1, 1], true],
    ["zone", [1, 1, 2], false],
    ["zone", [1, 1, 1.8], true],
  ] as const)("%s at %j", (volume, at, near) => {
    const shape = VOLUMES[volume];
    expect(shape && isNear(shape, [robot("arm-1", at)])).toBe(near);
    expect(shape && isNear(shape, [robot("rover-1", at)])).toBe(false);
  });
});
