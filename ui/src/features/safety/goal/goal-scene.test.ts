import { describe, expect, it } from "vitest";
import type { CommandChecked } from "../../../generated/bindings/CommandChecked";
import { buildScene, type SceneModel } from "../../../domain/scene/flat/scene-model";
import { itemRow, robotRow } from "../../../testing/fixtures";
import { goalScene } from "./goal-scene";

const ROBOT = robotRow();
const SITE: SceneModel = buildScene(
  [
    {
      robot: ROBOT,
      pose: { frame: ROBOT.default_frame, position_m: [0, 0, 1], heading_rad: null } as never,
      freshness: "live",
      age: "",
      trail: [],
      look: "armed",
      speed_mps: 0,
      joints: {},
    },
  ],
  [],
  [],
);

function checked(verdict: "allow" | "deny"): CommandChecked {
  const item = itemRow("workspace", {
    verdict,
    margin: verdict === "deny" ? -0.5 : 0.5,
    point_m: [3, 0, 1],
    nearest_allowed_m: [2.5, 0, 1],
  });
  return {
    verdict: { overall: verdict, frame: ROBOT.default_frame, speed_allowed_mps: null } as CommandChecked["verdict"],
    explanation: [item],
    sentence: "",
  };
}

describe("U-708 the scene of a goal that is placed", () => {
  it("draws the way from where the robot is now", () => {
    const scene = goalScene(SITE, ROBOT, { to_m: [6, 2, 1], speed_mps: 0.5 }, checked("allow"));
    expect(scene.goals).toHaveLength(1);
    expect(scene.goals[0]).toMatchObject({ from_m: [3, 2, 1], to_m: [6, 2, 1], duration_s: 6 });
    expect(scene.denial).toBeNull();
  });

  it("draws where a denied one is wrong, and the nearest place that would be allowed", () => {
    const scene = goalScene(SITE, ROBOT, { to_m: [6, 2, 1], speed_mps: 0.5 }, checked("deny"));
    expect(scene.goals).toEqual([]);
    expect(scene.denial?.worst).toMatchObject({ point_m: [6, 2, 1], nearest_m: [5.5, 2, 1] });
  });

  it("draws no way of a robot that nobody has seen", () => {
    const scene = goalScene({ ...SITE, robots: [] }, ROBOT, { to_m: [6, 2, 1], speed_mps: 0.5 }, checked("allow"));
    expect([scene.goals, scene.denial]).toEqual([[], null]);
  });
});
