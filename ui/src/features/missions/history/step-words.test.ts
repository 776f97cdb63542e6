import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionStepAct } from "../../../generated/bindings/MissionStepAct";
import type { MissionStepCode } from "../../../generated/bindings/MissionStepCode";
import type { MissionStepRow } from "../../../generated/bindings/MissionStepRow";
import { speak } from "../../../locales/i18n";
import de from "../../../locales/station.de.json";
import { stepSentence } from "./step-words";

const STEP: MissionStepRow = {
  seq: 1,
  at_ms: 0,
  status: "failed",
  act: "failed",
  cause: { code: "goal", name: null, goal: 2 },
  reason: null,
  sentence: "Failed at goal 2.",
  hash: null,
};

/** An act or a cause without a German word does not compile. */
const ACTS: Readonly<Record<MissionStepAct, string>> = de.mission_step;
const CAUSES: Readonly<Record<MissionStepCode, string>> = de.mission_step_cause;

describe("U-2006 ME-14 a step in the life of a mission", () => {
  it("is the station's sentence in English", () => expect(stepSentence(STEP)).toBe("Failed at goal 2."));

  describe("in German", () => {
    beforeEach(() => speak("de"));
    afterEach(() => speak("en"));

    it.each<[Partial<MissionStepRow>, string]>([
      [{}, "Fehlgeschlagen bei Ziel 2."],
      [{ act: "activated", cause: { code: "by", name: "anna", goal: null } }, "Aktiviert von anna."],
      [{ act: "cancelled", cause: { code: "expired", name: null, goal: null } }, "Abgebrochen: Ihre Zeit war um."],
      [
        { act: "paused", cause: { code: "by", name: "anna", goal: null }, reason: "belt changed" },
        "Pausiert von anna: belt changed",
      ],
      [{ act: "failed", cause: null }, "Fehlgeschlagen."],
    ])("%j reads %s", (given, sentence) => expect(stepSentence({ ...STEP, ...given })).toBe(sentence));

    it("knows every act and cause", () => {
      const texts = [...Object.values(ACTS), ...Object.values(CAUSES)];
      expect(texts.every((text) => text.trim() !== "")).toBe(true);
    });
  });
});
