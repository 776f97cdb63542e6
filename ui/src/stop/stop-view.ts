// What the STOP button and its panel say, from what the station reported (U-606).

import type { CauseRow } from "../bindings/CauseRow";
import type { RobotSafety } from "../bindings/RobotSafety";
import type { Stop } from "../bindings/Stop";
import type { StopRobot } from "../bindings/StopRobot";
import type { Link } from "../host/live-store";

/** What this window knows of its own press: nothing is assumed until the station reports. */
export type Press = { state: "none" } | { state: "sending" } | { state: "failed"; sentence: string };

/** One robot under an open stop. */
export type StopRow = StopRobot & { stop_id: number };

/** What has to end before a robot can be released. */
export type Blocker = { robot: string; causes: readonly CauseRow[] };

/** The button's state. */
export type StopView =
  | { state: "rest"; confirmable: boolean }
  | { state: "sending" }
  | { state: "failed"; sentence: string }
  | { state: "stopping"; acked: number; total: number }
  | { state: "stopped"; acked: number; total: number }
  | { state: "not_confirmed"; count: number };

/** Robots still held by an open stop: each once, under the newest stop that names it. */
export function rowsOf(stops: readonly Stop[]): StopRow[] {
  const rows = new Map<string, StopRow>();
  for (const stop of stops.filter(({ open }) => open)) {
    for (const robot of stop.robots) {
      const known = rows.get(robot.robot);
      if (known === undefined || known.stop_id < stop.stop_id) rows.set(robot.robot, { ...robot, stop_id: stop.stop_id });
    }
  }
  return [...rows.values()].sort((a, b) => a.robot.localeCompare(b.robot));
}

/** The state of the button. */
export function viewStop(stops: readonly Stop[], press: Press, links: ReadonlyMap<string, Link>, station_lost: boolean): StopView {
  if (press.state === "failed") return press;
  const open = stops.some((stop) => stop.open);
  if (!open) return press.state === "sending" ? press : { state: "rest", confirmable: !station_lost && allLinked(links) };
  const held = rowsOf(stops).filter(({ released }) => !released);
  const count = held.filter(({ not_confirmed }) => not_confirmed).length;
  if (count > 0) return { state: "not_confirmed", count };
  const acked = held.filter(({ acked_after_ms }) => acked_after_ms !== null).length;
  const total = held.length;
  return acked < total ? { state: "stopping", acked, total } : { state: "stopped", acked, total };
}

/** The open stops that bind any of these robots, oldest first: a release names exactly these. */
export function stopIdsOf(stops: readonly Stop[], robots: readonly string[]): number[] {
  const binds = ({ robot, released }: StopRobot) => !released && robots.includes(robot);
  return stops
    .filter((stop) => stop.open && stop.robots.some(binds))
    .map(({ stop_id }) => stop_id)
    .sort((a, b) => a - b);
}

/** Robots with causes other than the stop itself: the station releases none of them over the head of these. */
export function blockersOf(robots: readonly string[], safety: ReadonlyMap<string, RobotSafety>): Blocker[] {
  return robots.flatMap((robot) => {
    const causes = (safety.get(robot)?.causes ?? []).filter(({ clears }) => clears !== "on_release");
    return causes.length === 0 ? [] : [{ robot, causes }];
  });
}

function allLinked(links: ReadonlyMap<string, Link>): boolean {
  return [...links.values()].every(({ link }) => {
    switch (link) {
      case "live":
      case "late":
        return true;
      case "lost":
      case "never":
        return false;
    }
  });
}
