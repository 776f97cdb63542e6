// Fingers and the mouse on a scene: one moves it, two move and zoom it, and a press that did not move is a click.

import type { Spot } from "./view";

/** A press that moves less than this is a click, px. */
const CLICK_PX = 4;

/** A move of the scene: by pixels, and nearer by a factor about a spot. */
export type Move = { right_px: number; down_px: number; factor: number; at: Spot };

/** The pointers that are down on one scene. */
export class Gestures {
  readonly #down = new Map<number, Spot>();
  #start: Spot | null = null;
  #moved = false;

  /** True while a press moves the scene. */
  get moving(): boolean {
    return this.#down.size > 0 && this.#moved;
  }

  /** A pointer goes down. */
  press(id: number, spot: Spot): void {
    if (this.#down.size === 0) {
      this.#start = spot;
      this.#moved = false;
    } else {
      // A second finger makes it a gesture: whichever is lifted first clicked on nothing.
      this.#moved = true;
    }
    this.#down.set(id, spot);
  }

  /** A pointer moves: the move of the scene that follows, if any does. */
  move(id: number, spot: Spot): Move | null {
    const before = this.#down.get(id);
    if (!before) return null;
    if (!this.#moved && this.#start && distance(this.#start, spot) < CLICK_PX) return null;
    this.#moved = true;
    const [other] = [...this.#down].filter(([key]) => key !== id).map(([, at]) => at);
    this.#down.set(id, spot);
    if (!other) return { right_px: spot[0] - before[0], down_px: spot[1] - before[1], factor: 1, at: spot };
    const [was, is] = [halfway(before, other), halfway(spot, other)];
    const apart_px = distance(before, other);
    return {
      right_px: is[0] - was[0],
      down_px: is[1] - was[1],
      factor: apart_px === 0 ? 1 : distance(spot, other) / apart_px,
      at: is,
    };
  }

  /** A pointer goes up, or is lost: the spot that was clicked, if it was a click. */
  release(id: number, lost: boolean): Spot | null {
    const spot = this.#down.get(id);
    this.#down.delete(id);
    return spot && !this.#moved && !lost ? spot : null;
  }
}

/** Nearer by this factor for one pixel of the wheel, as a power of e. */
const WHEEL_PER_PX = 0.0016;
/** A trackpad's pinch comes as a wheel in small steps. */
const PINCH_PER_PX = 0.01;
/** Pixels of a line and of a page, for wheels that count in those. */
const LINE_PX = 24;
const PAGE_PX = 400;
/** No single turn of a wheel goes further. */
const FACTOR_MAX = 2;

/** The zoom that a turn of the wheel asks for. */
export function wheelFactor({ deltaY, deltaMode, ctrlKey }: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">) {
  const px = deltaY * ([1, LINE_PX, PAGE_PX][deltaMode] ?? 1);
  const factor = Math.exp(-px * (ctrlKey ? PINCH_PER_PX : WHEEL_PER_PX));
  return Math.min(FACTOR_MAX, Math.max(1 / FACTOR_MAX, factor));
}

function distance(one: Spot, other: Spot): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

function halfway(one: Spot, other: Spot): Spot {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}
