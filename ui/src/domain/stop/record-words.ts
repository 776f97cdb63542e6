// Records of the audit in an operator's words. Compiled in, like everything that the stop shows.

import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { spoken } from "../../host/language";
import { subjectParts } from "../audit/subject-parts";
import { DE, EN } from "./record-sentences";

/** The fields that are put into words. */
export type Recorded = Pick<AuditRecord, "actor" | "operation" | "outcome" | "detail">;

/** Whole sentences for records that no person made; null for the others, which read as an act and its actor. */
export function sentenceOf({ actor, operation, outcome, detail }: Recorded): string | null {
  const { reports, steps, someRobot } = spoken({ en: EN, de: DE });
  if (operation === "report") {
    return reports[outcome]?.(fieldsOf(detail).get("robot") ?? actor) ?? null;
  }
  if (operation !== "fallback") return null;
  const about = fieldsOf(detail);
  const robot = about.get("robot") ?? someRobot;
  return steps[about.get("step") ?? ""]?.[outcome]?.(robot) ?? null;
}

/** An act and, where it did not just succeed, its outcome: "arm robot", "arm robot: stop latched". */
export function actOf({ operation, outcome }: Pick<Recorded, "operation" | "outcome">): string {
  return outcome === "ok" || outcome === "" ? inWords(operation) : `${inWords(operation)}: ${inWords(outcome)}`;
}

/** A code as words. */
export function inWords(code: string): string {
  return spoken({ en: EN, de: DE }).codes[code] ?? code.replaceAll("_", " ");
}

/** The fields of a subject, `robot=arm-1`, each with its value. The first of a name counts: the station writes it. */
export function fieldsOf(detail: string): ReadonlyMap<string, string> {
  const named = subjectParts(detail).flatMap(({ key, text }): [string, string][] =>
    key === null ? [] : [[key, text]],
  );
  return new Map(named.toReversed());
}
