import { describe, expect, it } from "vitest";
import { actsOf, groupOf, standingOf } from "./mission-state";

describe("U-1002 where a mission stands", () => {
  it.each([
    ["draft", undefined, "draft", "draft", ["activate_mission"]],
    ["active", "live", "open", "live", ["pause_mission", "cancel_mission"]],
    ["active", "checking", "open", "checking", ["pause_mission", "cancel_mission"]],
    ["paused", undefined, "open", "paused", ["resume_mission", "cancel_mission"]],
    ["cancelled", undefined, "ended", "cancelled", ["activate_mission"]],
    ["something_new", undefined, "open", "something new", []],
  ])("%s, %s", (status, state, group, word, acts) => {
    const row = { status, ...(state === undefined ? {} : { state }) };
    expect([groupOf(row), standingOf(row), actsOf(row)]).toEqual([group, word, acts]);
  });
});
