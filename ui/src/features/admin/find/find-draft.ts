// The fields of a draft: from a find, through a person, to the station.

import type { FieldSource } from "../../../generated/bindings/FieldSource";
import type { Find } from "../../../generated/bindings/Find";
import type { FindField } from "../../../generated/bindings/FindField";
import type { Input } from "../../../host/operations";

type DraftField = Input<"draft_robot">["fields"][number];

/** The parts of the form, in their order. */
export const GROUPS = ["identity", "measured", "motion", "limits", "place", "stop"] as const;
export type FieldGroup = (typeof GROUPS)[number];

/** The part that each field stands in; within a part they stand in this order. */
const GROUP_OF: Record<FindField, FieldGroup> = {
  robot: "identity",
  site: "identity",
  domain: "identity",
  namespace: "identity",
  pose: "measured",
  frame: "measured",
  velocity: "measured",
  localisation_error: "measured",
  joints: "measured",
  forward: "measured",
  cameras: "measured",
  map: "measured",
  command_topic: "motion",
  mux: "motion",
  lock: "motion",
  navigate: "motion",
  trajectory: "motion",
  joint_limits: "limits",
  speed: "limits",
  rotation: "limits",
  acceleration: "limits",
  goal_jump: "limits",
  radius: "place",
  margin: "place",
  workspace: "place",
  envelope: "place",
  hardware_stop: "stop",
  stop_behaviour: "stop",
  carries_load: "stop",
  reaction: "stop",
  braking: "stop",
  standstill: "stop",
  standstill_rotation: "stop",
  stop_services: "stop",
  cancel_actions: "stop",
};

/** Fields that every robot can do without. */
const OPTIONAL: ReadonlySet<FindField> = new Set([
  "mux",
  "lock",
  "navigate",
  "trajectory",
  "forward",
  "cameras",
  "map",
  "stop_services",
  "cancel_actions",
]);

/** True for a field that this robot can do without: an arm takes no velocities and measures its joints. */
export function isOptional(field: FindField, fields: readonly FieldState[]): boolean {
  const has = (other: FindField) => fields.some((state) => state.field === other && state.value.trim() !== "");
  if (field === "joints" || field === "joint_limits") return !has("trajectory");
  if (field === "velocity") return has("trajectory");
  if (field === "command_topic") return has("trajectory") || has("navigate");
  return OPTIONAL.has(field);
}

/** A field as a person sees it; `is_guess` until it is confirmed, `was_guess` for as long as the value is the proposed one. */
export type FieldState = {
  field: FindField;
  group: FieldGroup;
  value: string;
  choices: readonly string[];
  /** The choices are offered, and the scan proposes none of them. */
  is_offered: boolean;
  source: FieldSource | null;
  at: string;
  is_guess: boolean;
  was_guess: boolean;
  /** A person has written the value. */
  is_written: boolean;
};

/** The form of one find as a person left it. */
export type Setup = { fields: readonly FieldState[]; folder: string };

/** Places that a scan looks at, as a person types them. */
export type ScanPlaces = { domains: string; routers: string };

/** Every field, with what the find proposes. */
export function fieldsOf(find: Find): FieldState[] {
  const names = Object.keys(GROUP_OF) as FindField[];
  return names.map((field) => {
    const proposal = find.fields.find((proposed) => proposed.field === field);
    const is_guess = proposal !== undefined && proposal.is_guess && proposal.value !== null;
    return {
      field,
      group: GROUP_OF[field],
      value: proposal?.value ?? "",
      choices: proposal?.choices ?? [],
      is_offered: proposal !== undefined && proposal.value === null,
      source: proposal?.source ?? null,
      at: proposal?.at ?? "",
      is_guess,
      was_guess: is_guess,
      is_written: false,
    };
  });
}

/**
 * The form of a find, with what was filled in before: what a person wrote stays theirs, and a guess stays confirmed while
 * a newer scan makes the same one.
 */
export function setupOf(find: Find, before: Setup | undefined): Setup {
  const fields = fieldsOf(find).map((fresh) => {
    const old = before?.fields.find(({ field }) => field === fresh.field);
    if (old === undefined) return fresh;
    if (old.is_written) return { ...fresh, ...written(old.value) };
    return { ...fresh, is_guess: fresh.is_guess && (old.is_guess || old.value !== fresh.value || !old.was_guess) };
  });
  return { fields, folder: before?.folder ?? "" };
}

const written = (value: string) => ({
  value,
  source: null,
  at: "",
  is_guess: false,
  was_guess: false,
  is_written: true,
});

/** The fields with another value for one; a value that a person writes is theirs. */
export function withValue(fields: readonly FieldState[], field: FindField, value: string): FieldState[] {
  return fields.map((state) => (state.field === field ? { ...state, ...written(value) } : state));
}

/** The fields with a guess confirmed, or doubted again. */
export function withGuess(fields: readonly FieldState[], field: FindField, is_guess: boolean): FieldState[] {
  return fields.map((state) => (state.field === field ? { ...state, is_guess } : state));
}

/** The fields as the station takes them. */
export function sentFields(fields: readonly FieldState[]): DraftField[] {
  return fields.map(({ field, value, source, at, is_guess }) => ({ field, value, source, at, is_guess }));
}

/** The parts of a field that has several things, as they are typed. */
export function partsOf(value: string): string[] {
  // A blank at the end stays: a person who types the next word has just written it.
  return value.split(";").map((part) => part.trimStart());
}

/** The value with another text for one of its parts. */
export function withPart(value: string, at: number, text: string): string {
  return partsOf(value)
    .map((part, index) => (index === at ? text : part))
    .join("; ");
}

/** The words of a list with one taken in, or left out. */
export function toggled(words: string, word: string): string {
  const chosen = words.split(/\s+/u).filter((one) => one !== "");
  const next = chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word];
  return next.join(" ");
}

/** Numbers between commas and spaces; null if one is none. */
export function numbersOf(text: string, max: number): number[] | null {
  const parts = text.split(/[\s,]+/u).filter((part) => part !== "");
  // What is no number becomes one that is too large, so that one check refuses both.
  const numbers = parts.map((part) => (/^\d{1,3}$/u.test(part) ? Number(part) : max + 1));
  return numbers.every((number) => number <= max) ? numbers : null;
}

/** Words between spaces. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/u).filter((word) => word !== "");
}
