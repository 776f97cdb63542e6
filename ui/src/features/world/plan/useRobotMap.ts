// Walls of the plan from the map of a robot.

import { useState } from "react";
import { MapLoader } from "../../../domain/scene/maps/map-loader";
import { useStation } from "../../../domain/station/station-context";
import { filesOfMap } from "./import/robot-map";
import { PlanFault } from "./import/plan-file";

/** A subscription that was just made brings the map a moment later. */
const TRIES = 8;
const AGAIN_MS = 600;

/** Asks for the map of a robot, whose frame must be that of the plan, as the files that ROS saves it in. */
export function useRobotMap(frame: string): (robot: string, signal: AbortSignal) => Promise<readonly File[]> {
  const { host } = useStation();
  const [loader] = useState(() => new MapLoader(host));
  const ask = async (robot: string, signal: AbortSignal, tries: number): Promise<readonly File[]> => {
    const map = (await loader.load(signal)).find((seen) => seen.robot === robot);
    if (map && map.grid.frame !== frame) throw new PlanFault("other_frame", map.grid.frame);
    if (map) return filesOfMap(map);
    if (tries === 1) throw new PlanFault("no_map", robot);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return ask(robot, signal, tries - 1);
  };
  return (robot, signal) => ask(robot, signal, TRIES);
}
