// Maps of robots on the ground: what is free as a faint surface, what is occupied as dark as it is sure.

import { hexOf } from "../../../design/theme/oklch";
import { type SeenMap, UNKNOWN } from "../maps/map-loader";
import type { Ink } from "./ink";
import { type Pen, spot } from "./pen";
import type { SceneMap } from "./scene-map";

/** Cells from here on are drawn as occupied, percent: below it a robot would drive there. */
const OCCUPIED_MIN = 25;
const OPAQUE = 255;
/** Opacity of what is free: the grid is seen through it. */
const FREE_OPACITY = 0.75;

type Painted = { colours: string; picture: HTMLCanvasElement };

/** Pictures of maps in the colours of the theme: one is drawn many times a second. */
const painted = new WeakMap<SeenMap, Painted>();

/** Draws maps; from the front and from the side each would be one line. */
export function drawMaps(pen: Pen, maps: readonly SceneMap[]): void {
  const { context, camera, ink } = pen;
  if (camera.side !== "top") return;
  for (const { map, corner_m, along_m, up_m } of maps) {
    const [corner, along, up] = [spot(pen, corner_m), spot(pen, along_m), spot(pen, up_m)];
    context.save();
    context.transform(
      along[0] - corner[0],
      along[1] - corner[1],
      up[0] - corner[0],
      up[1] - corner[1],
      corner[0],
      corner[1],
    );
    // A cell that is larger than a pixel has edges.
    context.imageSmoothingEnabled = camera.px_per_m * map.grid.resolution_m < 1;
    context.drawImage(pictureOf(map, ink), 0, 0);
    context.restore();
  }
}

/** The picture of a map, a pixel for each cell. */
export function pictureOf(map: SeenMap, ink: Pick<Ink, "map_free" | "muted">): HTMLCanvasElement {
  const colours = `${ink.map_free} ${ink.muted}`;
  const before = painted.get(map);
  if (before?.colours === colours) return before.picture;
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [map.grid.width_cells, map.grid.height_cells];
  const context = picture.getContext("2d");
  const pixels = context?.createImageData(picture.width, picture.height);
  if (context && pixels) {
    paint(pixels.data, map.cells, rgbOf(ink.map_free), rgbOf(ink.muted));
    context.putImageData(pixels, 0, 0);
  }
  painted.set(map, { colours, picture });
  return picture;
}

type Rgb = readonly [number, number, number];

/** Writes the cells as pixels; what is unknown stays clear. */
export function paint(pixels: Uint8ClampedArray, cells: Uint8Array, free: Rgb, occupied: Rgb): void {
  const colours = new Uint8ClampedArray(4 * (UNKNOWN + 1));
  for (let cell = 0; cell < UNKNOWN; cell += 1) {
    const isFree = cell < OCCUPIED_MIN;
    colours.set([...(isFree ? free : occupied), (isFree ? FREE_OPACITY : cell / 100) * OPAQUE], 4 * cell);
  }
  // A pixel at a time: four writes for each would be felt on the map of a hall.
  const [of, words] = [new Uint32Array(colours.buffer), new Uint32Array(pixels.buffer)];
  for (const [index, cell] of cells.entries()) words[index] = of[cell] ?? 0;
}

function rgbOf(token: string): Rgb {
  const hex = hexOf(token);
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) || 0;
  return [part(1), part(3), part(5)];
}
