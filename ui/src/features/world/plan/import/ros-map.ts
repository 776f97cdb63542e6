// A map of ROS: `map.yaml`, which says how large a cell is and where the map lies, and its picture, a PGM.

import { parse } from "yaml";
import { type Drawing, type Line, PlanFault } from "./plan-file";
import { simplified } from "./simplify";
import { type Cells, outlines } from "./trace";

/** The facts in `map.yaml`. */
export type MapFacts = {
  resolution: number;
  origin: readonly [number, number, number];
  negate: boolean;
  occupied_thresh: number;
};

/** Cells that a map may have. */
const CELLS_MAX = 25_000_000;
/** Stairs of slanted walls are smoothed by this, cells. */
const TOLERANCE_CELLS = 0.9;
/** A single cell is a speck, not a wall. */
const SPECK_CELLS = 1;

/** Reads `map.yaml`. */
export function readMapFacts(text: string): MapFacts {
  const facts = parsed(text);
  const resolution = facts["resolution"];
  if (typeof resolution !== "number" || !(resolution > 0) || !Number.isFinite(resolution))
    throw new PlanFault("bad_resolution");
  const origin = facts["origin"];
  const [x, y, yaw = 0] = Array.isArray(origin) ? origin.map(Number) : [];
  if (x === undefined || y === undefined || ![x, y, yaw].every(Number.isFinite))
    throw new PlanFault("bad_map", "origin");
  const occupied_thresh = facts["occupied_thresh"] ?? 0.65;
  if (typeof occupied_thresh !== "number" || !(occupied_thresh >= 0 && occupied_thresh <= 1))
    throw new PlanFault("bad_map", "occupied_thresh");
  return { resolution, origin: [x, y, yaw], negate: Number(facts["negate"] ?? 0) === 1, occupied_thresh };
}

function parsed(text: string): Record<string, unknown> {
  try {
    // Aliases are nothing that a map needs, and can be made to grow without end.
    const value: unknown = parse(text, { maxAliasCount: 0 });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new PlanFault("bad_map", "map.yaml");
}

/** Reads a PGM, in letters (P2) or in bytes (P5), as cells that are occupied by what the map says. */
export function readPgm(bytes: Uint8Array, { negate, occupied_thresh }: MapFacts): Cells {
  const head = new Head(bytes);
  const magic = head.word();
  if (magic !== "P5" && magic !== "P2") throw new PlanFault("not_pgm");
  const [width, height, most] = [head.number(), head.number(), head.number()];
  if (!(width > 0 && height > 0 && most > 0 && most < 65_536)) throw new PlanFault("not_pgm");
  // Before anything of that size is allocated: the head of a file may name any.
  if (width * height > CELLS_MAX) throw new PlanFault("too_large");
  const wide = most > 255 ? 2 : 1;
  const start = head.at + 1;
  if (magic === "P5" && bytes.length < start + width * height * wide) throw new PlanFault("pgm_cut_off");
  const occupied = new Uint8Array(width * height);
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let column = 0; column < width; column += 1) {
      // Rows come from the top; the origin of a map is its lower left corner.
      const place = (height - 1 - row) * width + column;
      const value = magic === "P5" ? sample(bytes, start + place * wide, wide) : head.number();
      if (!Number.isFinite(value)) throw new PlanFault("pgm_cut_off");
      const share = value / most;
      if ((negate ? share : 1 - share) > occupied_thresh) occupied[row * width + column] = 1;
    }
  }
  return { width, height, occupied };
}

/** The walls of a map, in metres of its frame. */
export function readRosMap(yaml: string, image: Uint8Array, onPart: (part: number) => void): Drawing {
  const facts = readMapFacts(yaml);
  const traced = outlines(readPgm(image, facts), onPart);
  const { resolution, origin } = facts;
  const [cos, sin] = [Math.cos(origin[2]), Math.sin(origin[2])];
  const place = ([x, y]: Line[0] & {}): Line[0] & {} => [
    origin[0] + resolution * (cos * x - sin * y),
    origin[1] + resolution * (sin * x + cos * y),
  ];
  const walls = traced.filter((line) => !isSpeck(line));
  const lines = walls.map((line) => ring(line).map(place));
  return { kind: "ros_map", lines, areas: [], metres_per_unit: 1, placed: true };
}

/** A closed line is simplified in two halves: its ends are one point, from which nothing is far. */
function ring(line: Line): Line {
  const half = Math.floor(line.length / 2);
  return [
    ...simplified(line.slice(0, half + 1), TOLERANCE_CELLS).slice(0, -1),
    ...simplified(line.slice(half), TOLERANCE_CELLS),
  ];
}

function isSpeck(line: Line): boolean {
  const [x, y] = line[0] ?? [0, 0];
  return line.every(([px, py]) => Math.abs(px - x) <= SPECK_CELLS && Math.abs(py - y) <= SPECK_CELLS);
}

function sample(bytes: Uint8Array, at: number, wide: number): number {
  return wide === 1 ? (bytes[at] ?? Number.NaN) : (bytes[at] ?? Number.NaN) * 256 + (bytes[at + 1] ?? Number.NaN);
}

/** Words of a PGM; a `#` begins a comment. */
class Head {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  word(): string {
    this.#skip();
    let text = "";
    while (this.at < this.#bytes.length && !isSpace(this.#bytes[this.at])) {
      text += String.fromCharCode(this.#bytes[this.at] ?? 0);
      this.at += 1;
    }
    return text;
  }

  number(): number {
    const word = this.word();
    return /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
  }

  #skip(): void {
    while (this.at < this.#bytes.length) {
      if (this.#bytes[this.at] === 0x23)
        while (this.at < this.#bytes.length && this.#bytes[this.at] !== 0x0a) this.at += 1;
      else if (isSpace(this.#bytes[this.at])) this.at += 1;
      else return;
    }
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}
