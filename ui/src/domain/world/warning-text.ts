// Warnings about providers and rules that were accepted, in the window's language.

import type { Warning } from "../../generated/bindings/Warning";
import { stationText } from "../../locales/station-words";

/** The warning for a person; numbers and other providers stand in the station's own words alone. */
export function warningText({ code, key, message }: Warning): string {
  return stationText("warning", code, { key }) ?? message;
}
