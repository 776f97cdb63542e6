// Times of jobs, as a clock of the job's own zone shows them.

import { formatLocale, perLocale } from "../../host/language";

const formatsByZone = perLocale(() => new Map<string, Intl.DateTimeFormat>());

function formatOf(time_zone: string): Intl.DateTimeFormat {
  const formats = formatsByZone();
  const known = formats.get(time_zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat(formatLocale(), {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "longOffset",
    timeZone: time_zone,
  });
  formats.set(time_zone, made);
  return made;
}

/** A moment in a zone: "Mon, 9 Mar 2026, 07:00:00 GMT+01:00"; in UTC where this window does not know the zone. */
export function zonedTime(unix_ms: number, time_zone: string): string {
  try {
    return formatOf(time_zone).format(unix_ms);
  } catch {
    // A zone that this browser does not know: the time says its own offset.
    return formatOf("UTC").format(unix_ms);
  }
}

const shortByZone = perLocale(() => new Map<string, Intl.DateTimeFormat>());

function shortOf(time_zone: string): Intl.DateTimeFormat {
  const formats = shortByZone();
  const known = formats.get(time_zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat(formatLocale(), {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "shortOffset",
    timeZone: time_zone,
  });
  formats.set(time_zone, made);
  return made;
}

/** The same for a column: "Mon, 9 Mar, 07:00 GMT+1". */
export function zonedShort(unix_ms: number, time_zone: string): string {
  try {
    return shortOf(time_zone).format(unix_ms);
  } catch {
    // As above.
    return shortOf("UTC").format(unix_ms);
  }
}

/** The same of an RFC 3339 text. */
export function zonedText(rfc3339: string, time_zone: string): string {
  return zonedTime(Date.parse(rfc3339), time_zone);
}
