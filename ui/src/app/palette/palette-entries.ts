// Entries of the palette for the words typed into it.

import { proposalSentence } from "../../domain/proposal/proposal-sentence";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import type { MemoryHit } from "../../generated/bindings/MemoryHit";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { SimulatorState } from "../../generated/bindings/SimulatorState";
import type { ShortcutId } from "../../design/shortcuts/shortcuts";
import { formatNumber } from "../../design/format/numbers";
import { readable } from "../../design/format/readable";
import { formatMoment } from "../../design/format/time";
import { alarmTitle } from "../../domain/alarm/alarm-title";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import { codeText, t } from "../../locales/i18n";
import { type Place, places } from "./places";

/** The effect of choosing an entry: it opens a place, or does one of the few things that are undone as easily (U-1903). */
export type Does =
  | { open: string }
  | { take_control: string }
  | { hold: string }
  | { start_simulator: true }
  | { stop_sheet: true };

/** The picture in front of an entry. */
export type Symbol = RobotRow | AlarmRow | "act" | "approval" | "mission" | "place" | "belief" | "memory" | "stop";

/** Groups, in the order they are shown in. */
export const GROUPS = ["robots", "waiting", "act", "go", "known"] as const;

/** A line of the palette. `words` are further ones that it is found by. */
export type Entry = {
  id: string;
  group: (typeof GROUPS)[number];
  symbol: Symbol;
  text: string;
  about: string;
  words: string;
  keys: ShortcutId | "";
  does: Does;
};

/** The stock of the palette: everything known here, and the answers of the station for these very words. */
export type Known = {
  robots: readonly RobotRow[];
  missions: readonly MissionRow[];
  alarms: readonly AlarmRow[];
  proposals: readonly Proposal[];
  beliefs: readonly BeliefRow[];
  hits: readonly MemoryHit[];
  simulator: SimulatorState;
  stopped: boolean;
};

/** One line of a record. */
const CONTENT_CHARS = 120;
/** Of one group: what is further down is found by one more word. */
const GROUP_MAX = 8;

/** Entries in which every typed word stands, then the answers of the station; all robots and screens without words. */
export function paletteEntries(typed: string, known: Known, answered: boolean): Entry[] {
  const wanted = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  const here = [...waiting(known), ...robots(known), ...acts(known), ...missions(known), ...places().map(placeEntry)];
  const found = here.filter((entry) => isFound(entry, wanted));
  if (wanted.length === 0) return found.filter(({ group, id }) => group !== "act" && !id.startsWith("mission "));
  return GROUPS.flatMap((group) => named(found, group, wanted).slice(0, GROUP_MAX)).concat(
    answered ? answers(typed, known) : [],
  );
}

/** Those of a group, first what is called so itself. */
function named(found: readonly Entry[], group: Entry["group"], wanted: readonly string[]): Entry[] {
  const rows = found.filter((entry) => entry.group === group);
  const called = rows.filter(({ text }) => begins(text, wanted));
  return [...called, ...rows.filter((row) => !called.includes(row))];
}

function isFound({ text, about, words }: Entry, wanted: readonly string[]): boolean {
  return begins(`${text} ${about} ${words}`, wanted);
}

/** True if each typed word begins a word of the text: "arm" finds arm-1, and nothing that is disarmed. */
function begins(text: string, wanted: readonly string[]): boolean {
  const all = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")}`;
  return wanted.every((word) => all.includes(` ${word.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trimStart()}`));
}

function entry(part: Pick<Entry, "id" | "group" | "symbol" | "text" | "does"> & Partial<Entry>): Entry {
  return { about: "", words: "", keys: "", ...part };
}

function waiting({ alarms, proposals, stopped }: Known): Entry[] {
  const stops = stopped
    ? [
        entry({
          id: "stop",
          group: "waiting",
          symbol: "stop",
          text: t("palette.stop"),
          about: t("palette.stop_about"),
          words: t("palette_words.stop"),
          keys: "go_stop_sheet",
          does: { stop_sheet: true },
        }),
      ]
    : [];
  const open = inQueueOrder(proposals.filter(({ state }) => isOpen(state)));
  return [
    ...stops,
    ...alarms.map((alarm) =>
      entry({
        id: `alarm ${alarm.id}`,
        group: "waiting",
        symbol: alarm,
        text: alarmTitle(alarm),
        about: t("palette.alarm"),
        words: `${t("palette_words.alarm")} ${alarm.robot ?? ""} ${alarm.source} ${alarm.response}`,
        does: { open: `/alarms/${alarm.id}` },
      }),
    ),
    ...open.map((proposal) =>
      entry({
        id: `approval ${proposal.id}`,
        group: "waiting",
        symbol: "approval",
        text: t("palette.approval", { sentence: proposalSentence(proposal) }),
        about: t(`tier.${proposal.tier}`),
        words: `${t("palette_words.approval")} ${proposal.robot ?? ""}`,
        does: { open: `/approvals/${proposal.id}` },
      }),
    ),
  ];
}

function robots({ robots: rows }: Known): Entry[] {
  return rows.map((robot) =>
    entry({
      id: `robot ${robot.id}`,
      group: "robots",
      symbol: robot,
      text: robot.id,
      about: robot.errors.length > 0 ? t("robot.invalid") : t(`robot_state.${robot.state}`),
      words: t("palette_words.robot"),
      does: { open: `/world/${robot.id}` },
    }),
  );
}

function acts({ robots: rows, simulator }: Known): Entry[] {
  // Beside real robots simulated ones are nothing to bring in by the way.
  const startable = simulator === "stopped" && rows.every(({ simulated }) => simulated);
  const start = entry({
    id: "start simulator",
    group: "act",
    symbol: "act",
    text: t("overview.start_simulator"),
    about: t("palette.simulator_about"),
    does: { start_simulator: true },
  });
  return [
    ...rows.flatMap(({ id: robot, actuators }) => [
      ...(actuators.some(({ motions }) => motions.includes("pose_goal")) ? [goal(robot)] : []),
      entry({
        id: `take ${robot}`,
        group: "act",
        symbol: "act",
        text: t("palette.take", { robot }),
        keys: "take_control",
        does: { take_control: robot },
      }),
      entry({
        id: `hold ${robot}`,
        group: "act",
        symbol: "act",
        text: t("palette.hold", { robot }),
        about: t("palette.hold_about"),
        words: t("palette_words.hold"),
        does: { hold: robot },
      }),
      entry({
        id: `limits ${robot}`,
        group: "go",
        symbol: "place",
        text: t("palette.limits", { robot }),
        about: t("nav.safety"),
        words: t("palette_words.robot_safety"),
        does: { open: `/safety/${robot}` },
      }),
    ]),
    ...(startable ? [start] : []),
  ];
}

function goal(robot: string): Entry {
  return entry({
    id: `goal ${robot}`,
    group: "act",
    symbol: "act",
    text: t("goal.title", { robot }),
    about: t("palette.goal_about"),
    words: t("palette_words.goal"),
    does: { open: `/safety/${robot}/goal` },
  });
}

function missions({ missions: rows }: Known): Entry[] {
  return rows.map(({ id, title, state }) =>
    entry({
      id: `mission ${id}`,
      group: "go",
      symbol: "mission",
      text: title,
      about: t("palette.mission", { state: codeText("mission_state", state) }),
      words: `${id} ${t("palette_words.mission")}`,
      does: { open: `/missions/${id}` },
    }),
  );
}

function placeEntry({ to, text, about, words, keys }: Place): Entry {
  return entry({ id: to, group: "go", symbol: "place", text, about, words, keys, does: { open: to } });
}

/** The station's finds; it has looked for the words in its own way. */
function answers(typed: string, { beliefs, hits }: Known): Entry[] {
  const search = { open: searchPath(typed) };
  return [
    ...beliefs.map((belief) =>
      entry({
        id: `belief ${belief.id}`,
        group: "known",
        symbol: "belief",
        text: `${belief.subject} ${belief.predicate} = ${readable(belief.value)}`,
        about: t("palette.belief", { confidence: formatNumber(belief.confidence, 2) }),
        does: { open: `/beliefs/${belief.id}` },
      }),
    ),
    ...hits.map((hit) =>
      entry({
        id: `record ${hit.id}`,
        group: "known",
        symbol: "memory",
        text: readable(hit.content).slice(0, CONTENT_CHARS),
        about: formatMoment(Date.parse(hit.at)),
        does: search,
      }),
    ),
    entry({
      id: "search",
      group: "known",
      symbol: "memory",
      text: t("palette.search", { words: typed.trim() }),
      about: t("nav.memory"),
      does: search,
    }),
  ];
}

/** Address of the memory search for these words. */
export function searchPath(words: string): string {
  return `/memory/search/${encodeURIComponent(words.trim())}`;
}
