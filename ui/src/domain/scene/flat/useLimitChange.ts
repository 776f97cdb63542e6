// A limit in force that is changed on a scene: chosen there, moved by its handles, and looked over in the form.

import { useQueries } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import type { ConstraintRow } from "../../../generated/bindings/ConstraintRow";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { useStation } from "../../station/station-context";
import { handlesOf, shapeOf } from "./handles";
import { limitQueries } from "./limit-queries";
import { editOf, ownSide, type SceneEdit } from "./scene-edit";
import { commonFrame, type PlacedLimit } from "./scene-model";
import { toFrame, type Vec3 } from "./transform";
import type { ViewSide } from "./view";

/** A limit that can be chosen, and the robot that it is of. */
export type ChangeableLimit = { row: ConstraintRow; robot: RobotRow };

/** The state of it. `limit` is the chosen one as it stands on the scene; nothing of it is sent. */
export type LimitChange = {
  open: boolean;
  limits: readonly ChangeableLimit[];
  chosen: ChangeableLimit | null;
  limit: ConstraintKind | null;
  drafts: readonly PlacedLimit[];
  edit: SceneEdit | null;
  /** Opens the change, with a limit or to choose one. */
  choose: (id: string | null) => void;
  giveUp: () => void;
};

const ORIGIN = [0, 0, 0] as const;

/** The version is that of the limits in force when it was moved: what was moved on another one is forgotten. */
type Moved = { id: string; version: number; limit: ConstraintKind };

/** Changing the limits of one of these robots, or of each where none is chosen; `side` is null where nothing is moved. */
export function useLimitChange(robots: readonly RobotRow[], robot: string | null, side: ViewSide | null): LimitChange {
  const frame = commonFrame(robots);
  const [open, setOpen] = useState(false);
  const [id, setId] = useState<string | null>(null);
  // One that was pressed on may be another robot's.
  const changeable = useChangeable(robots, frame);
  const limits = changeable.filter(({ row }) => robot === null || row.robot === robot || row.id === id);
  const [moved, setMoved] = useState<Moved | null>(null);
  const [look_m, setLook] = useState<readonly Vec3[] | null>(null);
  const chosen = limits.find(({ row }) => row.id === id) ?? null;
  const base = chosen?.row;
  // Both may be missing, and are then the same: nothing is chosen, and nothing was moved.
  const limit = moved?.id === base?.id && moved?.version === base?.version ? moved?.limit : base?.constraint;
  const own = base?.frame ?? chosen?.robot.default_frame ?? frame;
  const edit =
    open && side !== null && chosen && limit
      ? editOf({
          robot: chosen.robot,
          frame: own,
          root: frame,
          side,
          limit,
          blank: null,
          depth_m: ORIGIN,
          onLimit: (next) => setMoved({ id: chosen.row.id, version: chosen.row.version, limit: next }),
          onDrawn: () => undefined,
        })
      : null;
  return {
    open,
    limits,
    chosen: open ? chosen : null,
    limit: open ? (limit ?? null) : null,
    drafts: open && chosen && limit ? [{ constraint: limit, id: "draft", frame: own, robot: chosen.robot.id }] : [],
    edit: edit && { ...edit, look_m },
    choose: (next) => {
      setId(next);
      setMoved(null);
      setOpen(true);
      const found = changeable.find(({ row }) => row.id === next);
      setLook(found && side !== null ? pointsOf(found, frame, side) : null);
    },
    giveUp: () => {
      setOpen(false);
      setId(null);
      setMoved(null);
    },
  };
}

/** Limits with a place that is known in `frame`. Those of a manifest or a mission are changed in its file. */
function useChangeable(robots: readonly RobotRow[], frame: string): ChangeableLimit[] {
  const { host } = useStation();
  return useQueries({
    queries: limitQueries(host, robots),
    combine: (results) =>
      results.flatMap(({ data }, place) => {
        const robot = robots[place];
        if (!robot) return [];
        return (data ?? [])
          .filter((row) => row.scope === "robot" && row.robot === robot.id && shapeOf(row.constraint) !== null)
          .filter((row) => toFrame(robot.transforms, row.frame ?? robot.default_frame, frame, ORIGIN) !== null)
          .map((row) => ({ row, robot }));
      }),
  });
}

/** The places of its handles. */
function pointsOf({ row, robot }: ChangeableLimit, frame: string, side: ViewSide): Vec3[] {
  const own = row.frame ?? robot.default_frame;
  return handlesOf(row.constraint, ownSide(robot, own, frame, side)).flatMap((handle) => {
    const at_m = toFrame(robot.transforms, own, frame, handle.at_m);
    return at_m ? [at_m] : [];
  });
}

/** Escape gives the change up. */
export function leavesOn(change: LimitChange) {
  return (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !change.open) return;
    event.stopPropagation();
    change.giveUp();
  };
}
