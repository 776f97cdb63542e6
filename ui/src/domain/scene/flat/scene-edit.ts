// A limit that is written on the scene: handles in the scene's frame, and what comes of their moves.

import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import { drawLimit, type Handle, handlesOf, moveHandle } from "./handles";
import { fromFrame, toFrame, type Vec3 } from "./transform";
import { AXES_OF, type ViewSide } from "./view";

type Axis = 0 | 1 | 2;

/** A handle on the scene. One with a value is a slider; a corner is for the pointer alone. */
export type SceneHandle = {
  id: string;
  at_m: Vec3;
  label: string;
  /** Its number in a row of handles. */
  mark: string | null;
  slider: { value_m: number; text: string } | null;
  pointerOnly: boolean;
};

/** Editing of one limit on a scene. */
export type SceneEdit = {
  handles: readonly SceneHandle[];
  onMove: (id: string, to_m: Vec3) => void;
  /** One step by keys, metres of the side. */
  onNudge: (id: string, right_m: number, up_m: number) => void;
  /** A drag draws the limit anew, while this is given. */
  onDraw: ((from_m: Vec3, to_m: Vec3, ended: boolean) => void) | null;
  /** A click counts as a drag that ends where it began. */
  clicks: boolean;
  /** Coordinates of a drawn point that the side does not show. */
  depth_m: Vec3;
  /** Points to bring into sight once, large enough for their handles. */
  look_m?: readonly Vec3[] | null;
};

type EditProps = {
  robot: Pick<RobotRow, "transforms">;
  /** The frame of the limit, and of the scene. */
  frame: string;
  root: string;
  side: ViewSide;
  limit: ConstraintKind | null;
  /** The limit that a drag begins with, in draw mode. */
  blank: ConstraintKind | null;
  depth_m: Vec3;
  onLimit: (limit: ConstraintKind) => void;
  onDrawn: () => void;
};

/** Editing of a limit; what is moved in the scene's frame is kept in the limit's own. */
export function editOf(props: EditProps): SceneEdit {
  const { robot, frame, root, side, limit, blank, depth_m, onLimit, onDrawn } = props;
  const inLimit = (point_m: Vec3) => fromFrame(robot.transforms, frame, root, point_m);
  const own = ownSide(robot, frame, root, side);
  // A handle is pulled along the limit's own axes: in a tilted frame they are shorter on the screen than they are.
  const inScene = (point_m: Vec3) => toFrame(robot.transforms, frame, root, point_m);
  const pulledTo = (base_m: Vec3, to_m: Vec3) => underPointer(inScene, AXES_OF[own], AXES_OF[side], base_m, to_m);
  const handles = limit === null ? [] : handlesOf(limit, own);
  const move = (id: string, to_m: Vec3 | null) => {
    if (limit && to_m) onLimit(moveHandle(limit, id, to_m));
  };
  return {
    depth_m,
    clicks: false,
    handles: handles.flatMap((handle) => {
      const at_m = toFrame(robot.transforms, frame, root, handle.at_m);
      return at_m ? [{ id: handle.id, at_m, ...wordsOf(handle) }] : [];
    }),
    onMove: (id, to_m) => {
      const handle = handles.find((one) => one.id === id);
      if (handle) move(id, "middle" in handle.part ? inLimit(to_m) : pulledTo(handle.at_m, to_m));
    },
    onNudge: (id, right_m, up_m) => {
      const handle = handles.find((one) => one.id === id);
      if (!handle) return;
      const [right, up] = AXES_OF[side];
      const by = (axis: number) => (axis === right ? right_m : 0) + (axis === up ? up_m : 0);
      if ("middle" in handle.part) {
        // An arrow means a direction of the screen, however the limit's own frame is turned.
        const [x, y, z] = toFrame(robot.transforms, frame, root, handle.at_m) ?? handle.at_m;
        return move(id, inLimit([x + by(0), y + by(1), z + by(2)]));
      }
      // The handle of a number is a slider: up and right are more.
      const pulled = "axis" in handle.part ? (handle.part.axis ?? AXES_OF[own][0]) : null;
      const [x, y, z] = handle.at_m.map((value, axis) => (axis === pulled ? value + right_m + up_m : value));
      move(id, [x ?? handle.at_m[0], y ?? handle.at_m[1], z ?? handle.at_m[2]]);
    },
    onDraw:
      blank &&
      ((from_m, to_m, ended) => {
        // What the side does not show of the limit is kept, so that it is drawn in the plane through its middle.
        const base_m = handlesOf(blank, own).find(({ id }) => id === "middle")?.at_m ?? depth_m;
        const [from, to] = [pulledTo(base_m, from_m), pulledTo(base_m, to_m)];
        if (from && to) onLimit(drawLimit(blank, own, from, to));
        if (ended) onDrawn();
      }),
  };
}

/**
 * The point of a limit's frame that is seen under a point of the scene, reached from `base_m` along two of the limit's
 * own axes; null where nothing says where the frame is.
 */
function underPointer(
  inScene: (point_m: Vec3) => Vec3 | null,
  [first, second]: readonly [Axis, Axis],
  [right, up]: readonly [Axis, Axis],
  base_m: Vec3,
  to_m: Vec3,
): Vec3 | null {
  const along = (by: readonly [number, number]): Vec3 => {
    const step = (axis: Axis) => base_m[axis] + (axis === first ? by[0] : axis === second ? by[1] : 0);
    return [step(0), step(1), step(2)];
  };
  const [from, one, other] = [base_m, along([1, 0]), along([0, 1])].map(inScene);
  if (!from || !one || !other) return null;
  const [ax, ay] = [one[right] - from[right], one[up] - from[up]];
  const [bx, by] = [other[right] - from[right], other[up] - from[up]];
  const [x, y] = [to_m[right] - from[right], to_m[up] - from[up]];
  // Never near 0: the two axes are those that are not looked along.
  const area = ax * by - ay * bx;
  return along([(x * by - y * bx) / area, (ax * y - ay * x) / area]);
}

/** Sides by the axis that they look along. */
const ALONG = ["side", "front", "top"] as const;

/**
 * The side of a limit in its own frame that is seen from a side of the scene: handles of the axis that is looked along
 * would lie on each other, and could not be moved.
 */
export function ownSide(robot: Pick<RobotRow, "transforms">, frame: string, root: string, side: ViewSide): ViewSide {
  const depth = ALONG.indexOf(side);
  const along = (tip: Vec3 | null, origin: Vec3 | null) => Math.abs((tip?.[depth] ?? 0) - (origin?.[depth] ?? 0));
  const inScene = (point_m: Vec3) => toFrame(robot.transforms, frame, root, point_m);
  const origin = inScene([0, 0, 0]);
  const tips = [inScene([1, 0, 0]), inScene([0, 1, 0]), inScene([0, 0, 1])];
  const most = tips.reduce(
    (best, tip, axis) => (along(tip, origin) > along(tips[best] ?? null, origin) ? axis : best),
    depth,
  );
  return ALONG[most] ?? side;
}

function wordsOf({ part }: Handle): Omit<SceneHandle, "id" | "at_m"> {
  if ("corner" in part) return { label: "", mark: null, slider: null, pointerOnly: true };
  if ("middle" in part) return { label: t("scene.handle_middle"), mark: null, slider: null, pointerOnly: false };
  const { axis, end, value_m } = part;
  const name = axis === null ? t("field.radius") : t(end === 0 ? "field.min" : "field.max", { axis: "xyz"[axis] });
  const slider = { value_m, text: `${formatNumber(value_m, 2)} m` };
  return { label: name, mark: null, slider, pointerOnly: false };
}
