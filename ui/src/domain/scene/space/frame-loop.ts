// Draws when asked to, not more often than 30 times a second, and notices when that is too much for this computer.

import { FRAME_MS_MIN, type FrameTime, isSlow, withFrame } from "./pace";

/** Frames come a little early or late. */
const JITTER_MS = 2;

/** One loop; at rest it does nothing at all. */
export class FrameLoop {
  readonly #draw: () => void;
  readonly #onSlow: () => void;
  #request = 0;
  #probe = 0;
  #last_ms = Number.NEGATIVE_INFINITY;
  #frames: FrameTime[] = [];

  constructor(draw: () => void, onSlow: () => void) {
    this.#draw = draw;
    this.#onSlow = onSlow;
  }

  /** Draws in a moment; asking twice draws once. */
  readonly request = (): void => {
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#frame);
  };

  /** Draws no more. */
  stop(): void {
    cancelAnimationFrame(this.#request);
    cancelAnimationFrame(this.#probe);
  }

  readonly #frame = (now_ms: number): void => {
    this.#request = 0;
    // Too early is not never: whoever asked last must see what has changed since.
    if (now_ms - this.#last_ms < FRAME_MS_MIN - JITTER_MS) return this.request();
    this.#last_ms = now_ms;
    this.#draw();
    // The graphics card draws asynchronously: its time shows in the moment the browser is ready for the next frame.
    cancelAnimationFrame(this.#probe);
    this.#probe = requestAnimationFrame((then_ms) => this.#took({ at_ms: now_ms, took_ms: then_ms - now_ms }));
  };

  #took(frame: FrameTime): void {
    // A hidden window gets no frames: that gap is nobody's slowness.
    if (document.hidden) return;
    this.#frames = withFrame(this.#frames, frame);
    if (isSlow(this.#frames)) this.#onSlow();
  }
}
