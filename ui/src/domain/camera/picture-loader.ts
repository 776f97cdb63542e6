// Asks for the pictures of every pane of a window, one request at a time: a browser has few connections to a station,
// and STOP ALL must never wait for one that carries a picture.

import type { CameraFrame } from "../../generated/bindings/CameraFrame";
import type { Host, HostError } from "../../host/host";
import { toHostError } from "../../host/host";
import { operation } from "../../host/operations";
import { type CameraAnswer, readCameraAnswer } from "../../host/picture";

/** A pane shows at most ten pictures a second (U-406). */
const PANE_MS_MIN = 100;
/** A slow camera is asked about once a second all the same: its fault shows soon. */
const PANE_MS_MAX = 1_000;
/** Least time between two requests of the window: 40 a second of the 100 that a station answers. */
const REQUEST_MS_MIN = 25;
/** Ten pictures of 256 KiB a second: larger ones come less often. */
const BYTES_PER_MS = 2_622;
/** Wait after a request that failed. */
const FAILED_MS = 1_000;
/** An answer that takes longer is not waited for. */
const ANSWER_MS_MAX = 5_000;

/** Receiver of what the station answers about a camera. */
export type Pane = {
  robot: string;
  camera: string;
  rate_hz: number;
  /** Shows the newest facts, and the picture if there is a newer one; the next is asked for when this is done. */
  onAnswer: (facts: CameraFrame, jpeg: Blob | null) => Promise<void>;
  onError: (error: HostError) => void;
};

type Watcher = { pane: Pane; due_ms: number; after_mono_ms: number | undefined };

/** Loads pictures for the panes that are visible. */
export class PictureLoader {
  readonly #host: Host;
  readonly #watchers = new Set<Watcher>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading = false;
  #free_ms = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Loads for `pane` until the returned function is called. */
  watch(pane: Pane): () => void {
    const watcher: Watcher = { pane, due_ms: performance.now(), after_mono_ms: undefined };
    this.#watchers.add(watcher);
    this.#schedule();
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#loading || this.#watchers.size === 0) return;
    const next = [...this.#watchers].toSorted((a, b) => a.due_ms - b.due_ms)[0];
    if (!next) return;
    const wait_ms = Math.max(0, next.due_ms - performance.now(), this.#free_ms - performance.now());
    this.#timer = setTimeout(() => void this.#load(next), wait_ms);
  }

  async #load(watcher: Watcher): Promise<void> {
    if (!this.#watchers.has(watcher)) {
      this.#schedule();
      return;
    }
    this.#loading = true;
    const asked_ms = performance.now();
    this.#free_ms = asked_ms + REQUEST_MS_MIN;
    watcher.due_ms = asked_ms + (await this.#ask(watcher));
    this.#loading = false;
    this.#schedule();
  }

  /** One question and its answer; the time until the next question about this camera, ms. */
  async #ask(watcher: Watcher): Promise<number> {
    const { pane, after_mono_ms } = watcher;
    const { robot, camera } = pane;
    const input = after_mono_ms === undefined ? { robot, camera } : { robot, camera, after_mono_ms };
    try {
      // Without an end one answer that never comes would stop the pictures of every pane.
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      const answer = readCameraAnswer(await operation(this.#host, "camera_frame", input, signal));
      if (answer === null || !this.#watchers.has(watcher)) return FAILED_MS;
      if (isOfAnotherRun(answer, after_mono_ms)) {
        watcher.after_mono_ms = undefined;
        return PANE_MS_MIN;
      }
      watcher.after_mono_ms = answer.facts.observed_mono_ms ?? undefined;
      await pane.onAnswer(answer.facts, answer.jpeg);
      return Math.max(paneMs(pane.rate_hz), (answer.jpeg?.size ?? 0) / BYTES_PER_MS);
    } catch (thrown) {
      // A pane that has gone meanwhile has nobody to tell.
      if (this.#watchers.has(watcher)) pane.onError(toHostError(thrown));
      return FAILED_MS;
    }
  }
}

/**
 * True for facts about a picture that is older than the one the pane has. The clock of a station begins anew with every
 * start: such facts are about a picture that never came, and would make the pane's own one look new.
 */
function isOfAnotherRun({ facts, jpeg }: CameraAnswer, after_mono_ms: number | undefined): boolean {
  return jpeg === null && after_mono_ms !== undefined && (facts.observed_mono_ms ?? after_mono_ms) < after_mono_ms;
}

/** Time between two questions: twice as often as pictures come, so that none waits for long. */
export function paneMs(rate_hz: number): number {
  return Math.min(PANE_MS_MAX, Math.max(PANE_MS_MIN, 500 / rate_hz));
}

const LOADERS = new WeakMap<Host, PictureLoader>();

/** The loader of the window. */
export function loaderOf(host: Host): PictureLoader {
  const loader = LOADERS.get(host) ?? new PictureLoader(host);
  LOADERS.set(host, loader);
  return loader;
}
