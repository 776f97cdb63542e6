// A rule as it is typed. Numbers are read once, here; everything else is the station's to check.

import type { AlarmConfig } from "../../generated/bindings/AlarmConfig";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import type { AlertRule } from "../../generated/bindings/AlertRule";
import type { Consequence } from "../../generated/bindings/Consequence";
import { type DecimalProblem, fieldText, parseDecimal } from "../../design/fields/decimal";

/** The numbers of a rule. */
export type NumberName = "debounce_secs" | "arousal_boost" | "time_to_respond_secs" | "off_delay_secs";

/** Everything a form holds; an empty text is a parameter left out. */
export type RuleDraft = {
  predicate: string;
  description: string;
  mission: string;
  makesAlarm: boolean;
  cause: string;
  consequence: Consequence;
  response: string;
  latching: boolean;
  suppress_when: string;
  numbers: Record<NumberName, string>;
};

/** The rule, or what is wrong with its numbers. */
export type RuleReading =
  | { rule: AlertRule; problems: null }
  | { rule: null; problems: Partial<Record<NumberName, DecimalProblem>> };

/** The draft of a rule there is, or of a new one with the defaults the station documents. */
export function draftOf(row: AlertRow | null, key: string | null): RuleDraft {
  const alarm = row?.alarm ?? null;
  return {
    predicate: row?.predicate ?? (key === null ? "" : predicateOn(key)),
    description: row?.description ?? "",
    mission: row?.mission_id ?? "",
    makesAlarm: row === null || alarm !== null,
    cause: alarm?.cause ?? "",
    consequence: alarm?.consequence ?? "mission",
    response: alarm?.response ?? "",
    latching: alarm?.latching ?? false,
    suppress_when: alarm?.suppress_when ?? "",
    numbers: {
      debounce_secs: fieldText(row?.debounce_secs ?? 60),
      arousal_boost: fieldText(row?.arousal_boost ?? 2),
      time_to_respond_secs: fieldText(alarm?.time_to_respond_secs ?? 300),
      off_delay_secs: fieldText(alarm?.off_delay_secs ?? 0),
    },
  };
}

/** The beginning of a condition on a key; what is one already stays as it is. */
function predicateOn(key: string): string {
  return key.includes(" ") ? key : `${key} = `;
}

/** Reads the draft. */
export function readRule(draft: RuleDraft): RuleReading {
  // What is not asked for must not be refused: fields of an alarm are hidden for an event.
  const names: readonly NumberName[] = draft.makesAlarm
    ? ["debounce_secs", "arousal_boost", "time_to_respond_secs", "off_delay_secs"]
    : ["debounce_secs", "arousal_boost"];
  const problems: Partial<Record<NumberName, DecimalProblem>> = {};
  const numbers: Partial<Record<NumberName, number>> = {};
  for (const name of names) {
    const decimal = parseDecimal(draft.numbers[name]);
    if ("problem" in decimal) problems[name] = decimal.problem;
    else numbers[name] = decimal.value;
  }
  if (Object.keys(problems).length > 0) return { rule: null, problems };
  const { debounce_secs = 0, arousal_boost = 0 } = numbers;
  const rule: AlertRule = {
    predicate: draft.predicate.trim(),
    debounce_secs,
    arousal_boost,
    ...textField("mission_id", draft.mission),
    ...textField("description", draft.description),
    ...(draft.makesAlarm ? { alarm: alarmOf(draft, numbers) } : {}),
  };
  return { rule, problems: null };
}

/** Input of `update_alert`: the mission of a rule stays, and a text left out would stay too. */
export function changeOf({
  predicate,
  debounce_secs,
  arousal_boost,
  description,
  alarm,
}: AlertRule): Partial<Omit<AlertRule, "mission_id">> {
  const numbers = {
    ...(debounce_secs === undefined ? {} : { debounce_secs }),
    ...(arousal_boost === undefined ? {} : { arousal_boost }),
  };
  return { predicate, ...numbers, description: description ?? "", ...(alarm === undefined ? {} : { alarm }) };
}

function alarmOf(
  draft: RuleDraft,
  { time_to_respond_secs = 0, off_delay_secs = 0 }: Partial<Record<NumberName, number>>,
): AlarmConfig {
  return {
    consequence: draft.consequence,
    time_to_respond_secs,
    latching: draft.latching,
    off_delay_secs,
    ...textField("cause", draft.cause),
    ...textField("response", draft.response),
    ...textField("suppress_when", draft.suppress_when),
  };
}

function textField<Name extends string>(name: Name, text: string): { [key in Name]?: string } {
  const trimmed = text.trim();
  return trimmed === "" ? {} : ({ [name]: trimmed } as { [key in Name]: string });
}
