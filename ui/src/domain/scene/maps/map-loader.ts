// The maps of robots as cells: asked for together, and each decoded once.

import type { MapGrid } from "../../../generated/bindings/MapGrid";
import type { RobotMap } from "../../../generated/bindings/RobotMap";
import type { Host } from "../../../host/host";
import { operation } from "../../../host/operations";

/** A map of a robot: `cells` row by row from its origin, 0 free to 100 occupied, 255 unknown. */
export type SeenMap = {
  robot: string;
  observed_mono_ms: number;
  grid: MapGrid;
  cells: Uint8Array;
};

/** Reads the pixels of a grey PNG. */
export type Decode = (png: Blob, grid: MapGrid) => Promise<Uint8Array>;

/** Keeps the newest map of each robot. */
export class MapLoader {
  readonly #host: Host;
  readonly #decode: Decode;
  #maps: readonly SeenMap[] = [];

  constructor(host: Host, decode: Decode = decodePng) {
    this.#host = host;
    this.#decode = decode;
  }

  /** Asks for what is newer than what is here; the same list as before if nothing is. */
  async load(signal: AbortSignal): Promise<readonly SeenMap[]> {
    // The station leaves out the pictures of what is here already.
    const seen = this.#maps.map(({ robot, observed_mono_ms }) => ({ robot, observed_mono_ms }));
    const rows = await operation(this.#host, "list_robot_maps", { seen }, signal);
    const read = await Promise.allSettled(rows.map((row) => this.#read(row)));
    // A picture that cannot be read keeps no other robot's map away; its own stays as it was, and is asked for again.
    const maps = read.flatMap((one, index) =>
      one.status === "fulfilled" ? (one.value ?? []) : (this.#before(rows[index]?.robot) ?? []),
    );
    const isSame = maps.length === this.#maps.length && maps.every((map, index) => map === this.#maps[index]);
    if (!isSame) this.#maps = maps;
    return this.#maps;
  }

  /** The map of a row; the one before while its picture is not here. */
  async #read({ robot, observed_mono_ms, grid, png_base64 }: RobotMap): Promise<SeenMap | null> {
    const before = this.#before(robot);
    if (observed_mono_ms === null || !grid || png_base64 === null) return before;
    const png = new Blob([Uint8Array.from(atob(png_base64), (letter) => letter.charCodeAt(0))], { type: "image/png" });
    return { robot, observed_mono_ms, grid, cells: await this.#decode(png, grid) };
  }

  #before(robot: string | undefined): SeenMap | null {
    return this.#maps.find((map) => map.robot === robot) ?? null;
  }
}

/** Decodes beside the page's own thread; a canvas gives the pixels back. */
async function decodePng(png: Blob, { width_cells, height_cells }: MapGrid): Promise<Uint8Array> {
  // A browser that fits colours to its screen would change the cells.
  const picture = await createImageBitmap(png, { colorSpaceConversion: "none" });
  const isWhole = picture.width === width_cells && picture.height === height_cells;
  // Beside a smaller picture the canvas is empty, and an empty pixel reads as a cell that is free.
  if (!isWhole) {
    picture.close();
    throw new Error(`a map of ${width_cells} × ${height_cells} cells has a picture of another size`);
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width_cells, height_cells];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  picture.close();
  // The picture is grey: the first of its four bytes says what the next two say again.
  const pixels = context?.getImageData(0, 0, width_cells, height_cells).data ?? new Uint8ClampedArray();
  return Uint8Array.from({ length: width_cells * height_cells }, (_, index) => pixels[4 * index] ?? UNKNOWN);
}

/** Value of a cell that nobody has seen. */
export const UNKNOWN = 255;
