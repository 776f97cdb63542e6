// Entries of the palette for the words typed into it.

import type { BeliefRow } from "../generated/bindings/BeliefRow";
import type { MemoryHit } from "../generated/bindings/MemoryHit";
import { formatNumber } from "../design/format/numbers";
import { formatMoment } from "../design/format/time";
import { t } from "../locales/i18n";

/** A line of the palette. Every one opens something; none acts (U-1903). */
export type Entry = { id: string; text: string; about: string; to: string };

const PLACES = [
  "overview",
  "missions",
  "world",
  "approvals",
  "alarms",
  "beliefs",
  "memory",
  "jobs",
  "safety",
  "admin",
] as const;
/** One line of a record. */
const CONTENT_CHARS = 120;

/** Places whose name holds the words, then what is held and what happened about them. */
export function paletteEntries(words: string, beliefs: readonly BeliefRow[], hits: readonly MemoryHit[]): Entry[] {
  const wanted = words.trim().toLowerCase();
  const places = PLACES.map((place): Entry => ({
    id: place,
    text: t(`nav.${place}`),
    about: t("palette.place"),
    to: `/${place}`,
  }));
  const found = places.filter(({ text }) => text.toLowerCase().includes(wanted));
  if (wanted === "") return found;
  return [
    ...found,
    ...beliefs.map((belief): Entry => ({
      id: belief.id,
      text: `${belief.subject} ${belief.predicate} = ${belief.value}`,
      about: t("palette.belief", { confidence: formatNumber(belief.confidence, 2) }),
      to: `/beliefs/${belief.id}`,
    })),
    ...hits.map((hit): Entry => ({
      id: hit.id,
      text: hit.content.slice(0, CONTENT_CHARS),
      about: formatMoment(Date.parse(hit.at)),
      to: searchPath(words),
    })),
    { id: "search", text: t("palette.search", { words: words.trim() }), about: t("nav.memory"), to: searchPath(words) },
  ];
}

/** Address of the memory search for these words. */
export function searchPath(words: string): string {
  return `/memory/search/${encodeURIComponent(words.trim())}`;
}

/** The words of that address; a router may have decoded them already. */
export function wordsFrom(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
