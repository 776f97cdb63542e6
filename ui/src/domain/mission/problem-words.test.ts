import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import type { MissionProblemCode } from "../../generated/bindings/MissionProblemCode";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { problemLine, problemWords } from "./problem-words";

const PROBLEM: MissionProblem = {
  code: "unknown_robot",
  severity: "error",
  line: 3,
  column: 3,
  end_line: 3,
  end_column: 10,
  key: "robots[0]",
  message: "There is no robot `rover-8`.",
  help: "Robots are rover-1 and rover-2.",
  related: [],
};

/** A kind without a German sentence does not compile. */
const GERMAN: Readonly<Record<MissionProblemCode, string>> = de.mission_problem;
const REMEDIES: Readonly<Record<MissionProblemCode, string>> = de.mission_problem_help;

describe("U-2006 a problem of a mission file", () => {
  it("is the station's own words in English", () => {
    expect(problemWords(PROBLEM)).toEqual({
      short: PROBLEM.message,
      remedy: null,
      detail: PROBLEM.help,
      detailLanguage: undefined,
    });
    expect(problemLine(PROBLEM)).toBe("There is no robot `rover-8`. Robots are rover-1 and rover-2.");
  });

  describe("in German", () => {
    beforeEach(() => speak("de"));
    afterEach(() => speak("en"));

    it("is a sentence of its kind, with the station's words as the detail", () =>
      expect(problemWords(PROBLEM)).toEqual({
        short: "Diesen Roboter gibt es nicht, oder er gehört nicht zur Mission.",
        remedy: "Den Roboter in robots aufnehmen oder einen nennen, den es gibt.",
        detail: "There is no robot `rover-8`. Robots are rover-1 and rover-2.",
        detailLanguage: "en",
      }));

    it("has a sentence and a remedy for every kind", () =>
      expect([...Object.values(GERMAN), ...Object.values(REMEDIES)].every((text) => text.endsWith("."))).toBe(true));

    it("stands with its remedy on one line", () =>
      expect(problemLine(PROBLEM)).toContain("nicht zur Mission. Den Roboter in robots aufnehmen"));
  });
});
