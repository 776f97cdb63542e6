// The form field in which the station found the fault.

import type { HostError } from "../../host/host";
import { errorSaid } from "../../locales/i18n";

/** Fault of a field; `column` counts its characters from 1. */
export type FieldProblem = { message: string; column: number | null };

/** The path a refusal names; empty if it names none. */
export function pathOf(error: HostError | null): string {
  const path = detailOf(error, "path");
  return typeof path === "string" ? path : "";
}

/** The fault of the field at `path`; null if the refusal is about anything else. */
export function problemAt(error: HostError | null, path: string): FieldProblem | null {
  if (error === null || pathOf(error) !== path) return null;
  const column = detailOf(error, "column");
  return { message: refusalText(error), column: typeof column === "number" ? column : null };
}

/** A refusal as one text, for a place that has room for no more. */
export function refusalText({ code, message, details }: HostError): string {
  const { text, more } = errorSaid(code, message, details);
  return more === null ? text : `${text} (${more})`;
}

function detailOf(error: HostError | null, name: string): unknown {
  const details = error?.details;
  return typeof details === "object" && details !== null ? (details as Record<string, unknown>)[name] : undefined;
}
