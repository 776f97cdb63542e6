// What to say to the agent after a denial, ready to be sent.

import type { ItemRow } from "../../bindings/ItemRow";
import type { RawCommand } from "../../bindings/RawCommand";
import type { Verdict } from "../../bindings/Verdict";
import { t } from "../i18n";

/**
 * The same goal, slowed to what is allowed where that is enough, else moved to the nearest allowed point, in words that
 * also the command interpreter reads. Where neither is known, a request to plan again.
 */
export function replanText(command: RawCommand | null, verdict: Verdict, rows: readonly ItemRow[]): string {
  const goal = command && "pose_goal" in command.motion ? command.motion.pose_goal : null;
  const violated = rows.map(({ item }) => item).filter((item) => item.verdict !== "allow");
  const slower = verdict.speed_allowed_mps !== null;
  const nearest_m = slower ? null : (violated.find(({ nearest_allowed_m }) => nearest_allowed_m !== null)?.nearest_allowed_m ?? null);
  const limits_mps = violated.flatMap(({ kind, limit }) => (kind === "max_velocity" && limit !== null ? [limit] : []));
  const allowed_mps = [...limits_mps, ...(verdict.speed_allowed_mps === null ? [] : [verdict.speed_allowed_mps])];
  if (!goal || (nearest_m === null && allowed_mps.length === 0)) return t("denial.plan_again", { robot: verdict.robot });
  const to = goal.position_m.map((metres, axis) => (nearest_m ? beyond(metres, nearest_m[axis] ?? metres) : metres));
  const speed_mps = Math.min(goal.speed_mps ?? Number.POSITIVE_INFINITY, ...allowed_mps);
  const speed = Number.isFinite(speed_mps) ? ` at ${String(floorMilli(speed_mps))} m/s` : "";
  return `move ${verdict.robot} to ${to.map(String).join(" ")} in ${verdict.frame}${speed}`;
}

/** `nearest` to a millimetre, rounded away from `asked`: rounding must not lead back over the limit. */
function beyond(asked: number, nearest: number): number {
  if (nearest < asked) return floorMilli(nearest);
  return nearest > asked ? Math.ceil(nearest * 1_000) / 1_000 : nearest;
}

function floorMilli(value: number): number {
  return Math.floor(value * 1_000) / 1_000;
}
