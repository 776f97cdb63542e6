// Where a robot is, and points of a scene, in frames of that robot.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import { fromFrame, rootFrame, toFrame, type Vec3 } from "../scene/flat/transform";

/** The place of a robot now, in a frame of its own, to the millimetre; null if nobody knows. */
export function poseIn(robot: RobotRow | undefined, frame: string | null): Vec3 | null {
  if (!robot?.pose) return null;
  const root = rootFrame(robot);
  const at_m = toFrame(robot.transforms, robot.pose.frame, root, robot.pose.position_m);
  return at_m && inFrame(robot, frame, at_m);
}

/** A point of the scene's frame in the frame of a command, to the millimetre. */
export function inFrame(robot: RobotRow, frame: string | null, at_m: Vec3): Vec3 | null {
  const point = fromFrame(robot.transforms, frame ?? robot.default_frame, rootFrame(robot), at_m);
  return point && [rounded(point[0]), rounded(point[1]), rounded(point[2])];
}

function rounded(metres: number): number {
  return Math.round(metres * 1_000) / 1_000 + 0;
}
