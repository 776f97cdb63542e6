// The sentence of a card in the window's language, from the fields of what is proposed.

import type { Proposal } from "../../generated/bindings/Proposal";
import { actText } from "../audit/record-text";
import { formatNumber, formatNumbers, formatPosition } from "../../design/format/numbers";
import { hasStationWords, stationText } from "../../locales/station-words";

/** The fields that the sentence is made of. */
export type Proposed = Pick<Proposal, "agent" | "operation" | "input" | "sentence" | "verdict" | "mission" | "robot">;

/** Decimals that a proposed number is never rounded to fewer of. */
const DIGITS_MAX = 6;

/** The wish of an agent. In English, and where a field cannot be read, the station's own sentence. */
export function proposalSentence(proposal: Proposed): string {
  if (!hasStationWords()) return proposal.sentence;
  const said = proposal.operation === "send_command" ? motionSentence(proposal) : callSentence(proposal);
  return said ?? proposal.sentence;
}

function callSentence({ agent, operation, mission, robot }: Proposed): string | null {
  const act = actText(operation);
  const about = mission ?? robot;
  // An act without words of its own is not half translated.
  if (act === operation.replaceAll("_", " ")) return null;
  return about === null
    ? stationText("proposal", "call", { agent, act })
    : stationText("proposal", "call_about", { agent, act, about });
}

function motionSentence({ agent, input, verdict, mission, sentence }: Proposed): string | null {
  const { robot, actuator, frame, force_n, motion } = fieldsOf(input);
  const what = motionText(fieldsOf(motion), sentence);
  if (what === null) return null;
  const extra = [
    typeof force_n === "number" ? stationText("proposal", "force", { force: `${exact(force_n)} N` }) : null,
    mission === null ? null : stationText("proposal", "for_mission", { mission }),
  ];
  const tail = extra.flatMap((part) => (part === null ? [] : [`, ${part}`])).join("");
  const given = { agent, robot, actuator, what, frame: verdict?.frame ?? frame };
  const head = stationText("proposal", "switch" in fieldsOf(motion) ? "switching" : "motion", given);
  return head === null ? null : `${head}${tail}.`;
}

/** A motion in words; null for one that cannot be read. `english` is the station's sentence of it. */
function motionText(motion: Fields, english: string): string | null {
  const [kind = "", form] = Object.entries(motion)[0] ?? [];
  const fields = fieldsOf(form);
  const { position_m, points_m, linear_mps, angular_radps, names, positions_rad, opening_m, on } = fields;
  const at = besides("speed", fields["speed_mps"]);
  switch (kind) {
    case "pose_goal":
    case "escape": {
      if (!areNumbers(position_m)) return null;
      const to = stationText("proposal", kind, { position: formatPosition(position_m, digitsOf(position_m)) });
      return `${to}${orientedText(fields["orientation"])}${at}${besides("within", fields["duration_s"])}`;
    }
    case "path":
      return Array.isArray(points_m) ? `${stationText("proposal", kind, { points: points_m.length })}${at}` : null;
    case "velocity":
      return areNumbers(linear_mps)
        ? `${stationText("proposal", kind, { velocity: `${vector(linear_mps)} m/s` })}${turningText(angular_radps)}`
        : null;
    case "joints":
      return Array.isArray(names) && areNumbers(positions_rad)
        ? `${stationText("proposal", kind, {
            joints: names.map((name, place) => jointText(String(name), positions_rad[place], english)).join("; "),
          })}${besides("joint_speed", fields["speed_radps"])}`
        : null;
    case "gripper":
      return typeof opening_m === "number"
        ? `${stationText("proposal", kind, { opening: `${exact(opening_m)} m` })}${at}`
        : null;
    case "switch":
      return stationText("proposal", on === true ? "switch_on" : "switch_off");
    default:
      return null;
  }
}

/** A joint with its position. Whether it turns or slides, the manifest says, and of it only the station's sentence. */
function jointText(name: string, to: number | undefined, english: string): string {
  const said = (unit: string) => [",", " "].some((end) => english.includes(` ${name} ${to} ${unit}${end}`));
  return [name, exact(to), ["rad", "m"].find(said)].filter((part) => part !== undefined).join(" ");
}

/** A number that a motion says besides; nothing where it does not. */
function besides(code: "speed" | "joint_speed" | "within", value: unknown): string {
  return typeof value === "number" ? ` ${stationText("proposal", code, { number: exact(value) })}` : "";
}

/** The orientation at a place, a unit quaternion x, y, z, w. */
function orientedText(orientation: unknown): string {
  return areNumbers(orientation) ? ` ${stationText("proposal", "oriented", { orientation: vector(orientation) })}` : "";
}

/** The part of a velocity that turns; nothing for one that goes straight. */
function turningText(radps: unknown): string {
  if (!areNumbers(radps) || radps.every((part) => part === 0)) return "";
  return ` ${stationText("proposal", "turning", { turning: `${vector(radps)} rad/s` })}`;
}

function vector(values: readonly number[]): string {
  return `(${formatNumbers(values, digitsOf(values))})`;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function areNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}

/** Decimals that show all of these numbers as they are. */
function digitsOf(values: readonly number[]): number {
  return Math.max(...values.map((value) => Math.min(DIGITS_MAX, `${value}`.split(".")[1]?.length ?? 0)), 0);
}

function exact(value: number | undefined): string {
  return formatNumber(value, value === undefined ? 0 : digitsOf([value]));
}
