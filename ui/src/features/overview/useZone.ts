// A keep-out zone that is drawn on the scene of the site.

import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { DrawnZone } from "../../domain/scene/flat/drawn-zone";
import { drawKeepOut } from "../../domain/scene/flat/handles";
import { editOf, type SceneEdit } from "../../domain/scene/flat/scene-edit";
import { commonFrame, type PlacedLimit } from "../../domain/scene/flat/scene-model";

/** Draw mode of a scene. `zone` is what has been drawn, in the frame of the site. */
export type ZoneDrawing = {
  draws: boolean;
  toggle: () => void;
  /** Robots that know the frame of the site, so that a zone in it can be theirs. */
  robots: readonly string[];
  robot: string;
  setRobot: (robot: string) => void;
  zone: DrawnZone | null;
  drafts: readonly PlacedLimit[];
  edit: SceneEdit | null;
};

const ORIGIN = [0, 0, 0] as const;

/** A zone for the chosen robot, or for another one that is named afterwards. */
export function useZone(robots: readonly RobotRow[], chosen: string | null): ZoneDrawing {
  const frame = commonFrame(robots);
  const [draws, setDraws] = useState(false);
  const [limit, setLimit] = useState<ConstraintKind | null>(null);
  const [drawn, setDrawn] = useState(false);
  const [named, setNamed] = useState<string | null>(null);
  const able = robots.filter(({ frames }) => frames.includes(frame));
  const owner = able.find(({ id }) => id === (named ?? chosen)) ?? able[0];
  const edit = editOf({
    robot: { transforms: [] },
    frame,
    root: frame,
    side: "top",
    limit,
    blank: drawn ? null : drawKeepOut(ORIGIN, ORIGIN),
    depth_m: ORIGIN,
    onLimit: (next) => {
      setLimit(next);
      // What has been drawn for one robot stays its own, whichever is looked at afterwards.
      setNamed((before) => before ?? owner?.id ?? null);
    },
    onDrawn: () => setDrawn(true),
  });
  return {
    draws,
    toggle: () => {
      setDraws(!draws);
      setLimit(null);
      setDrawn(false);
      setNamed(null);
    },
    robots: able.map(({ id }) => id),
    robot: owner?.id ?? "",
    setRobot: setNamed,
    zone: limit && { frame, limit },
    drafts: limit && owner ? [{ constraint: limit, id: "draft", frame, robot: owner.id }] : [],
    edit: draws ? edit : null,
  };
}
