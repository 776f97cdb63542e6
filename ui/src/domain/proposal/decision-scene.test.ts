import { describe, expect, it } from "vitest";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import { constraintRow, itemRow, proposal, robotRow } from "../../testing/fixtures";
import { buildScene, type SceneModel } from "../scene/flat/scene-model";
import { fit, pointsInSight, toSpot } from "../scene/flat/view";
import { decisionScene } from "./decision-scene";

/** Base at (3, 2, 0) in the map. */
const ARM = robotRow();
const place = (id: string, constraint: ConstraintRow["constraint"]) =>
  constraintRow({ id, constraint, robot: "arm-1", frame: "base_link" });
const LIMITS = [
  place("room", { Workspace: { x: [-1, 1], y: [-1, 1], z: [0, 1.4] } }),
  place("post", { ForbiddenZone: { center: [0.5, 1.2, 1], radius: 0.5 } }),
  place("box", { KeepOutBox: { min: [0.8, -0.5, 0], max: [0.9, 0.5, 2] } }),
];

function site(): SceneModel {
  const sight = { freshness: "live", age: "", trail: [], look: "armed", speed_mps: null, joints: {} } as const;
  const pose = { frame: "base_link", position_m: [0.3, 0, 0.8] as [number, number, number], orientation: null };
  return buildScene([{ robot: ARM, pose, ...sight }], LIMITS, []);
}

/** The card of a motion whose `limits` leave so much room at its end, (0.5, 0.2, 1) in the arm's frame. */
function card(limits: Readonly<Record<string, number>>) {
  const explanation = Object.entries(limits).map(([constraint, margin]) =>
    itemRow("workspace", { constraint, margin, point_m: [0.5, 0.2, 1] }),
  );
  return proposal({ explanation });
}

const rounded = (point_m: readonly number[] | undefined) => point_m?.map((value) => Math.round(value * 1e6) / 1e6);

describe("FU-07 the scene of a motion that waits for a person", () => {
  it("shows its way through all of its points, the body that is swept, and how long it takes", () => {
    const preview = {
      ...proposal().preview,
      path: [
        [0.5, 0, 0.8],
        [0.5, 0.2, 1],
      ],
    } as ReturnType<typeof proposal>["preview"];
    const model = decisionScene(site(), [ARM], proposal({ preview }));
    expect(model?.goals).toHaveLength(1);
    expect(model?.goals[0]?.path_m.map(rounded)).toEqual([
      [3.3, 2, 0.8],
      [3.5, 2, 0.8],
      [3.5, 2.2, 1],
    ]);
    expect(model?.goals[0]).toMatchObject({ body_radius_m: ARM.body_radius_m, duration_s: 1.7 });
  });

  it.each([
    ["a face of the workspace", "room", [3.5, 2.2, 1.4]],
    ["a forbidden zone", "post", [3.5, 2.7, 1]],
    ["a keep-out box", "box", [3.8, 2.2, 1]],
  ])("measures from the edge of the body to %s", (_what, id, bound_m) => {
    const margin = decisionScene(site(), [ARM], card({ [id]: 0.2 }))?.decision?.margin;
    expect(rounded(margin?.bound_m)).toEqual(bound_m);
    const [edge, end] = [margin?.edge_m ?? [], [3.5, 2.2, 1]];
    expect(Math.hypot(...edge.map((value, axis) => value - (end[axis] ?? 0)))).toBeCloseTo(ARM.body_radius_m);
  });

  it("marks the limit with the least room, with its margin and name", () => {
    const margin = decisionScene(site(), [ARM], card({ room: 0.4, post: 0.05, box: 0.2 }))?.decision?.margin;
    expect([margin?.room, rounded(margin?.bound_m)]).toEqual(["+0.05 m", [3.5, 2.7, 1]]);
  });

  it("marks none where no limit has a place", () =>
    expect(decisionScene(site(), [ARM], card({ elsewhere: 0.1 }))?.decision).toEqual({ margin: null }));

  it("is none without a prediction, or for a robot that nobody knows", () => {
    expect(decisionScene(site(), [ARM], proposal({ preview: null }))).toBeNull();
    expect(decisionScene(site(), [], proposal())).toBeNull();
  });

  it("is looked at from near: all of the way is in sight, and a limit that is far off makes nothing small", () => {
    const size = { width_px: 400, height_px: 300 };
    const near = decisionScene(site(), [ARM], card({ room: 0.4 }));
    if (!near) throw new Error("no scene");
    const camera = fit(near, size, "top", "arm-1");
    for (const point of pointsInSight(near, "arm-1")) {
      const [x, y] = toSpot(camera, size, point);
      expect(x >= 0 && x <= 400 && y >= 0 && y <= 300).toBe(true);
    }
    const far = {
      ...near,
      decision: { margin: { edge_m: [3.5, 2.2, 1], bound_m: [40, 2.2, 1], room: "", limit: "" } },
    } as const;
    expect(fit(far, size, "top", "arm-1").px_per_m).toBe(
      fit({ ...near, decision: { margin: null } }, size, "top", "arm-1").px_per_m,
    );
  });
});
