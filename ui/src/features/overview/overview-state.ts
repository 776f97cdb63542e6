// Normal state of the robots and every exception to it: only from reports of the station (U-804).

import type { LinkState } from "../../generated/bindings/LinkState";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import type { Freshness } from "../../design/format/freshness";
import { isCurrent } from "../../design/format/freshness";

/** Reasons that a robot is not normal; the first that applies is shown. */
export type Trouble = "errors" | "link_lost" | "link_never" | "link_late" | "held" | "stopped" | "stale";

/** Trouble of a robot, or null. `states` are those of the signals the overview needs. */
export function troubleOf(
  robot: Pick<RobotRow, "errors" | "state">,
  link: LinkState,
  states: readonly Freshness[],
): Trouble | null {
  if (robot.errors.length > 0) return "errors";
  const linkTrouble = troubleOfLink(link);
  if (linkTrouble !== null) return linkTrouble;
  return troubleOfState(robot.state) ?? (states.every(isCurrent) ? null : "stale");
}

function troubleOfState(state: RobotStateName): Trouble | null {
  switch (state) {
    case "hold":
      return "held";
    case "safe_stop":
    case "lockout":
      return "stopped";
    case "disarmed":
    case "arming":
    case "armed":
      return null;
  }
}

function troubleOfLink(link: LinkState): Trouble | null {
  switch (link) {
    case "lost":
      return "link_lost";
    case "never":
      return "link_never";
    case "late":
      return "link_late";
    case "live":
      return null;
  }
}

/** Signals of a robot that must be current for "All normal". A switch has no place to report. */
export function requiredSignals(robot: Pick<RobotRow, "id" | "actuators">): string[] {
  const moves = robot.actuators.some(({ kind }) => kind === "tool" || kind === "base");
  return moves ? [`robot/${robot.id}/pose`] : [];
}
