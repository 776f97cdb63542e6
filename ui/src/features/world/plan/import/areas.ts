// Named areas of a drawing: closed lines with the names that it gives them. Names are what whoever drew it wrote.

import type { Drawing, Line } from "./plan-file";
import { extentOf, simplified } from "./simplify";

/** Bounds that the station keeps, too. */
const AREAS_MAX = 200;
const NAME_CHARS_MAX = 60;
/** Corners of an area; finer ones are simplified until they have no more. */
const CORNERS_MAX = 90;
/** An edge with more points before they are simplified is a picture. */
const EDGE_POINTS_MAX = 5_000;
/** The first tolerance, as a part of the area's size, and the steps in which it grows. */
const FIRST_PART = 1 / 2_000;
const COARSER = 1.6;
const STEPS_MAX = 16;
/** Coordinates that differ by less than this part of them are the same. */
const SAME_PART = 1e-9;
/** Equal names that are told apart by a number. */
const SAME_MAX = AREAS_MAX;

/** Collects named areas, no more than a plan may have. */
export class Areas {
  /** Their last points are not their first. */
  readonly all: Drawing["areas"] = [];
  readonly #names = new Set<string>();

  /** Adds a closed line; one without a name, or with too few corners, is no area. */
  add(written: string, closed: Line): void {
    const name = this.#free(plainName(written));
    const corners = cornersOf(closed);
    if (name === null || corners === null || this.all.length >= AREAS_MAX) return;
    this.#names.add(name);
    this.all.push({ name, corners });
  }

  /** A name that no other area has, with a number where the drawing gives it twice. */
  #free(name: string): string | null {
    if (name === "") return null;
    if (!this.#names.has(name)) return name;
    for (let number = 2; number <= SAME_MAX; number += 1) {
      const numbered = `${cut(name, NAME_CHARS_MAX - ` ${number}`.length)} ${number}`;
      if (!this.#names.has(numbered)) return numbered;
    }
    return null;
  }
}

/** True if a line ends where it begins and encloses something. */
export function isClosed(line: Line): boolean {
  const [first, last] = [line[0], line.at(-1)];
  if (line.length < 4 || first === undefined || last === undefined) return false;
  return isSame(first[0], last[0]) && isSame(first[1], last[1]);
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_PART * Math.max(1, Math.abs(a));
}

/** A name without signs that nobody sees, on one line, no longer than the station takes. */
function plainName(written: string): string {
  // Signs that change the direction of text would let one area pass for another.
  const plain = written.normalize("NFC").replaceAll(/\s+/gu, " ").replaceAll(/\p{C}/gu, "").trim();
  return cut(plain, NAME_CHARS_MAX);
}

function cut(name: string, chars: number): string {
  return [...name].slice(0, chars).join("").trim();
}

function cornersOf(closed: Line): Line | null {
  if (closed.length > EDGE_POINTS_MAX) return null;
  let tolerance = extentOf([closed]) * FIRST_PART;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const fewer = simplified(closed, tolerance).slice(0, -1);
    if (fewer.length <= CORNERS_MAX) return fewer.length > 2 ? fewer : null;
    tolerance *= COARSER;
  }
  return null;
}
