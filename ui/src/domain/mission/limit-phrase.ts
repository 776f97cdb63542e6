// The demand of a limit of a mission in another language than the station's English.

import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { JointLimits } from "../../generated/bindings/JointLimits";
import { exactText } from "../../design/fields/decimal";
import { stationText } from "../../locales/station-words";
import { numbersText, rangeText } from "./phrase-values";

/** The names of the kinds as the station writes them. */
export type LimitName = ConstraintKind extends infer Kind ? (Kind extends Kind ? keyof Kind : never) : never;

function said(name: LimitName, given: object): string | null {
  return stationText("mission_limit", name, given);
}

function number(name: LimitName, value: number): string | null {
  return said(name, { value: exactText(value) });
}

/** The demand; null where the window has no words of its own. */
export function limitPhrase(limit: ConstraintKind): string | null {
  if ("Workspace" in limit) {
    const { x, y, z } = limit.Workspace;
    return said("Workspace", { x: rangeText(x), y: rangeText(y), z: rangeText(z) });
  }
  if ("MaxVelocity" in limit) return number("MaxVelocity", limit.MaxVelocity);
  if ("ForbiddenZone" in limit) {
    const { center, radius } = limit.ForbiddenZone;
    return said("ForbiddenZone", { center: numbersText(center), radius: exactText(radius) });
  }
  if ("MaxForce" in limit) return number("MaxForce", limit.MaxForce);
  if ("KeepOutBox" in limit) {
    const { min, max } = limit.KeepOutBox;
    return said("KeepOutBox", { min: numbersText(min), max: numbersText(max) });
  }
  if ("JointLimits" in limit) return jointPhrase(limit.JointLimits);
  if ("MaxAcceleration" in limit) return number("MaxAcceleration", limit.MaxAcceleration);
  if ("CommandRate" in limit) {
    const { actuator, hz, burst } = limit.CommandRate;
    return said("CommandRate", { actuator, hz: exactText(hz), burst });
  }
  if ("GoalJump" in limit) return number("GoalJump", limit.GoalJump);
  if ("StoppingDistance" in limit) return number("StoppingDistance", limit.StoppingDistance);
  const { decel_mps2, floor_mps } = limit.ApproachSpeed;
  return said("ApproachSpeed", { decel: exactText(decel_mps2), floor: exactText(floor_mps) });
}

function jointPhrase({ joint, ...limits }: JointLimits): string | null {
  const bounds: readonly (readonly [number | undefined, string])[] = [
    [limits.velocity_radps, "rad/s"],
    [limits.velocity_mps, "m/s"],
    [limits.acceleration_radps2, "rad/s²"],
    [limits.acceleration_mps2, "m/s²"],
    [limits.effort_nm, "Nm"],
    [limits.effort_n, "N"],
  ];
  const most = bounds.flatMap(([bound, unit]) => (bound === undefined ? [] : [`${exactText(bound)} ${unit}`]));
  const turning = limits.position_rad;
  const sliding = limits.position_m;
  const range = turning === undefined ? sliding && rangeText(sliding) : rangeText(turning, "rad");
  const given = { joint, range, most: most.join(", ") };
  if (most.length === 0) return stationText("mission_limit", "JointRange", given);
  return range === undefined ? stationText("mission_limit", "JointMost", given) : said("JointLimits", given);
}
