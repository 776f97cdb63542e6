// The tags under which rows are kept, and those that a frame of the station outdates.

import type { Fact } from "../generated/bindings/Fact";
import type { Frame } from "../generated/bindings/Frame";
import type { Tag } from "../generated/bindings/Tag";

/** A part of the station's state, one mission, or each mission by itself. */
export type RowTag = Tag | `mission:${string}` | "each_mission";

/** The tags of rows that are asked for with `input`: rows about one mission are its own (MO-17). */
export function rowTags(tag: Tag, input: object): RowTag | readonly RowTag[] {
  if (tag !== "missions" || !("mission_id" in input) || typeof input.mission_id !== "string") return tag;
  // Limits of a robot say what a text may do, and whether its dry run still holds; locks may be those of another agent.
  return [`mission:${input.mission_id}`, "each_mission", "constraints", "locks"];
}

/** The tags that a frame outdates in a window of `agent`. */
export function outdatedBy({ tags, missions = [], facts }: Frame, agent: string | null): readonly RowTag[] {
  return [
    ...tags.flatMap((tag): RowTag[] => (tag === "missions" ? ["missions", "each_mission"] : [tag])),
    ...missions.flatMap((id): RowTag[] => ["missions", `mission:${id}`]),
    ...facts.flatMap((fact) => tagsOf(fact, agent)),
  ];
}

/** Events by whose time something new stands in the transcript. */
const TRANSCRIPT_GROWS = ["turn_started", "call_started", "call_ended", "turn_ended"] as const;

/** Tags that a fact outdates besides those of its frame. */
function tagsOf(fact: Fact, agent: string | null): Tag[] {
  switch (fact.kind) {
    case "mode":
      return ["robots"];
    case "proposal":
    case "command_step":
      return ["proposals"];
    case "constraint_set":
      return ["constraints"];
    case "turn":
      if (fact.agent !== agent) return [];
      return TRANSCRIPT_GROWS.some((name) => name in fact.event) ? ["transcript"] : [];
    case "control":
      return ["robots", "proposals"];
    case "lock":
      return ["locks"];
    case "stop":
      return fact.stop.open ? ["proposals"] : ["robots"];
    case "robot_removed":
      return ["robots", "proposals"];
    case "link":
    case "robot_safety":
    case "verdict":
    case "fallback":
    case "drill":
    case "screen":
    case "event":
    case "resync":
      return [];
  }
}
