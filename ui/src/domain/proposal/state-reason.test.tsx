import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProposalReason } from "../../generated/bindings/ProposalReason";
import { speak } from "../../locales/i18n";
import { stateReasonSaid } from "./state-reason";

const said = (state_reason_kind: ProposalReason | null, state_reason: string | null = "In English.") =>
  stateReasonSaid({ state_reason, state_reason_kind });

const OFF = { why: "not_there", distance: 0.412, tolerance: 0.02, unit: "m" } as const;

describe("U-2006 the reason for the state of a proposal", () => {
  beforeEach(() => {
    localStorage.setItem("quarterdeck.language", "de");
    dispatchEvent(new Event("quarterdeck-language"));
    return speak("de");
  });
  afterEach(() => {
    localStorage.clear();
    dispatchEvent(new Event("quarterdeck-language"));
    return speak("en");
  });

  it.each<[ProposalReason, string]>([
    [{ code: "rejected", reason: "not_now", note: "" }, "Nicht jetzt"],
    [{ code: "rejected", reason: "not_now", note: "door is open" }, "Nicht jetzt: door is open"],
    [{ code: "not_decided" }, "Niemand hat rechtzeitig entschieden"],
    [{ code: "precondition", precondition: "start_pose" }, "Der Roboter hat sich bewegt"],
    [{ code: "more_care", rule: "irreversible" }, "Jetzt ist mehr Vorsicht nötig: nicht rückgängig zu machen"],
    [{ code: "stopped", stop_id: 7 }, "Stopp #7 hat ihn aufgehoben"],
    [
      { code: "robot_failed", robot: "arm-1", trigger: { code: "cause", cause: "beat_lost" } },
      "arm-1: Der Roboter antwortet nicht mehr.",
    ],
    [{ code: "mission_halted", mission: "look" }, "Die Mission look steht still"],
    [{ code: "command", end: "link_lost" }, "Die Verbindung zum Roboter ist abgebrochen"],
    [{ code: "command", end: "refused_at_send_not_armed" }, "Der Roboter ist nicht scharf"],
    [{ code: "command", end: "on_fire" }, "Der Befehl kam nicht zu seinem Ende (on_fire)"],
    [{ code: "off_goal", off_goal: OFF }, "0,412 m vom Ziel entfernt gemessen, zulässig sind 0,020 m"],
    [
      { code: "off_goal", off_goal: { ...OFF, why: "never_moved", distance: null } },
      "Am Ziel gemeldet, aber nie in Bewegung gesehen",
    ],
    [
      { code: "refused", error: "mission_ended", sentence: "In English.", details: {} },
      "Die Mission ist zu Ende. Zum Weitermachen neu aktivieren.",
    ],
  ])("is said in German: %o", (kind, text) => expect(said(kind)).toEqual({ text, more: null }));

  it("keeps the station's sentence where that says more", () => {
    expect(said({ code: "denied", sentence: "Denied: speed." })).toEqual({
      text: "Die Sicherheitsprüfung lässt diesen Befehl nicht zu",
      more: "Denied: speed.",
    });
    const busy = { code: "refused", error: "busy", sentence: "Three wait.", details: {} } as const;
    expect(said(busy)?.more).toBe("Three wait.");
  });

  it("is the station's sentence for a code that nobody knows, and where an older version has kept no code", () => {
    expect(said({ code: "moonrise" } as unknown as ProposalReason)).toEqual({ text: "In English.", more: null });
    expect(said(null)).toEqual({ text: "In English.", more: null });
    expect(said(null, null)).toBe(null);
  });

  it("is the station's sentence in English, but for the choices of the card", async () => {
    await speak("en");
    expect(said({ code: "not_decided" })?.text).toBe("In English.");
    expect(said({ code: "rejected", reason: "unsafe", note: "" }, "unsafe")?.text).toBe("Unsafe");
  });
});
