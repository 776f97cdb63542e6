// Limits that have a place: edges and rings, and a body where a robot is near or a motion would violate it.

import type { Object3D } from "three";
import type { SceneModel, SceneVolume } from "../flat/scene-model";
import { ballBody, boxBody, edges, type Kit, type LineLook, lines, ring } from "./line-work";
import { isNear } from "./near";

/** Draws every limit that binds what is looked at, and the drafts. */
export function drawVolumes(kit: Kit, model: SceneModel, focus: string | null): Object3D[] {
  const { ink } = kit;
  const violated = model.denial?.constraints ?? [];
  const binding = model.volumes.filter(({ robot }) => focus === null || robot === null || robot === focus);
  const limits = binding.flatMap((volume) => {
    const hit = violated.includes(volume.constraint);
    const color = hit || volume.kind !== "workspace" ? ink.text : ink.line;
    const outline = drawOutline(kit, volume, { color, width_px: hit ? ink.strong_px : ink.stroke_px });
    return hit || isNear(volume, model.robots) ? [outline, drawBody(volume, ink.line)] : [outline];
  });
  // None of the drafts is in force: dashed, in the colour of predictions.
  const drafts = model.drafts.map((draft) =>
    drawOutline(kit, draft, { color: ink.predicted, width_px: ink.strong_px, dashed: true }),
  );
  return [...limits, ...drafts];
}

function drawOutline(kit: Kit, volume: SceneVolume, look: LineLook): Object3D {
  switch (volume.kind) {
    case "workspace":
    case "keep_out_box":
      return lines(kit, edges(volume), look);
    case "forbidden_zone":
      return lines(
        kit,
        ([0, 1, 2] as const).flatMap((axis) => ring(volume.center_m, volume.radius_m, axis)),
        look,
      );
  }
}

function drawBody(volume: SceneVolume, color: string): Object3D {
  switch (volume.kind) {
    case "workspace":
    case "keep_out_box":
      return boxBody(volume, color);
    case "forbidden_zone":
      return ballBody(volume.center_m, volume.radius_m, color);
  }
}
