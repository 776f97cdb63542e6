// The figures of a limit as a table shows them: bound and prediction leave exactly the margin.

import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { limitName } from "./verdict-words";

/** Of two ways to read a margin that are equally near, rounding decides nothing. */
const SAME = 1e-6;

export type LimitFigures = {
  /** The limit, with the face of a box or the joint that it is about. */
  name: string;
  /** The motion's farthest value, with body, error and stopping where a place is meant; null if there is none. */
  predicted: number | null;
  /** Share of the limit that is taken: 1 at the limit, more beyond it; null if there is no such share. */
  used: number | null;
};

/** True for a limit that says nothing about the motion: it holds, and nothing is predicted for it. */
export function isUnconcerned(item: VerdictItem): boolean {
  return item.verdict === "allow" && item.kind !== "precondition" && item.predicted === null && item.margin === null;
}

/** Name, prediction and share of a limit. */
export function limitFigures(item: VerdictItem): LimitFigures {
  const { kind, limit, margin, reason } = item;
  const about = reason.args.joint ?? "";
  const named = (suffix: string) => [limitName(kind), suffix].filter((part) => part !== "").join(" ");
  if (limit === null || item.predicted === null || margin === null) {
    return { name: named(about), predicted: item.predicted, used: null };
  }
  if (Math.abs(limit - item.predicted - margin) < SAME) {
    return { name: named(about), predicted: item.predicted, used: share(item.predicted, limit) };
  }
  const { axis } = reason.args;
  if (axis === undefined) {
    // A place to keep away from: the nearest that anything of the robot comes.
    const nearest = limit + margin;
    return { name: named(""), predicted: nearest, used: share(limit, nearest) };
  }
  const isUpper = isUpperFace(item, limit, margin);
  const reach = isUpper ? limit - margin : limit + margin;
  return { name: named(`${axis} ${isUpper ? "max" : "min"}`), predicted: reach, used: share(reach, limit) };
}

/** True if the point that `item` is about is nearest to the upper face of its box: only there the room fits the margin. */
function isUpperFace({ predicted, reason }: VerdictItem, limit: number, margin: number): boolean {
  const body = reason.args.inflation_m ?? 0;
  const toFace = limit - (predicted ?? limit);
  return Math.abs(toFace - body - margin) <= Math.abs(-toFace - body - margin);
}

/** The part of `limit` that `value` takes: nothing on the other side of 0. */
function share(value: number, limit: number): number | null {
  return limit === 0 ? null : Math.max(0, value / limit);
}
