// The area that is being written down, in its form and on the scene.

import { useState } from "react";
import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import type { PlanArea } from "../../../generated/bindings/PlanArea";
import { drawKeepOut } from "../../../domain/scene/flat/handles";
import { editOf, type SceneEdit } from "../../../domain/scene/flat/scene-edit";
import type { PlanPoint } from "../../../domain/scene/flat/scene-plan";
import { cornersOf, cornersText, parseCorners } from "./area-draft";

/** The form of one area. `edits` is the name of the one that it replaces, null of a new one. */
export type AreaDraft = {
  edits: string | null;
  name: string;
  corners: string;
  setName: (name: string) => void;
  setCorners: (corners: string) => void;
  /** Its outline as far as it can be read. */
  outline: readonly PlanPoint[];
  edit: SceneEdit;
};

/** At most one area is open. */
export type AreaForm = { open: AreaDraft | null; begin: (area: PlanArea | null) => void; end: () => void };

const ORIGIN = [0, 0, 0] as const;

/** A rectangle is drawn by a drag and moved by its handles; other shapes are written as corners. */
export function useAreaDraft(frame: string): AreaForm {
  const [open, setOpen] = useState<{ edits: string | null; name: string; corners: string } | null>(null);
  const [box, setBox] = useState<ConstraintKind | null>(null);
  const [drawn, setDrawn] = useState(false);
  const edit = editOf({
    robot: { transforms: [] },
    frame,
    root: frame,
    side: "top",
    limit: box,
    blank: drawn ? null : drawKeepOut(ORIGIN, ORIGIN),
    depth_m: ORIGIN,
    onLimit: (limit) => {
      setBox(limit);
      setOpen((form) => form && { ...form, corners: cornersText(cornersOf(limit)) });
    },
    onDrawn: () => setDrawn(true),
  });
  const reset = (form: typeof open) => {
    setOpen(form);
    setBox(null);
    setDrawn(false);
  };
  return {
    open: open && {
      ...open,
      setName: (name) => setOpen({ ...open, name }),
      // What is written by hand need not be a rectangle: it has no handles, and may be drawn anew.
      setCorners: (corners) => reset({ ...open, corners }),
      outline: parseCorners(open.corners) ?? [],
      edit,
    },
    begin: (area) =>
      reset({ edits: area?.name ?? null, name: area?.name ?? "", corners: cornersText(area?.corners ?? []) }),
    end: () => reset(null),
  };
}
