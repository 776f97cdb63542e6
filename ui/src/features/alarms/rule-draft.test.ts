import { describe, expect, it } from "vitest";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import { changeOf, draftOf, readRule, type RuleDraft } from "./rule-draft";

const ROW: AlertRow = {
  id: "al-1",
  mission_id: "patrol",
  predicate: "oven.smoke > 0.3",
  description: "Smoke",
  debounce_secs: 90,
  arousal_boost: 2.5,
  state: "clear",
  since: 0,
  last_fired_at: null,
  fires: 0,
  suppressed: 0,
  evaluations: 0,
  quota_left: 3,
  woke_too_often: false,
  paused: false,
  alarm: {
    cause: "There is smoke.",
    consequence: "damage",
    response: "Look at the oven.",
    time_to_respond_secs: 120,
    latching: true,
  },
  version: 4,
  dangling_keys: [],
  values_now: [],
};

const change = (patch: Partial<RuleDraft>) => readRule({ ...draftOf(ROW, null), ...patch });

describe("a rule as it is typed", () => {
  it("is the rule it was made of", () =>
    expect(readRule(draftOf(ROW, null)).rule).toEqual({
      mission_id: "patrol",
      predicate: "oven.smoke > 0.3",
      description: "Smoke",
      debounce_secs: 90,
      arousal_boost: 2.5,
      alarm: {
        cause: "There is smoke.",
        consequence: "damage",
        response: "Look at the oven.",
        time_to_respond_secs: 120,
        latching: true,
        off_delay_secs: 0,
      },
    }));

  it("leaves out what is not written", () => {
    const { rule } = change({ mission: "", description: " ", makesAlarm: false });
    expect(rule).toEqual({ predicate: "oven.smoke > 0.3", debounce_secs: 90, arousal_boost: 2.5 });
  });

  it("keeps an alarm without its sentences: the station names what is missing", () =>
    expect(change({ cause: "", response: "" }).rule?.alarm).toEqual({
      consequence: "damage",
      time_to_respond_secs: 120,
      latching: true,
      off_delay_secs: 0,
    }));

  it("U-1602 reads both decimal marks", () =>
    expect(change({ numbers: { ...draftOf(ROW, null).numbers, arousal_boost: "1,5" } }).rule?.arousal_boost).toBe(1.5));

  it("names every number that is none", () =>
    expect(
      change({ numbers: { debounce_secs: "", arousal_boost: "much", time_to_respond_secs: "1", off_delay_secs: "x" } })
        .problems,
    ).toEqual({
      debounce_secs: "empty",
      arousal_boost: "not_a_number",
      off_delay_secs: "not_a_number",
    }));

  it("of an event looks at its own numbers only", () =>
    expect(
      change({ makesAlarm: false, numbers: { ...draftOf(ROW, null).numbers, off_delay_secs: "x" } }).problems,
    ).toBeNull());

  it("R-09 is changed without its mission, and a description can be taken away", () => {
    const { rule } = change({ description: "" });
    expect(rule && changeOf(rule)).toMatchObject({ predicate: "oven.smoke > 0.3", description: "" });
    expect(rule && "mission_id" in changeOf(rule)).toBe(false);
  });

  it("begins with the key it is made for", () =>
    expect(draftOf(null, "person.location").predicate).toBe("person.location = "));
});
