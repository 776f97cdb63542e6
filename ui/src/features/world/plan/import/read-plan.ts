// Has the files of an import read by a thread of its own.

import { FILE_BYTES_MAX, type FaultCode, PlanFault } from "./plan-file";
import type { Bytes, Found } from "./read-files";

/** A message of the thread: how far it is, what it found, or why it found nothing. */
export type FromWorker = { part: number } | { found: Found } | { fault: { code: FaultCode; detail: string } };

/** Reads files; `signal` gives it up. Sizes are looked at before anything is read. */
export async function readPlan(
  files: readonly File[],
  onPart: (part: number) => void,
  signal: AbortSignal,
): Promise<Found> {
  if (files.some(({ size }) => size > FILE_BYTES_MAX)) throw new PlanFault("too_large");
  const read = await Promise.all(
    files.map(async (file): Promise<Bytes> => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./plan-worker.ts", import.meta.url), { type: "module" });
    const end = () => worker.terminate();
    signal.addEventListener("abort", () => {
      end();
      reject(new DOMException("given up", "AbortError"));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if ("part" in data) return onPart(data.part);
      end();
      if ("found" in data) resolve(data.found);
      else reject(new PlanFault(data.fault.code, data.fault.detail));
    });
    // A thread whose code cannot be loaded tells it by this event alone.
    worker.addEventListener("error", () => {
      end();
      reject(new PlanFault("unreadable"));
    });
    worker.postMessage(read, { transfer: read.map(({ bytes }) => bytes.buffer) });
  });
}
