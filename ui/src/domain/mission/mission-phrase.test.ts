import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionGoalPhrase } from "../../generated/bindings/MissionGoalPhrase";
import type { MissionMotionPhrase } from "../../generated/bindings/MissionMotionPhrase";
import type { MissionPart } from "../../generated/bindings/MissionPart";
import type { MissionPhrase } from "../../generated/bindings/MissionPhrase";
import type { MissionStart } from "../../generated/bindings/MissionStart";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { goalText, startText } from "./goal-phrase";
import type { LimitName } from "./limit-phrase";
import { changeText, requestTexts, statementText } from "./mission-phrase";
import type { Aside } from "./phrase-values";

/** A code without a German phrase does not compile. */
const CATALOGUE: readonly [
  Readonly<Record<MissionStart["code"], string>>,
  Readonly<Record<MissionGoalPhrase["code"], string>>,
  Readonly<Record<MissionMotionPhrase["code"], string>>,
  Readonly<Record<MissionPart["code"], string>>,
  Readonly<Record<MissionPhrase["code"], string>>,
  Readonly<Record<LimitName, string>>,
  Readonly<Record<Aside, string>>,
] = [
  de.mission_start,
  de.mission_goal,
  de.mission_motion,
  de.mission_part,
  de.mission_phrase,
  de.mission_limit,
  de.mission_aside,
];

const said = (part: MissionPart, phrase: MissionPhrase) => statementText({ part, phrase }, "In English.");
const moves = (motion: MissionMotionPhrase): MissionGoalPhrase => ({
  code: "moves",
  target: "rover-1/base",
  motion,
  force_n: null,
  frame: "map",
});

it("has a German phrase for every code", () =>
  expect(CATALOGUE.flatMap((part) => Object.values(part)).every((text) => text.length > 0)).toBe(true));

describe("U-2006 ME-13 what a mission says, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it.each<[MissionPart, MissionPhrase, string]>([
    [{ code: "robot" }, { code: "plain", text: "rover-1" }, "Roboter: rover-1."],
    [{ code: "title" }, { code: "quoted", text: "Patrol" }, "Titel: „Patrol“."],
    [{ code: "lock", path: "arm-1/body" }, { code: "each_command" }, "Belegung von arm-1/body: für jeden Befehl."],
    [
      { code: "response", class: "link" },
      { code: "steps", steps: ["stop_actuators", "halt_and_wait"] },
      "Reaktion auf die Fehlerklasse „Verbindung ausgefallen“: Aktoren stoppen, verriegeln, bis eine Person freigibt.",
    ],
    [
      { code: "limit", bound: "rover-1" },
      { code: "limit", limit: { ForbiddenZone: { center: [-2, 4, 0], radius: 1 } }, frame: "map" },
      "Grenze für rover-1: Sperrzone, 1 m um (−2, 4, 0) m, in map.",
    ],
    [
      { code: "limit", bound: "arm-1" },
      {
        code: "limit",
        limit: { JointLimits: { joint: "turn", position_rad: [-1, 1], velocity_radps: 2, effort_nm: 9 } },
        frame: null,
      },
      "Grenze für arm-1: Gelenk turn: −1 … 1 rad, höchstens 2 rad/s, 9 Nm.",
    ],
    [
      { code: "limit", bound: "arm-1" },
      { code: "limit", limit: { JointLimits: { joint: "turn", position_rad: [-1, 1] } }, frame: null },
      "Grenze für arm-1: Gelenk turn: −1 … 1 rad.",
    ],
    [
      { code: "limit", bound: "arm-1" },
      { code: "limit", limit: { JointLimits: { joint: "boom", velocity_mps: 2 } }, frame: null },
      "Grenze für arm-1: Gelenk boom: höchstens 2 m/s.",
    ],
    [{ code: "end" }, { code: "at_time", time: "2026-03-09T07:00:00" }, "Ende: 2026-03-09T07:00:00."],
    [
      { code: "job" },
      {
        code: "job",
        name: "summary",
        does: { code: "wish", text: "Sum up.", rule: null },
        due: { code: "every", secs: 3600 },
      },
      "Auftrag: summary: „Sum up.“, alle 1 h.",
    ],
    [
      { code: "failure" },
      { code: "retries", times: 3, secs: 30 },
      "Bei einem Fehlschlag: das Ziel wird bis zu 3-mal wiederholt, zuerst nach 30 s.",
    ],
    [{ code: "end" }, { code: "after_activation", secs: 28_800 }, "Ende: 8 h nach der Aktivierung."],
    [
      { code: "approval" },
      { code: "asks" },
      "Genehmigung: vor jedem Schritt, der etwas bewegt, wird eine Person gefragt.",
    ],
  ])("says %o as %o", (part, phrase, text) => expect(said(part, phrase)).toBe(text));

  it.each<[MissionGoalPhrase, string]>([
    [{ code: "wish", text: "Quiet", rule: "gate = 1" }, "„Quiet“, erledigt, sobald gilt: gate = 1"],
    [{ code: "wait_until", rule: "gate = 1", secs: 90 }, "warten, bis gilt: gate = 1, höchstens 90 s"],
    [
      moves({ code: "goes", to_m: [6, 6, 0], orientation: null, speed: 1 }),
      "rover-1/base fährt nach (6, 6, 0) m, höchstens 1 m/s, in map",
    ],
    [
      moves({ code: "goes", to_m: [6, 6, 0], orientation: [0, 0, 1, 0], speed: null }),
      "rover-1/base fährt nach (6, 6, 0) m, ausgerichtet nach (0, 0, 1, 0), in map",
    ],
    [
      moves({ code: "drives", velocity_mps: [0, 0, 0], turning_radps: [0, 0, 1] }),
      "rover-1/base bewegt sich mit (0, 0, 0) m/s, drehend mit (0, 0, 1) rad/s, in map",
    ],
    [
      moves({ code: "drives", velocity_mps: [1, 0, 0], turning_radps: [0, 0, 0] }),
      "rover-1/base bewegt sich mit (1, 0, 0) m/s, in map",
    ],
    [moves({ code: "switches_on" }), "rover-1/base schaltet ein, in map"],
    [{ code: "named", name: "north", does: { code: "wait", secs: 20 } }, "north: 20 s warten"],
    [{ code: "call", operation: "world_history", input: "{}" }, "Verlauf des Weltzustands {}"],
  ])("says the goal %o", (goal, text) => expect(goalText(goal, "In English.")).toBe(text));

  it.each<[MissionStart, string]>([
    [{ code: "cron", cron: "0 22 * * *", words: "at 22:00 every day" }, "täglich um 22:00"],
    [{ code: "cron", cron: "0 22 1 * *", words: "at 22:00 on day 1" }, "nach dem Cron-Text 0 22 1 * *"],
    [{ code: "late", start: { code: "at", time: "07:00" } }, "verspätet: einmal: 07:00"],
    [{ code: "failed", mission: "patrol" }, "patrol ist fehlgeschlagen"],
  ])("says the start %o", (start, text) => expect(startText(start, "In English.")).toBe(text));

  it("says a change from and to, and what stands in the place of an end that is gone", () => {
    const change = { key: "x", kind: "changed", sentence: "In English.", role_needed: "operator" } as const;
    const end: MissionPhrase = { code: "after_activation", secs: 3600 };
    const title = (text: string): MissionPhrase => ({ code: "quoted", text });
    expect(changeText({ ...change, said: { part: { code: "title" }, before: title("A"), after: title("B") } })).toBe(
      "Titel: „A“ → „B“.",
    );
    expect(changeText({ ...change, said: { part: { code: "end" }, before: end, after: null } })).toBe(
      "Ende: 1 h nach der Aktivierung → keines.",
    );
    expect(changeText({ ...change, said: { part: { code: "title" }, before: title("A"), after: null } })).toBe(
      "Titel: „A“.",
    );
    expect(changeText(change)).toBe("In English.");
  });

  it("says what a standing approval covers", () => {
    const request: MissionPhrase = {
      code: "motions",
      count: 5,
      target: "rover-1/base",
      hours: 2,
      speed_mps: 3,
      force_n: null,
      region_m: null,
      frame: null,
    };
    expect(requestTexts({ envelope: ["In English."], requests: [request] })).toEqual([
      "5 Bewegungen von rover-1/base in 2 h, höchstens 3 m/s, überall in seinen Grenzen",
    ]);
    expect(requestTexts({ envelope: ["In English."] })).toEqual(["In English."]);
  });
});

it("U-2006 in English the station's own sentences stand", () => {
  expect(said({ code: "robot" }, { code: "plain", text: "rover-1" })).toBe("In English.");
  expect(goalText({ code: "wait", secs: 20 }, "wait 20 s")).toBe("wait 20 s");
  expect(startText({ code: "cron", cron: "0 22 * * *", words: "" }, "at 22:00 every day")).toBe("at 22:00 every day");
});
