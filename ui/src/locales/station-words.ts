// Sentences of the station in the window's language, by the station's own codes. The station writes English, with more
// of what happened than a code can say: in English its sentence stands, in another language it stays as the detail.

import type stationDe from "./station.de.json";

/** The parts of a catalogue, each with its codes. */
type StationCatalogue = typeof stationDe;
export type StationPart = keyof StationCatalogue;

/** A sentence, and the station's own in English where it says more; null where it does not. */
export type Said = { text: string; more: string | null };

const LOADED: Readonly<Record<string, () => Promise<StationCatalogue>>> = {
  de: async () => (await import("./station.de.json")).default,
};

const PLACE = /\{\{(\w+)\}\}/gu;

/** Places that count something. */
const COUNTS = ["count", "left", "more", "points"] as const;

let spoken: Readonly<Record<string, Readonly<Record<string, string>>>> | null = null;

/** Language that was asked for last. */
let wanted = "";

/** Decimal mark of the numbers in these sentences. */
let decimal = ".";

/**
 * Loads the sentences of a language; English, and what cannot be loaded, has none of its own. Numbers in them have the
 * form of `locale`.
 */
export async function speakStation(language: string, locale: string): Promise<void> {
  wanted = language;
  decimal = decimalOf(locale);
  let loaded: typeof spoken = null;
  try {
    loaded = (await LOADED[language]?.()) ?? null;
  } catch {
    // The station's own sentences are there.
  }
  // Another language may have been asked for meanwhile, and have been there first.
  if (wanted === language) spoken = loaded;
}

/** True where the window has sentences of its own for what the station says. */
export function hasStationWords(): boolean {
  return spoken !== null;
}

/**
 * The sentence of a code; null where the language has none, or where a place in it cannot be filled. A sentence that
 * counts has a second form for one, `CODE_one`.
 */
export function stationText(part: StationPart, code: string, given: unknown = {}): string | null {
  const sentences = spoken?.[part];
  if (sentences === undefined || !Object.hasOwn(sentences, code)) return null;
  const values = typeof given === "object" && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
  const one = COUNTS.some((place) => values[place] === 1) ? sentences[`${code}_one`] : undefined;
  const sentence = one ?? sentences[code] ?? "";
  const isFilled = [...sentence.matchAll(PLACE)].every(([, place]) => isPrintable(values[place ?? ""]));
  return isFilled ? sentence.replaceAll(PLACE, (_, place: string) => printed(values[place])) : null;
}

/** A coded sentence of the station: by its code and its data, else as the station wrote it. */
export function codedText(
  part: StationPart,
  kind: { readonly code: string } | null | undefined,
  sentence: string,
): string {
  return (kind ? stationText(part, kind.code, kind) : null) ?? sentence;
}

/** The same where the station's own sentence says more than its code: with that as the detail. */
export function codedSaid(
  part: StationPart,
  kind: { readonly code: string } | null | undefined,
  sentence: string,
): Said {
  const text = kind ? stationText(part, kind.code, kind) : null;
  return text === null ? { text: sentence, more: null } : { text, more: sentence };
}

/** All of it on one line. */
export function saidLine({ text, more }: Said): string {
  if (more === null) return text;
  return text.endsWith(".") ? `${text} ${more}` : `${text}: ${more}`;
}

/** A number with the decimal mark of the window; limits and names of records must not be grouped or rounded. */
function printed(value: unknown): string {
  return typeof value === "number" ? String(value).replace(".", decimal) : String(value);
}

function decimalOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

function isPrintable(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (typeof value === "number" && Number.isFinite(value));
}

/** A refusal of the station: by its code as a whole, else in general with the station's sentence as the detail. */
export function stationError(code: string, message: string, details: unknown): Said {
  const whole = stationText("error", code, details);
  if (whole !== null) return { text: whole, more: null };
  const general = stationText("error_general", code);
  return general === null ? { text: message, more: null } : { text: general, more: message };
}
