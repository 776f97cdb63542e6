// The scene of a motion that waits for a person: where it would go, what its body sweeps, and which limit is nearest.

import type { Proposal } from "../../generated/bindings/Proposal";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { formatSigned } from "../../design/format/numbers";
import { fromOwn, ownEnds, toOwn } from "../scene/flat/box";
import { placeGoal, type SceneMargin, type SceneModel, type SceneVolume } from "../scene/flat/scene-model";
import { distance, nearestFace, toFrame, type Vec3 } from "../scene/flat/transform";
import { limitFigures } from "../verdict/limit-figures";

/** A motion that was judged: one that waits for a person, or one of a dry run. */
export type Decided = Pick<Proposal, "robot" | "preview" | "verdict" | "explanation">;

/**
 * The site with this motion alone; null if the station predicts none, or nothing says where it is. A `later` one begins
 * where the motion before it ends.
 */
export function decisionScene(
  site: SceneModel,
  robots: readonly RobotRow[],
  proposal: Decided,
  later = false,
): SceneModel | null {
  const goal = placeGoal(proposal, robots, site.frame);
  const robot = robots.find(({ id }) => id === proposal.robot);
  if (!goal || !robot) return null;
  // A later motion begins where the one before ends, and the trail of the robot does not lead there.
  const placed = later
    ? site.robots.map((one) => (one.id === robot.id ? { ...one, position_m: goal.from_m, trail_m: [] } : one))
    : site.robots;
  return { ...site, robots: placed, goals: [goal], decision: { margin: tightest(site, robot, proposal) }, near: true };
}

/** Of the limits that have a place, the one with the least room. */
export function tightest(site: SceneModel, robot: RobotRow, proposal: Decided): SceneMargin | null {
  const frame = proposal.verdict?.frame ?? proposal.preview?.frame ?? robot.default_frame;
  const placed = proposal.explanation.flatMap(({ item }) => {
    const at_m = item.point_m && toFrame(robot.transforms, frame, site.frame, item.point_m);
    const volume = site.volumes.find(
      (limit) => limit.constraint === item.constraint && (limit.robot === null || limit.robot === robot.id),
    );
    return at_m && volume && item.margin !== null ? [{ item, margin: item.margin, at_m, volume }] : [];
  });
  const [nearest] = placed.toSorted((a, b) => a.margin - b.margin);
  return nearest ? marginOf(nearest.item, nearest.at_m, nearest.volume, robot.body_radius_m) : null;
}

function marginOf(item: VerdictItem, at_m: Vec3, volume: SceneVolume, body_m: number): SceneMargin {
  const bound_m = nearestOn(volume, at_m);
  const away_m = distance(bound_m, at_m);
  const share = away_m === 0 ? 0 : Math.min(1, body_m / away_m);
  return {
    edge_m: along(at_m, bound_m, share),
    bound_m,
    room: `${formatSigned(item.margin, 2)} m`,
    limit: limitFigures(item).name,
  };
}

/** The point of a limit's boundary that is nearest to `at_m`. */
function nearestOn(volume: SceneVolume, at_m: Vec3): Vec3 {
  switch (volume.kind) {
    case "workspace": {
      const { min_m, max_m } = ownEnds(volume);
      return fromOwn(volume, footOn(min_m, max_m, toOwn(volume, at_m)));
    }
    case "keep_out_box": {
      const { min_m, max_m } = ownEnds(volume);
      const own_m = toOwn(volume, at_m);
      const outside = mapped(own_m, (value, axis) =>
        Math.min(Math.max(value, min_m[axis] ?? value), max_m[axis] ?? value),
      );
      const isInside = outside.every((value, axis) => value === own_m[axis]);
      return fromOwn(volume, isInside ? footOn(min_m, max_m, own_m) : outside);
    }
    case "forbidden_zone": {
      const { center_m, radius_m } = volume;
      const away_m = distance(at_m, center_m);
      // In the very centre no direction is nearer than another.
      return away_m === 0 ? center_m : along(center_m, at_m, radius_m / away_m);
    }
  }
}

/** The foot of `at_m` on the nearest face of a box. */
function footOn(min_m: Vec3, max_m: Vec3, at_m: Vec3): Vec3 {
  const face = nearestFace(min_m, max_m, at_m);
  return mapped(at_m, (value, axis) => (axis === face.axis ? face.at_m : value));
}

function along(from_m: Vec3, to_m: Vec3, share: number): Vec3 {
  return mapped(from_m, (value, axis) => value + share * ((to_m[axis] ?? value) - value));
}

function mapped([x, y, z]: Vec3, change: (value: number, axis: number) => number): Vec3 {
  return [change(x, 0), change(y, 1), change(z, 2)];
}
