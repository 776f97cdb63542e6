import { describe, expect, it } from "vitest";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import { actsOf, groupOf, wordOf } from "./mission-state";

const ANSWERS: Partial<Record<MissionRow["state"], string[]>> = {
  checking: ["start", "check_again"],
  blocked: ["repeat_step", "step_failed", "unheard_of"],
};

describe("U-1002 where a mission stands", () => {
  it.each([
    ["draft", "draft", [], "draft", "draft", ["activate_mission"]],
    ["active", "active", [], "open", "active", ["pause_mission", "complete_mission", "cancel_mission"]],
    [
      "active",
      "checking",
      ["asks"],
      "open",
      "checking",
      ["start", "check_again", "pause_mission", "complete_mission", "cancel_mission"],
    ],
    [
      "active",
      "blocked",
      [],
      "open",
      "blocked",
      ["repeat_step", "step_failed", "pause_mission", "complete_mission", "cancel_mission"],
    ],
    [
      "active",
      "waiting",
      ["draft"],
      "open",
      "waiting",
      ["pause_mission", "activate_mission", "complete_mission", "cancel_mission"],
    ],
    ["paused", "paused", [], "open", "paused", ["resume_mission", "complete_mission", "cancel_mission"]],
    ["cancelled", "cancelled", [], "ended", "cancelled", ["activate_mission"]],
  ] satisfies [...[MissionRow["status"], MissionRow["state"], MissionRow["flags"]], string, string, string[]][])(
    "%s, %s, %j",
    (status, state, flags, group, word, acts) => {
      const row = { status, state, flags, answers: ANSWERS[state] ?? [] };
      expect([groupOf(row), wordOf(state), actsOf(row)]).toEqual([group, word, acts]);
    },
  );
});
