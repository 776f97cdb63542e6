// Pieces that meet at their ends as one line: a drawing program writes a wall as many of them.

import type { Line } from "./plan-file";
import { extentOf } from "./simplify";

/** Ends nearer than this part of the drawing's size are one point. */
const SAME_PART = 1e-6;

/** The same lines, with those that meet at their ends joined. */
export function joined(lines: readonly Line[]): Line[] {
  // The ends of a drawing without extent must not be divided by 0.
  const pieces = new Pieces(lines, Math.max(extentOf(lines) * SAME_PART, Number.MIN_VALUE));
  return lines.flatMap((line, index) => {
    if (!pieces.take(index)) return [];
    const onward = pieces.extend([...line]);
    // The other way round it may go on as well, unless it is closed by now.
    return [pieces.extend(onward.toReversed()).toReversed()];
  });
}

/** Lines that have not been joined yet, by the places of their ends. */
class Pieces {
  readonly #lines: readonly Line[];
  readonly #grid: number;
  readonly #taken: Uint8Array;
  readonly #at = new Map<string, number[]>();

  constructor(lines: readonly Line[], grid: number) {
    this.#lines = lines;
    this.#grid = grid;
    this.#taken = new Uint8Array(lines.length);
    for (const [index, line] of lines.entries()) {
      for (const end of new Set([this.#key(line, 0), this.#key(line, -1)])) {
        const known = this.#at.get(end);
        if (known) known.push(index);
        else this.#at.set(end, [index]);
      }
    }
  }

  /** Takes a line, if nobody has. */
  take(index: number): boolean {
    if (this.#taken[index] === 1) return false;
    this.#taken[index] = 1;
    return true;
  }

  /** Goes on from the end of a line while another begins or ends there. */
  extend(line: Line): Line {
    const start = this.#key(line, 0);
    for (let end = this.#key(line, -1); end !== start; end = this.#key(line, -1)) {
      const next = this.#next(end);
      if (!next) break;
      const onward = this.#key(next, 0) === end ? next : next.toReversed();
      for (const point of onward.slice(1)) line.push(point);
    }
    return line;
  }

  #next(end: string): Line | undefined {
    const candidates = this.#at.get(end) ?? [];
    for (let index = candidates.pop(); index !== undefined; index = candidates.pop()) {
      if (this.take(index)) return this.#lines[index];
    }
    return undefined;
  }

  #key(line: Line, at: number): string {
    const [x = 0, y = 0] = line.at(at) ?? [];
    return `${Math.round(x / this.#grid)} ${Math.round(y / this.#grid)}`;
  }
}
