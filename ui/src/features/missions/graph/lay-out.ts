// A layered layout, worked out by a thread of its own.

import type { Box, Pair, Point } from "./graph-model";

/** The upper left corner of each box; `signal` gives it up. */
export function layOut(
  boxes: readonly Box[],
  pairs: readonly Pair[],
  signal: AbortSignal,
): Promise<Map<string, Point>> {
  return new Promise((resolve, reject) => {
    // One worker per layout: terminating it is the only way to stop a layout half way.
    const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    const end = () => worker.terminate();
    signal.addEventListener("abort", () => {
      end();
      reject(new DOMException("given up", "AbortError"));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<[string, Point][]>) => {
      end();
      resolve(new Map(data));
    });
    worker.addEventListener("error", (event) => {
      end();
      reject(new Error(event.message));
    });
    worker.postMessage({ boxes, pairs }, { transfer: [] });
  });
}
