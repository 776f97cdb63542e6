import { afterEach, beforeEach, describe, expect, it } from "vitest";
import de from "./station.de.json";
import { errorSaid, errorSentence, speak } from "./i18n";
import { stationText } from "./station-words";

const TEXTS = Object.values(de).flatMap((part) => Object.entries(part as Record<string, string>));

describe("U-2006 what the station says, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is a whole sentence where the code says everything", () => {
    expect(errorSaid("mission_ended", "The mission look has ended.")).toEqual({
      text: "Die Mission ist zu Ende. Zum Weitermachen neu aktivieren.",
      more: null,
    });
  });

  it("names what the refusal's details name", () => {
    expect(errorSaid("claimed_elsewhere", "Another.", { owner: "station-7" }).text).toContain("Station station-7");
    expect(errorSaid("pin_wrong", "Wrong.", { left: 2 }).text).toBe("Die Admin-PIN ist falsch. Noch 2 Versuche.");
  });

  it("has a form for one where it counts", () => {
    expect(errorSaid("pin_wrong", "Wrong.", { left: 1 }).text).toBe("Die Admin-PIN ist falsch. Noch 1 Versuch.");
    const denied = (goal: number, more: number) => stationText("dry_outcome", "some_denied", { goal, more });
    expect(denied(2, 1)).toBe("Ziel 2 würde verweigert, und ein weiteres.");
    expect(denied(1, 2)).toBe("Ziel 1 würde verweigert, und 2 weitere.");
  });

  it("keeps the station's sentence as the detail where it says more, or where details are missing", () => {
    expect(errorSaid("not_armable", "rover-1 cannot be armed: its pose is not known.")).toEqual({
      text: "Der Roboter lässt sich nicht scharf schalten.",
      more: "rover-1 cannot be armed: its pose is not known.",
    });
    expect(errorSaid("claimed_elsewhere", "Another station has it.", {})).toEqual({
      text: "Eine andere Station steuert diesen Roboter.",
      more: "Another station has it.",
    });
  });

  it("is the station's own for a code that nobody knows", () =>
    expect(errorSaid("arm_broken", "The arm is broken.")).toEqual({ text: "The arm is broken.", more: null }));

  it("prefers what the window says of the code itself", () =>
    expect(errorSaid("still_active", "Active.").more).toBe(null));

  it("is spoken in that language alone", async () => {
    await speak("en");
    expect(errorSentence("mission_ended", "The mission look has ended.")).toBe("The mission look has ended.");
    expect(stationText("reason", "not_armed")).toBe(null);
  });

  it("holds no English, and no quotation marks of another language", () => {
    const english = /\b(the|and|of|with|is|are|not|to|from|your|when|it|this)\b/u;
    expect(TEXTS.filter(([, text]) => english.test(text.replaceAll(/\{\{.*?\}\}/gu, "")))).toEqual([]);
    expect(TEXTS.filter(([, text]) => /["'”‘’]/u.test(text))).toEqual([]);
  });

  it("says Not-Halt of the hardware alone", () =>
    expect(
      TEXTS.filter(([, text]) => /not-?halt|not-?aus/iu.test(text.replaceAll(/Hardware-Not-Halte?\b/gu, ""))),
    ).toEqual([]));
});
