// Parts of the mission that is shown; the address names the one (U-202).

/** A part. `now` is where the mission stands. */
export type MissionTab = "now" | "form" | "text" | "compiled" | "dry-run" | "runs" | "history";

/** Parts in the order of their tabs. */
export const MISSION_TABS: readonly MissionTab[] = ["now", "form", "text", "compiled", "dry-run", "runs", "history"];

/** The part that an address names; what names none is where the mission stands. */
export function tabOf(word: string | undefined): MissionTab {
  return MISSION_TABS.find((tab) => tab === word) ?? "now";
}

/** The address of a part of a mission. */
export function placeOf(id: string, tab: MissionTab): string {
  return tab === "now" ? `/missions/${id}` : `/missions/${id}/${tab}`;
}

/** True for the address of any part of a mission. */
export function isPlaceOf(place: string, id: string): boolean {
  return place === `/missions/${id}` || place.startsWith(`/missions/${id}/`);
}
