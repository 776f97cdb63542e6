// A goal that is placed on the scene: by a handle, by arrow keys, and by a press anywhere.

import { t } from "../../../locales/i18n";
import type { SceneEdit } from "./scene-edit";
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
  const [right, up] = AXES_OF[side];
  return {
    handles: [{ id: "goal", at_m, label: t("scene.goal_handle"), slider: null, pointerOnly: false }],
    onMove: (_id, to_m) => onMove(to_m),
    onNudge: (_id, right_m, up_m) => {
      const [x, y, z] = at_m.map(
        (value, axis) => value + (axis === right ? right_m : 0) + (axis === up ? up_m : 0),
      ) as [number, number, number];
      onMove([x, y, z]);
    },
    onDraw: anywhere ? (_from_m, to_m) => onMove(to_m) : null,
    clicks: true,
    depth_m: at_m,
  };
}
