// The measured place and joints of a robot at this moment, for what is written or sent from it.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import { isCurrent } from "../../design/format/freshness";
import type { LiveStore } from "../../host/live-store";
import type { Vec3 } from "../scene/flat/transform";
import { useLive } from "../station/useLive";
import { between, rounded, toThousandth } from "./place";
import { freshnessOf } from "./useReading";

/** The place of a robot in a frame of its own, to the millimetre; null while no current measurement says it. */
export function poseNow(live: LiveStore, robot: RobotRow | undefined, frame: string | null): Vec3 | null {
  if (robot === undefined) return null;
  const id = `robot/${robot.id}/pose`;
  const value = live.signal(id)?.value;
  if (typeof value !== "object" || !isCurrent(freshnessOf(live, id, robot.id))) return null;
  return rounded(between(robot, value.frame, frame ?? robot.default_frame, value.position_m));
}

/** True while `poseNow` has an answer. */
export function useHasPose(robot: RobotRow | undefined, frame: string | null): boolean {
  return useLive((live) => poseNow(live, robot, frame) !== null);
}

/** The position of a joint, to a thousandth of its unit; null while no current measurement says it. */
export function jointNow(live: LiveStore, robot: RobotRow | undefined, joint: string): number | null {
  if (robot === undefined) return null;
  const id = `robot/${robot.id}/joint/${joint}`;
  const value = live.signal(id)?.value;
  return typeof value === "number" && isCurrent(freshnessOf(live, id, robot.id)) ? toThousandth(value) : null;
}
