// Search of memory, as it is typed.

import type { EpisodeRole } from "../../generated/bindings/EpisodeRole";
import type { Input } from "../../host/operations";

/** Every field as text. Days are those of this desk's calendar. */
export type SearchDraft = {
  query: string;
  match: "any" | "all";
  role: EpisodeRole | "";
  since: string;
  until: string;
  mission: string;
};

/** Nothing yet. */
export const NOTHING: SearchDraft = { query: "", match: "any", role: "", since: "", until: "", mission: "" };

/** As many as the station gives. */
const HITS_MAX = 50;

/** The question to the station; `until` takes in the whole of its day. Null while nothing is looked for. */
export function searchOf({ query, match, role, since, until, mission }: SearchDraft): Input<"memory_search"> | null {
  if (query.trim() === "") return null;
  const from = dayStart(since, 0);
  const to = dayStart(until, 1);
  return {
    query: query.trim(),
    limit: HITS_MAX,
    match,
    ...(role === "" ? {} : { role }),
    ...(from === null ? {} : { since: from }),
    ...(to === null ? {} : { until: to }),
    ...(mission.trim() === "" ? {} : { mission_id: mission.trim() }),
  };
}

/** The beginning of a day such as 2026-03-08, or of one `later`, as RFC 3339; null if it is none. */
function dayStart(day: string, later: number): string | null {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  // By the calendar and not by adding 24 hours, which is another time of day when a clock was set.
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
