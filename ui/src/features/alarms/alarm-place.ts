// Places that an address of the alarm screen names.

import type { AlarmPreset } from "../../generated/bindings/AlarmPreset";
import { wordsFrom } from "../../design/format/address";
import { everyWord } from "../../host/variants";

/** The presets in the order of their buttons. */
export const PRESETS = everyWord<AlarmPreset>({
  active: true,
  unacknowledged: true,
  shelved: true,
  suppressed: true,
  out_of_service: true,
  all: true,
});

/** Place on the screen; `rule` is the id of the rule that is edited, `new`, or null for the list alone. */
export type AlarmPlace =
  | { view: "list"; preset: AlarmPreset; alarm: string | null }
  | { view: "rules"; rule: string | null; key: string | null }
  | { view: "events" }
  | { view: "figures" };

/**
 * Reads `/alarms`, `/alarms/shelved`, `/alarms/am-…`, `/alarms/rules/al-…`, `/alarms/rules/new/some.key` or a condition there,
 * `/alarms/events`, `/alarms/figures`.
 */
export function placeOf(first: string | undefined, second: string | undefined, third: string | undefined): AlarmPlace {
  if (first === "events") return { view: "events" };
  if (first === "figures") return { view: "figures" };
  if (first === "rules")
    return { view: "rules", rule: second ?? null, key: third === undefined ? null : wordsFrom(third) };
  const preset = PRESETS.find((name) => name === first);
  if (preset !== undefined) return { view: "list", preset, alarm: second ?? null };
  return { view: "list", preset: "active", alarm: first ?? null };
}

/** The address of a preset, with an alarm opened in it. */
export function listPath(preset: AlarmPreset, alarm: string | null = null): string {
  const parts = ["/alarms", ...(preset === "active" ? [] : [preset]), ...(alarm === null ? [] : [alarm])];
  return parts.join("/");
}

/** Address of a rule's form; `new` makes one. */
export function rulePath(rule: string): string {
  return `/alarms/rules/${rule}`;
}
