// A denied goal brought within the limits, as a sentence that is ready to be sent. The station checks every step of it.

import type { CommandChecked } from "../../generated/bindings/CommandChecked";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { RawPoseGoal } from "../../generated/bindings/RawPoseGoal";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { t } from "../../locales/i18n";

/** One step leaves a face or a zone, one makes room to stop, and as many for a second limit behind the first. */
const STEPS_MAX = 4;
/** Goals are said to the millimetre. */
const STEP_M = 0.001;

type Denied = Pick<CommandChecked, "verdict" | "explanation">;
/** A goal under way to being allowed; `away` is where out of the limit is. */
type Draft = { goal: RawPoseGoal; away: readonly number[] | null };

/**
 * The same goal, slowed where that is enough, else moved to the nearest allowed point and on until there is room to stop,
 * in words that also the command interpreter reads. Where nothing nearer is known, a request to plan again.
 */
export async function replan(
  command: RawCommand | null,
  denied: Denied,
  check: (command: RawCommand) => Promise<CommandChecked>,
): Promise<string> {
  const again = t("denial.plan_again", { robot: denied.verdict.robot });
  if (!command || !("pose_goal" in command.motion)) return again;
  let draft = stepOf({ goal: command.motion.pose_goal, away: null }, denied);
  if (!draft) return again;
  for (let steps = 1; steps < STEPS_MAX; steps += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- each step follows from the verdict on the one before
    const checked = await check({ ...withoutId(command), motion: { pose_goal: draft.goal } });
    if (checked.verdict.overall === "allow") break;
    const next = stepOf(draft, checked);
    if (!next) break;
    draft = next;
  }
  return sentenceOf(denied.verdict.robot, denied.verdict.frame, draft.goal);
}

/** One step towards what is allowed, or null if the verdict shows none. */
export function stepOf({ goal, away }: Draft, { verdict, explanation }: Denied): Draft | null {
  const violated = explanation.map(({ item }) => item).filter((item) => item.verdict !== "allow");
  const slowed = slower(goal, violated);
  if (verdict.speed_allowed_mps !== null) {
    // Slower is the smaller change: the goal stays where it was asked for.
    if (!away) return { goal: withSpeed(goal, verdict.speed_allowed_mps), away };
    const short_m = Math.max(...violated.map(({ unit, margin }) => (unit === "m" && margin !== null ? -margin : 0)));
    return { goal: { ...slowed, position_m: pushed(goal.position_m, away, short_m) }, away };
  }
  const nearest_m = violated.find(({ nearest_allowed_m }) => nearest_allowed_m !== null)?.nearest_allowed_m;
  if (!nearest_m) return slowed === goal ? null : { goal: slowed, away };
  const way = goal.position_m.map((metres, axis) => (nearest_m[axis] ?? metres) - metres);
  return {
    goal: { ...slowed, position_m: pushed(goal.position_m, unitOf(way), Math.hypot(...way)) },
    away: unitOf(way),
  };
}

/** No faster than any speed limit that is violated. */
function slower(goal: RawPoseGoal, violated: readonly VerdictItem[]): RawPoseGoal {
  const limits = violated.flatMap(({ kind, limit }) => (kind === "max_velocity" && limit !== null ? [limit] : []));
  return limits.length === 0 ? goal : withSpeed(goal, Math.min(...limits));
}

function withSpeed(goal: RawPoseGoal, allowed_mps: number): RawPoseGoal {
  return { ...goal, speed_mps: Math.min(goal.speed_mps ?? allowed_mps, Math.floor(allowed_mps / STEP_M) * STEP_M) };
}

/** Moved at least that far; rounding must not lead back over the limit. */
function pushed(from_m: readonly number[], away: readonly number[], by_m: number): number[] {
  return from_m.map((metres, axis) => {
    const along = away[axis] ?? 0;
    if (along === 0) return metres;
    const steps = (metres + along * by_m) / STEP_M;
    return (along > 0 ? Math.ceil(steps) : Math.floor(steps)) * STEP_M;
  });
}

function unitOf(way: readonly number[]): number[] {
  const length_m = Math.hypot(...way);
  return length_m > 0 ? way.map((metres) => metres / length_m) : way.map(() => 0);
}

/** A dry run is a command of its own: the station answers a known id with what it said before. */
function withoutId(command: RawCommand): RawCommand {
  const dry = { ...command };
  delete dry.id;
  return dry;
}

function sentenceOf(robot: string, frame: string, { position_m, speed_mps }: RawPoseGoal): string {
  const speed = speed_mps === undefined ? "" : ` at ${milli(speed_mps)} m/s`;
  return `move ${robot} to ${position_m.map(milli).join(" ")} in ${frame}${speed}`;
}

/** To the millimetre, in the digits any parser reads. */
function milli(value: number): string {
  return String(Number(value.toFixed(3)));
}
