// Robots that open stops hold, and the number of robots there are: counted in one place for the button, the screens and
// the title.

import type { Stop } from "../../generated/bindings/Stop";
import type { StopRobot } from "../../generated/bindings/StopRobot";

/** One robot under an open stop. */
export type StopRow = StopRobot & { stop_id: number };

/** Robots an open stop names, each once, under the newest that names it. */
export function rowsOf(stops: readonly Stop[]): StopRow[] {
  const rows = new Map<string, StopRow>();
  for (const stop of stops.filter(({ open }) => open)) {
    for (const robot of stop.robots) {
      const known = rows.get(robot.robot);
      if (known === undefined || known.stop_id < stop.stop_id)
        rows.set(robot.robot, { ...robot, stop_id: stop.stop_id });
    }
  }
  return [...rows.values()].sort((a, b) => a.robot.localeCompare(b.robot));
}

/** Numbers of robots: held by an open stop, stopped as far as anybody can tell, not confirmed, and known in all. */
export type Standing = { held: number; acked: number; not_confirmed: number; total: number };

/** Counted over `robots`, all that the station knows; null while no stop is open. */
export function standingOf(stops: readonly Stop[], robots: Iterable<string>): Standing | null {
  if (!stops.some(({ open }) => open)) return null;
  const held = rowsOf(stops).filter(({ released }) => !released);
  return {
    held: held.length,
    // An acknowledgement is a word: a robot that is seen moving all the same is not called stopped.
    acked: held.filter((row) => row.acked_after_ms !== null && !isSeenMoving(row)).length,
    not_confirmed: held.filter(({ not_confirmed }) => not_confirmed).length,
    total: new Set([...robots, ...held.map(({ robot }) => robot)]).size,
  };
}

/** The robots that open stops hold, as one text that is the same while they are; null while no stop is open. */
export function heldBy(stops: readonly Stop[]): string | null {
  if (!stops.some(({ open }) => open)) return null;
  const held = rowsOf(stops).filter(({ released }) => !released);
  return held.map(({ robot }) => robot).join(" ");
}

/** True if a stop has come that holds a robot which no stop held before, or the first one. */
export function isNews(before: string | null, held: string): boolean {
  if (before === null) return true;
  const known = new Set(before.split(" "));
  return held.split(" ").some((robot) => !known.has(robot));
}

/** True of a robot that is measured to move. One that nobody has measured does not stand either, and has no speed. */
export function isSeenMoving({ standstill, speed_mps }: StopRobot): boolean {
  return standstill === false && speed_mps !== null;
}
