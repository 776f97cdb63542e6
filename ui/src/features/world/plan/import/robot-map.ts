// The map of a robot as the files that ROS saves a map in: it is read as those are.

import type { SeenMap } from "../../../../domain/scene/maps/map-loader";
import { UNKNOWN } from "../../../../domain/scene/maps/map-loader";

/** Grey of a cell that nobody has seen, as `map_saver` writes it: neither free nor occupied. */
const UNKNOWN_GREY = 205;
const WHITE = 255;

/** `map.yaml` and its PGM. */
export function filesOfMap({ grid, cells }: SeenMap): File[] {
  const { width_cells, height_cells, resolution_m, origin_m, yaw_rad } = grid;
  const facts = [
    "image: map.pgm",
    `resolution: ${resolution_m}`,
    `origin: [${origin_m[0]}, ${origin_m[1]}, ${yaw_rad}]`,
    "negate: 0",
    "occupied_thresh: 0.65",
    "free_thresh: 0.25",
  ];
  // Rows of a picture come from the top.
  const rows = Array.from({ length: height_cells }, (_, row) =>
    cells.subarray((height_cells - 1 - row) * width_cells, (height_cells - row) * width_cells).map(greyOf),
  );
  const head = `P5\n${width_cells} ${height_cells}\n${WHITE}\n`;
  return [new File([facts.join("\n")], "map.yaml"), new File([head, ...rows], "map.pgm")];
}

/** Occupied is black. */
function greyOf(cell: number): number {
  return cell === UNKNOWN ? UNKNOWN_GREY : Math.round(WHITE * (1 - cell / 100));
}
