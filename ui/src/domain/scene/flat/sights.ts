// Visible state of the robots of a scene, kept as it is until a difference can be seen.

import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { PoseValue } from "../../../generated/bindings/PoseValue";
import type { TrackPoint } from "../../../host/track";
import type { LiveStore } from "../../../host/live-store";
import { samePose } from "../../../host/shown";
import { ageMs, freshness } from "../../../design/format/freshness";
import { ageUnlessCurrent } from "../../../design/format/shown-age";
import { liveLook } from "../../robot/robot-look";
import type { RobotSight } from "./scene-model";
import { distance } from "./transform";

/** The length of the trail drawn behind a robot. */
const TRAIL_MS = 30_000;

/** Reads a store; the answer is the same object as long as it says the same. */
export class Sights {
  #last: readonly RobotSight[] = [];

  /** The present sight of each robot. */
  read(store: LiveStore, robots: readonly RobotRow[]): readonly RobotSight[] {
    const sights = robots.map((robot) => sight(store, robot));
    const same = sights.length === this.#last.length && sights.every((seen, place) => isSame(seen, this.#last[place]));
    if (!same) this.#last = sights;
    return this.#last;
  }
}

function isSame(now: RobotSight, before: RobotSight | undefined): boolean {
  if (!before || now.robot !== before.robot || now.freshness !== before.freshness || now.age !== before.age)
    return false;
  if (now.look !== before.look || now.speed_mps !== before.speed_mps) return false;
  if (Object.keys(now.joints).some((name) => !isNear(now.joints[name], before.joints[name]))) return false;
  // A trail loses its end with time, and only then it changes while the robot stands still.
  if (lengthOf(now.trail) !== lengthOf(before.trail)) return false;
  if (now.trail.at(-1)?.at(-1) !== before.trail.at(-1)?.at(-1)) return false;
  return now.pose === before.pose || (now.pose !== null && before.pose !== null && samePose(now.pose, before.pose));
}

function lengthOf(trail: RobotSight["trail"]): number {
  return trail.reduce((sum, stretch) => sum + stretch.length, 0);
}

/** A joint that trembles stands still. */
const JOINT_STEP = 0.002;

function isNear(now: number | undefined, before: number | undefined): boolean {
  return now !== undefined && before !== undefined && Math.abs(now - before) < JOINT_STEP;
}

/** A step longer than `way_m` was not seen if the robot was silent for so long, or would have been faster than any is. */
const GAP = { way_m: 0.25, silent_ms: 2_000, speed_mps: 10 };

/** Stretches of a trail that were seen. Across a lost link, or a pose that was set anew, no line says where it went. */
export function stretchesOf(points: readonly TrackPoint[]): PoseValue[][] {
  const stretches: PoseValue[][] = [];
  for (const [place, point] of points.entries()) {
    const before = points[place - 1];
    if (before && !isGap(before, point)) stretches.at(-1)?.push(point.pose);
    else stretches.push([point.pose]);
  }
  return stretches;
}

function isGap(before: TrackPoint, point: TrackPoint): boolean {
  if (before.pose.frame !== point.pose.frame) return true;
  const way_m = distance(before.pose.position_m, point.pose.position_m);
  const took_ms = point.observed_mono_ms - before.observed_mono_ms;
  return way_m > GAP.way_m && (took_ms > GAP.silent_ms || way_m / (took_ms / 1_000) > GAP.speed_mps);
}

function jointsOf(store: LiveStore, robot: RobotRow): Record<string, number> {
  const names = robot.actuators.flatMap(({ joints = [] }) => joints.map(({ name }) => name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = store.signal(`robot/${robot.id}/joint/${name}`)?.value;
      return typeof value === "number" ? [[name, value]] : [];
    }),
  );
}

function sight(store: LiveStore, robot: RobotRow): RobotSight {
  const id = `robot/${robot.id}/pose`;
  const signal = store.signal(id);
  const { now_ms, lost } = store.time;
  const source_lost = signal?.source_lost === true || store.links.get(robot.id)?.link === "lost";
  const state = freshness(signal && { ...signal, source_lost }, now_ms, lost);
  // The figure is read, not steered by: twice a second is as fast as anybody reads.
  const speed = store.shown(`robot/${robot.id}/speed`)?.value;
  const look = liveLook(store, robot);
  return {
    robot,
    pose: signal && typeof signal.value === "object" ? signal.value : null,
    freshness: state,
    age: signal && now_ms !== null ? ageUnlessCurrent(state, ageMs(signal.observed_mono_ms, now_ms)) : "",
    trail: now_ms === null ? [] : stretchesOf(store.track(id)?.since(now_ms - TRAIL_MS) ?? []),
    look,
    // A robot that stands has no figure beside it, so that its noise draws nothing.
    speed_mps: look === "moving" && typeof speed === "number" ? speed : null,
    joints: jointsOf(store, robot),
  };
}
