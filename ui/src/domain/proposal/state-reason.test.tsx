import { describe, expect, it } from "vitest";
import type { Precondition } from "../../generated/bindings/Precondition";
import type { ProposalReason } from "../../generated/bindings/ProposalReason";
import type { Unconfirmed } from "../../generated/bindings/Unconfirmed";
import { everyWord } from "../../host/variants";
import { speak } from "../../locales/i18n";
import { stateReasonSaid } from "./state-reason";
import { inGerman } from "../../testing/german";

const said = (state_reason_kind: ProposalReason | null, state_reason: string | null = "In English.") =>
  stateReasonSaid({ state_reason, state_reason_kind });

const OFF = { why: "not_there", distance: 0.412, tolerance: 0.02, unit: "m" } as const;

/** All that a reason of any code may name. */
const NAMED = {
  reason: "other",
  note: "",
  precondition: "same_action",
  rule: "irreversible",
  stop_id: 1,
  robot: "arm-1",
  trigger: { code: "drill" },
  holder: "dana",
  mission: "look",
  by: "dana",
  sentence: "Denied.",
  error: "mission_ended",
  details: {},
  end: "held",
  off_goal: OFF,
};

describe("U-2006 the reason for the state of a proposal", () => {
  inGerman();

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

  it("has words for every condition, and for every way in which a goal is not confirmed", () => {
    const conditions = everyWord<Precondition>({
      same_action: true,
      start_pose: true,
      facts_fresh: true,
      same_set: true,
      same_epoch: true,
      no_stop_since: true,
      link_fresh: true,
      verdict_allow: true,
    });
    const ways = everyWord<Unconfirmed>({
      not_there: true,
      not_measured: true,
      never_moved: true,
      way_not_seen: true,
      too_soon: true,
    });
    const reasons: ProposalReason[] = [
      ...conditions.map((precondition) => ({ code: "precondition" as const, precondition })),
      ...ways.map((why) => ({ code: "off_goal" as const, off_goal: { ...OFF, why } })),
      ...ways.map((why) => ({ code: "off_goal" as const, off_goal: { ...OFF, why, distance: null } })),
    ];
    expect(reasons.filter((reason) => said(reason)?.text === "In English.")).toEqual([]);
  });

  it("has words for every code", () => {
    const texts = everyWord<ProposalReason["code"]>({
      rejected: true,
      unattended: true,
      not_decided: true,
      ended_undecided: true,
      ended_unsent: true,
      ended_unreported: true,
      precondition: true,
      more_care: true,
      stopped: true,
      robot_failed: true,
      control_taken: true,
      robot_removed: true,
      mission_halted: true,
      job_cancelled: true,
      replaced: true,
      denied: true,
      refused: true,
      command: true,
      off_goal: true,
    }).map((code) => said({ ...NAMED, code } as unknown as ProposalReason)?.text ?? "");
    expect(texts.filter((text) => text === "In English." || text === "")).toEqual([]);
  });

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
