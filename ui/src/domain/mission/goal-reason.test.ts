import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionGoalReason } from "../../generated/bindings/MissionGoalReason";
import type { MissionMotionEnd } from "../../generated/bindings/MissionMotionEnd";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { goalReason } from "./goal-reason";

/** A reason or an end without German words does not compile. */
const REASONS: Readonly<Record<MissionGoalReason["code"], string>> = de.mission_goal_reason;
const ENDS: Readonly<Record<MissionMotionEnd, string>> = de.mission_motion_end;

const said = (reason: MissionGoalReason) => goalReason({ detail: "In English.", reason });

describe("U-2006 why a goal is where it is, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("names what people and robots gave as the reason", () => {
    expect(said({ code: "rejected", reason: "too fast" })).toBe("abgelehnt: too fast");
    expect(said({ code: "motion", end: "failed", reason: "the path is blocked" })).toBe(
      "fehlgeschlagen: the path is blocked",
    );
    expect(said({ code: "motion", end: "superseded", reason: null })).toBe(ENDS.superseded);
    expect(said({ code: "too_long" })).toBe(REASONS.too_long);
  });

  it("says a refusal by its code", () => {
    expect(said({ code: "refused", refusal: "mission_ended", message: "It has ended." })).toBe(
      "Die Mission ist zu Ende. Zum Weitermachen neu aktivieren.",
    );
    expect(said({ code: "refused", refusal: null, message: "The pose is not known." })).toBe("The pose is not known.");
  });

  it("is the sentence of a record that is older than such reasons", () => {
    expect(goalReason({ detail: "rejected: no" })).toBe("rejected: no");
    expect(goalReason({ detail: null })).toBeNull();
  });
});

it("U-2006 in English the station's own sentence stands", () => {
  expect(said({ code: "too_long" })).toBe("In English.");
  expect(said({ code: "refused", refusal: "mission_ended", message: "It has ended." })).toBe("In English.");
});
