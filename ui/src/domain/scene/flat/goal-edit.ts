// Goals that are placed on the scene: by a handle, by arrow keys, and by a press anywhere.

import { t } from "../../../locales/i18n";
import type { SceneEdit, SceneHandle } from "./scene-edit";
import type { Vec3 } from "./transform";
import { AXES_OF, type ViewSide } from "./view";

type GoalEdit = {
  /** In the frame of the scene. */
  at_m: Vec3;
  side: ViewSide;
  onMove: (to_m: Vec3) => void;
  /** A press on the scene puts the goal there; else it moves the view. */
  anywhere?: boolean;
};

/** Editing of one goal; what the side does not show of it stays. */
export function goalEdit({ at_m, side, onMove, anywhere = false }: GoalEdit): SceneEdit {
  return {
    handles: [placeHandle("goal", at_m, t("scene.goal_handle"), null)],
    onMove: (_id, to_m) => onMove(to_m),
    onNudge: (_id, right_m, up_m) => onMove(nudged(at_m, side, right_m, up_m)),
    onDraw: anywhere ? (_from_m, to_m) => onMove(to_m) : null,
    clicks: true,
    depth_m: at_m,
  };
}

type WayEdit = {
  /** In the frame of the scene, at least one. */
  points_m: readonly Vec3[];
  side: ViewSide;
  canAdd: boolean;
  /** Puts a waypoint somewhere; one past the end adds it. */
  onPut: (at: number, to_m: Vec3) => void;
};

/** Editing of a way: each waypoint is a handle with its number, and a press on the scene adds one at its end. */
export function wayEdit({ points_m, side, canAdd, onPut }: WayEdit): SceneEdit {
  const indexOf = (id: string) => points_m.findIndex((_, at) => waypointId(at) === id);
  return {
    handles: points_m.map((at_m, at) => {
      const number = at + 1;
      return placeHandle(waypointId(at), at_m, t("scene.waypoint_handle", { number }), String(number));
    }),
    onMove: (id, to_m) => onPut(indexOf(id), to_m),
    onNudge: (id, right_m, up_m) => {
      const at_m = points_m[indexOf(id)];
      if (at_m) onPut(indexOf(id), nudged(at_m, side, right_m, up_m));
    },
    onDraw: canAdd ? (_from_m, to_m, ended) => ended && onPut(points_m.length, to_m) : null,
    clicks: true,
    depth_m: points_m.at(-1) ?? [0, 0, 0],
  };
}

function waypointId(at: number): string {
  return `waypoint-${at + 1}`;
}

function placeHandle(id: string, at_m: Vec3, label: string, mark: string | null): SceneHandle {
  return { id, at_m, label, mark, slider: null, pointerOnly: false };
}

function nudged(at_m: Vec3, side: ViewSide, right_m: number, up_m: number): Vec3 {
  const [right, up] = AXES_OF[side];
  const [x, y, z] = at_m.map((value, axis) => value + (axis === right ? right_m : 0) + (axis === up ? up_m : 0));
  return [x ?? at_m[0], y ?? at_m[1], z ?? at_m[2]];
}
