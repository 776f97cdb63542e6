// State of the STOP button and its panel, from reports of the station (U-606).

import type { CauseRow } from "../generated/bindings/CauseRow";
import type { RobotSafety } from "../generated/bindings/RobotSafety";
import type { Stop } from "../generated/bindings/Stop";
import type { StopDelivery } from "../generated/bindings/StopDelivery";
import type { StopRobot } from "../generated/bindings/StopRobot";
import type { Link, LiveStore } from "../host/live-store";
import { type Standing, standingOf } from "../domain/stop/open-stops";
import { words } from "./strings";

/** State of a press in this window: nothing is assumed until the station reports. */
export type Press =
  | { state: "none" }
  | { state: "sending" }
  /** Answered by the station, which reports the stop itself apart from that. */
  | { state: "taken"; stop_id: number }
  | { state: "failed"; sentence: string; found?: Found }
  /** Not at the station elsewhere, and tried again until it is. */
  | { state: "undelivered"; station: string; sentence: string; pressed_ago_ms: number };

/** The stops that a press found: the number of the newest, and whether one was open. */
export type Found = { newest: number; open: boolean };

/** A stop that took longer was called not delivered meanwhile, ms. */
const LATE_MS = 1_500;

/** Causes that have to end before a robot can be released. */
export type Blocker = { robot: string; causes: readonly CauseRow[] };

/** Robots that no open stop holds: how many are under one, of how many. */
export type PartlyStopped = { state: "partly"; stopped: number; not_confirmed: number; total: number };

/**
 * The button's state. Its counts are over every robot of the station, and it keeps its name while one of them is free.
 */
export type StopView =
  | { state: "rest"; unconfirmable: Unconfirmable }
  | { state: "sending" }
  | { state: "failed"; sentence: string }
  | Extract<Press, { state: "undelivered" }>
  | PartlyStopped
  | { state: "stopping"; acked: number; total: number }
  | { state: "stopped"; acked: number; total: number }
  | { state: "not_confirmed"; count: number; total: number };

/** The robots that could not confirm a stop: none, the named ones, or all because the station is silent. */
export type Unconfirmable =
  | { who: "nobody" }
  | { who: "robots"; ids: readonly string[]; total: number }
  | { who: "station" };

/** The robots and their links as the station has told them, and whether it is silent. */
export type Known = { robots: readonly string[]; links: ReadonlyMap<string, Link>; station_lost: boolean };

/** The state of the button. */
export function viewStop(stops: readonly Stop[], press: Press, known: Known): StopView {
  if (press.state === "undelivered") return press;
  const standing = standingOf(stops, known.robots);
  if (press.state === "failed" && !isOvertaken(press.found, stops, standing))
    return { state: "failed", sentence: press.sentence };
  const isSending = press.state === "sending" || (press.state === "taken" && !isReported(press.stop_id, stops));
  if (!standing) return isSending ? { state: "sending" } : { state: "rest", unconfirmable: unconfirmableOf(known) };
  const { held, acked, not_confirmed, total } = standing;
  if (held < total) return isSending ? { state: "sending" } : { state: "partly", stopped: acked, not_confirmed, total };
  // Before the count: "3 of 4" would hide that the fourth may still be moving.
  if (not_confirmed > 0) return { state: "not_confirmed", count: not_confirmed, total };
  return acked < total ? { state: "stopping", acked, total } : { state: "stopped", acked, total };
}

/** The stops as a press finds them. */
export function foundAt(stops: readonly Stop[]): Found {
  return { newest: newestOf(stops), open: stops.some(({ open }) => open) };
}

/**
 * True once a press that failed is history: all robots are stopped by a newer stop, or those that it found are released.
 * Without this the only way out of "not sent" would be to stop every robot again.
 */
export function isOvertaken(found: Found | undefined, stops: readonly Stop[], standing: Standing | null): boolean {
  if (found === undefined) return false;
  if (standing === null) return found.open;
  return standing.held >= standing.total && stops.some(({ open, stop_id }) => open && stop_id > found.newest);
}

/** True once the station has told of this stop, or of a later one. */
function isReported(stop_id: number, stops: readonly Stop[]): boolean {
  return newestOf(stops) >= stop_id;
}

function newestOf(stops: readonly Stop[]): number {
  return Math.max(0, ...stops.map(({ stop_id }) => stop_id));
}

/**
 * A press, corrected by what the app knows of its way to a station elsewhere: it goes on after this page has given up, and
 * may have been made by a key outside of it.
 */
export function pressOf(press: Press, delivery: StopDelivery | null): Press {
  switch (delivery?.state) {
    case undefined:
      return press;
    case "trying": {
      const { station, sentence, pressed_ago_ms } = delivery;
      // The first try is as quick as at the own station: until it is late, "not delivered" would only alarm.
      const is_fresh = press.state !== "failed" && sentence === "" && pressed_ago_ms < LATE_MS;
      return is_fresh ? press : { state: "undelivered", station, sentence, pressed_ago_ms };
    }
    case "refused":
      // What the app says of its way is up to half a second old: it may still be about the press before.
      if (press.state === "sending" || press.state === "taken") return press;
      return { ...(press.state === "failed" ? press : { state: "failed" }), sentence: delivery.sentence };
    case "delivered":
    case "withdrawn":
      return press.state === "failed" ? { state: "none" } : press;
  }
}

/** A stop that arrived after it was called not delivered; null otherwise. */
export function lateDelivery(delivery: StopDelivery | null): { station: string; took_ms: number } | null {
  if (delivery?.state !== "delivered" || delivery.took_ms === null || delivery.took_ms < LATE_MS) return null;
  return { station: delivery.station, took_ms: delivery.took_ms };
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

/** Robots that may move while nobody looks: whoever releases them should know. */
export function unattendedOf(robots: readonly string[], safety: ReadonlyMap<string, RobotSafety>): string[] {
  return robots.filter((robot) => safety.get(robot)?.supervision === "unattended");
}

/** The reason why this desk may release and acknowledge nothing now; null where it may. */
export function releaseRefusal({ session, time, connected }: Pick<LiveStore, "session" | "time" | "connected">) {
  // Before the role, which is as old as the last contact.
  if (time.lost || !connected) return words().needsStation;
  if (session?.locked === true) return words().needsUnlock;
  return session === null || session.role === "viewer" ? words().needsOperator : null;
}

function unconfirmableOf({ links, station_lost }: Known): Unconfirmable {
  // The links are those of the last contact, and would still read as live.
  if (station_lost) return { who: "station" };
  const ids = [...links].flatMap(([robot, { link }]) => (answers(link) ? [] : [robot])).sort();
  return ids.length === 0 ? { who: "nobody" } : { who: "robots", ids, total: links.size };
}

function answers(link: Link["link"]): boolean {
  switch (link) {
    case "live":
    case "late":
      return true;
    case "lost":
    case "never":
      return false;
  }
}
