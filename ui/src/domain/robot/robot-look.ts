// The drawn form of a robot, from its row and what the station reports of it.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import { isCurrent } from "../../design/format/freshness";
import type { LiveStore } from "../../host/live-store";
import { freshnessOf } from "./useReading";

/** Kinds of body that are told apart at a glance. */
export type RobotShape = "rover" | "arm" | "gate";

/** States that the glyph shows. */
export type RobotLook = "disarmed" | "armed" | "moving" | "held" | "stopped" | "stale";

/** From this speed on a robot counts as moving, m/s: below it, what is measured is noise. */
const MOVING_MPS = 0.01;

/** A robot with a base drives, one with a tool reaches, any other switches something. */
export function shapeOf({ actuators }: Pick<RobotRow, "actuators">): RobotShape {
  const kinds = new Set<string>(actuators.map(({ kind }) => kind));
  // A base that carries an arm is drawn as what drives.
  if (kinds.has("base")) return "rover";
  return kinds.has("tool") ? "arm" : "gate";
}

/**
 * `speed_mps` is null of a robot that reports none, and "old" where no current measurement says it. `known` is false
 * while the robot does not answer or the station is silent: what it does is then not known.
 */
export function lookOf(state: RobotStateName, speed_mps: number | "old" | null, known: boolean): RobotLook {
  if (!known) return "stale";
  switch (state) {
    case "disarmed":
    case "arming":
      return "disarmed";
    case "armed":
      // An armed robot whose speed is old may move or stand, and must not look like either.
      if (speed_mps === "old") return "stale";
      return Math.abs(speed_mps ?? 0) >= MOVING_MPS ? "moving" : "armed";
    case "hold":
      return "held";
    case "safe_stop":
    case "lockout":
      return "stopped";
  }
}

/** State, measured speed and link of a robot as the store knows them now. */
export function liveLook(store: LiveStore, robot: RobotRow): RobotLook {
  const link = store.links.get(robot.id)?.link ?? robot.link;
  const known = !store.time.lost && (link === "live" || link === "late");
  return lookOf(store.safety.get(robot.id)?.state ?? robot.state, speedOf(store, robot.id), known);
}

function speedOf(store: LiveStore, robot: string): number | "old" | null {
  const id = `robot/${robot}/speed`;
  const speed_mps = store.signal(id)?.value;
  if (typeof speed_mps !== "number") return null;
  return isCurrent(freshnessOf(store, id, robot)) ? speed_mps : "old";
}
