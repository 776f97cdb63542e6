// Points of a scene in the frames of a robot.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import { fromFrame, rootFrame, toFrame, type Vec3 } from "../scene/flat/transform";

/** A point of one frame of a robot in another, over the frame that both hang from. */
export function between(robot: RobotRow, from: string, to: string, point_m: Vec3): Vec3 | null {
  const root = rootFrame(robot);
  const at_m = toFrame(robot.transforms, from, root, point_m);
  return at_m && fromFrame(robot.transforms, to, root, at_m);
}

/** A point of a scene in the frame of a command, to the millimetre. */
export function inFrame(robot: RobotRow, scene: string, frame: string | null, at_m: Vec3): Vec3 | null {
  return rounded(between(robot, scene, frame ?? robot.default_frame, at_m));
}

/** A point to the millimetre. */
export function rounded(point_m: Vec3 | null): Vec3 | null {
  return point_m && [toThousandth(point_m[0]), toThousandth(point_m[1]), toThousandth(point_m[2])];
}

/** To the thousandth of a unit: no robot measures finer. */
export function toThousandth(value: number): number {
  // Adding 0 turns -0 into 0, which would be written and sent with its sign.
  return Math.round(value * 1_000) / 1_000 + 0;
}
