import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionDryOutcome } from "../../generated/bindings/MissionDryOutcome";
import type { RobotHindrance } from "../../generated/bindings/RobotHindrance";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { hindranceText, outcomeText } from "./dry-record";

/** An outcome or a hindrance without German words does not compile. */
const OUTCOMES: Readonly<Record<MissionDryOutcome["code"], string>> = de.dry_outcome;
const HINDRANCES: Readonly<Record<RobotHindrance["code"], string>> = de.robot_hindrance;

const sentence = "In English.";
const hindered = (why: RobotHindrance) => hindranceText({ robot: "arm-1", sentence, why });

describe("U-2006 MO-20 how a dry run ended, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is said with its numbers", () => {
    expect(outcomeText({ sentence, outcome: { code: "some_denied", goal: 2, more: 3 } })).toBe(
      "Ziel 2 würde verweigert, und 3 weitere.",
    );
    expect(outcomeText({ sentence, outcome: { code: "allowed" } })).toBe(OUTCOMES.allowed);
  });

  it("is the sentence of a record that is older than such data", () =>
    expect(outcomeText({ sentence })).toBe("In English."));

  it("names what keeps a robot from moving", () => {
    expect(hindered({ code: "blocked", blocker: "state", cause: null })).toBe("arm-1: Nicht scharf.");
    expect(hindered({ code: "station_ends" })).toBe(`${HINDRANCES.station_ends}.`);
    expect(hindered({ code: "gone" })).toBe("arm-1 ist nicht da.");
  });
});

it("U-2006 in English the station's own sentences stand", () => {
  expect(outcomeText({ sentence, outcome: { code: "allowed" } })).toBe("In English.");
  expect(hindered({ code: "gone" })).toBe("In English.");
});
