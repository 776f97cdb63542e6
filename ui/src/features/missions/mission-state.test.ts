import { describe, expect, it } from "vitest";
import { actsOf, groupOf, type Standing, wordOf } from "./mission-state";

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
      "waiting",
      ["draft"],
      "open",
      "waiting",
      ["pause_mission", "activate_mission", "complete_mission", "cancel_mission"],
    ],
    ["paused", "paused", [], "open", "paused", ["resume_mission", "complete_mission", "cancel_mission"]],
    ["cancelled", "cancelled", [], "ended", "cancelled", ["activate_mission"]],
  ] satisfies [...[Standing["status"], Standing["state"], Standing["flags"]], string, string, string[]][])(
    "%s, %s, %j",
    (status, state, flags, group, word, acts) => {
      const row = { status, state, flags };
      expect([groupOf(row), wordOf(state), actsOf(row)]).toEqual([group, word, acts]);
    },
  );
});
