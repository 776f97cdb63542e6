// Limits about places, told from those about motions: only a new kind of place has to be drawn and measured.

import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";

/** A limit that has a place. */
export type PlaceLimit = Extract<
  ConstraintKind,
  { Workspace: unknown } | { ForbiddenZone: unknown } | { KeepOutBox: unknown }
>;

/** The limit if it has a place. */
export function placeOf(limit: ConstraintKind): PlaceLimit | null {
  return "Workspace" in limit || "ForbiddenZone" in limit || "KeepOutBox" in limit ? limit : null;
}
