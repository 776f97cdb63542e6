// What a station looks like to the window, whichever transport carries it.

import type { Frame } from "../generated/bindings/Frame";

/** The two things a host does. Views cannot tell which host they run on. */
export type Host = {
  /** Calls an operation; rejects with a [`HostError`]. */
  call: <Output>(name: string, input: unknown, signal?: AbortSignal) => Promise<Output>;
  /** Delivers frames until the returned function is called; `onState` tells whether the channel is open. */
  subscribe: (onFrame: (frame: Frame) => void, onState: (connected: boolean) => void) => () => void;
};

/** A refusal or a failed transport. Screens match on `code`, never on the sentence. */
export class HostError extends Error {
  readonly code: string;
  readonly details: unknown;
  readonly status: number;

  constructor(code: string, message: string, details: unknown = null, status = 0) {
    super(message);
    this.name = "HostError";
    this.code = code;
    this.details = details;
    this.status = status;
  }
}

/** Turns whatever a transport threw into a [`HostError`], keeping the station's code if there is one. */
export function toHostError(thrown: unknown, status = 0): HostError {
  if (thrown instanceof HostError) return thrown;
  if (isRefusal(thrown)) return new HostError(thrown.code, thrown.message, thrown.details ?? null, status);
  if (thrown instanceof DOMException && (thrown.name === "AbortError" || thrown.name === "TimeoutError")) {
    return new HostError("no_answer", "The station did not answer in time.", null, status);
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new HostError("unreachable", `The station could not be reached: ${text}`, null, status);
}

type Refusal = { code: string; message: string; details?: unknown };

function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}
