// Where in a form the station found the fault.

import type { HostError } from "../../host/host";

/** The path a refusal names; empty if it names none. */
export function pathOf(error: HostError | null): string {
  const details = error?.details;
  if (typeof details !== "object" || details === null || !("path" in details)) return "";
  return typeof details.path === "string" ? details.path : "";
}
