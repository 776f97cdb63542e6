// Gathers what a scene shows: poses from the live store, limits and goals from the station's rows.

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { useStation } from "../../station/station-context";
import { useLive } from "../../station/useLive";
import { useRows } from "../../station/useRows";
import { isOpen } from "../../proposal/proposal-state";
import { limitQueries } from "./limit-queries";
import { buildScene, type PlacedLimit, type SceneModel } from "./scene-model";
import { hasWalls } from "./scene-plan";
import { Sights } from "./sights";
import { useMaps, useMapsChoice } from "../maps/useMaps";
import { useSitePlan } from "./useSitePlan";

/**
 * The scene of these robots, rebuilt when one of them has moved, turned or aged; while all stand still it is the same.
 * `plan` is one that nobody has saved yet, in place of the station's.
 */
export function useSceneModel(
  robots: readonly RobotRow[],
  drafts: readonly PlacedLimit[] = [],
  plan: SitePlan | null = null,
): SceneModel {
  const { host } = useStation();
  const [seen] = useState(() => new Sights());
  const sights = useLive((live) => seen.read(live, robots));
  const proposals = useRows("proposals", "list_proposals", {});
  const saved = useSitePlan();
  const constraints = useQueries({
    queries: limitQueries(host, robots),
    combine: (results) => ({
      rows: results.flatMap((result) => result.data ?? []),
      // Without a word, a robot whose limits the station did not say looks like one without limits.
      unknown: robots.flatMap(({ id }, place) =>
        results[place]?.isError === true && results[place].data === undefined ? [id] : [],
      ),
    }),
  });
  const open = (proposals.data?.rows ?? []).filter(({ state }) => isOpen(state));
  const drawn = plan ?? saved;
  const { shown } = useMapsChoice(hasWalls(drawn));
  const maps = useMaps(robots, shown);
  return buildScene(sights, constraints.rows, open, drafts, drawn, maps, constraints.unknown);
}
