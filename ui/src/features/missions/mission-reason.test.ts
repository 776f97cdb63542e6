import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionReasonCode } from "../../generated/bindings/MissionReasonCode";
import { formatWhen } from "../../design/format/time";
import { speak } from "../../locales/i18n";
import { reasonSaid } from "./mission-reason";

const said = (code: MissionReasonCode, missions: string[] = []) =>
  reasonSaid({ code, sentence: "In English.", since_ms: 0 }, missions);

describe("U-2006 why a mission waits, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is a whole sentence where the code and the mission say everything", () => {
    expect(said("stop")).toEqual({ text: "Von einem Stopp pausiert; freigeben, dann fortsetzen.", more: null });
    expect(said("dependency", ["weld"])).toEqual({ text: "Wartet auf den Abschluss von weld.", more: null });
  });

  it("keeps the station's sentence where that names more", () => {
    expect(said("robot").more).toBe("In English.");
    expect(said("dependency", ["weld", "paint"])).toEqual({
      text: "Wartet auf den Abschluss einer anderen Mission.",
      more: "In English.",
    });
  });
});

it("says a moment of the station on this desk's clock", () => {
  const at = new Date(2026, 2, 9, 7, 30);
  const sentence = `Waiting until ${at.toISOString()}.`;
  expect(reasonSaid({ code: "trigger", sentence, since_ms: 0 }, []).text).toBe(
    `Waiting until ${formatWhen(at.getTime())}.`,
  );
});

it("U-2006 in English the station's own sentence stands", () =>
  expect(said("stop")).toEqual({ text: "In English.", more: null }));
