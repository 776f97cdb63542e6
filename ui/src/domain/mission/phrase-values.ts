// The values of a mission's phrases as this window writes them.

import { exactText, windowMarks } from "../../design/fields/decimal";
import { formatMoment } from "../../design/format/time";
import { stationText } from "../../locales/station-words";

/** A part that a phrase says besides. */
export type Aside =
  | "until"
  | "speed"
  | "turning"
  | "orientation"
  | "joint_speed"
  | "force"
  | "frame"
  | "region"
  | "anywhere"
  | "none";

const WITH_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/iu;

/** A time as a file writes it: a moment of this desk, or the text where it names none. */
export function timeText(written: string): string {
  // Without an offset it is one of the mission's own zone, which this desk's clock knows nothing of.
  const unix_ms = WITH_OFFSET.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(unix_ms) ? written : formatMoment(unix_ms);
}

/** Numbers in a row, each with all its digits. */
export function numbersText(values: readonly number[]): string {
  // After a decimal comma, a comma between numbers would be read as one of them.
  return values.map((value) => exactText(value)).join(windowMarks().decimal === "," ? "; " : ", ");
}

/** From the least to the most of an axis: "−1 … 1 m". */
export function rangeText([least, most]: readonly [number, number], unit = "m"): string {
  return `${exactText(least)} … ${exactText(most)} ${unit}`;
}

/** Behind a comma, or nothing where there is nothing to say. */
export function aside(code: Aside, given: object | null): string {
  const text = given === null ? null : stationText("mission_aside", code, given);
  return text === null ? "" : `, ${text}`;
}

/** The same for a number with all its digits. */
export function numberAside(code: "speed" | "joint_speed" | "force", value: number | null): string {
  return aside(code, value === null ? null : { [code === "force" ? "force" : "speed"]: exactText(value) });
}

/** The same for numbers in a row; nothing where all of them are 0. */
export function numbersAside(code: "turning" | "orientation", values: readonly number[]): string {
  return aside(code, values.every((value) => value === 0) ? null : { [code]: numbersText(values) });
}
