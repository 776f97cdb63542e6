// Names written into a scene, and their places: the same names as in the flat one.

import { isCurrent } from "../../../design/format/freshness";
import { t } from "../../../locales/i18n";
import { fromOwn, ownEnds, type SceneBox } from "../flat/box";
import type { SceneModel, SceneVolume } from "../flat/scene-model";
import type { Vec3 } from "../flat/transform";

/** A name beside a point. */
export type PlacedName = { text: string; at_m: Vec3; muted: boolean };

/** Names of robots, goals, limits and of what a motion was denied for; whose limits counts as in the flat drawing. */
export function namesOf(model: SceneModel, focus: string | null): PlacedName[] {
  const violated = model.denial?.constraints ?? [];
  const named = model.volumes.filter(
    ({ robot, constraint }) =>
      (focus === null || robot === null || robot === focus) && (violated.length === 0 || violated.includes(constraint)),
  );
  return [
    ...named.map(nameOf),
    ...robotNames(model),
    ...model.goals.map(({ to_m }) => ({ text: t("scene.goal"), at_m: to_m, muted: false })),
    ...denialNames(model),
  ];
}

function robotNames({ robots }: SceneModel): PlacedName[] {
  return robots.map(({ id, position_m, freshness, age }) =>
    isCurrent(freshness)
      ? { text: id, at_m: position_m, muted: false }
      : { text: t("scene.robot_last_seen", { robot: id, age }), at_m: position_m, muted: true },
  );
}

function denialNames({ denial }: SceneModel): PlacedName[] {
  if (!denial) return [];
  const { path_m, worst } = denial;
  const start = path_m.length > 1 ? path_m[0] : undefined;
  return [
    ...(worst ? [{ text: worst.depth, at_m: worst.point_m, muted: false }] : []),
    ...(worst?.nearest_m ? [{ text: t("scene.nearest"), at_m: worst.nearest_m, muted: false }] : []),
    ...(start ? [{ text: t("scene.start"), at_m: start, muted: true }] : []),
  ];
}

function nameOf(volume: SceneVolume): PlacedName {
  switch (volume.kind) {
    case "workspace":
      return {
        text: t("scene.workspace", { robot: volume.robot ?? "" }),
        at_m: cornerOf(volume),
        muted: true,
      };
    case "keep_out_box":
      return { text: t("scene.keep_out"), at_m: cornerOf(volume), muted: true };
    case "forbidden_zone":
      return {
        text: t("scene.zone"),
        at_m: [volume.center_m[0], volume.center_m[1], volume.center_m[2] + volume.radius_m],
        muted: true,
      };
  }
}

/** The upper corner of a box that its name stands at. */
function cornerOf(box: SceneBox): Vec3 {
  const { min_m, max_m } = ownEnds(box);
  return fromOwn(box, [min_m[0], max_m[1], max_m[2]]);
}
