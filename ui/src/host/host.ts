// Interface of a station to the window, whichever transport carries it.

import type { Desk } from "./desk";
import { spoken } from "./language";
import type { Frame } from "../generated/bindings/Frame";
import type { ErrorCode } from "../generated/error-codes";

/** The two things a host does. Views cannot tell which host they run on. */
export type Host = {
  /** Calls an operation; rejects with a [`HostError`]. */
  call: <Output>(name: string, input: unknown, signal?: AbortSignal) => Promise<Output>;
  /** Delivers frames until the returned function is called; `onState` tells whether the channel is open. */
  subscribe: (onFrame: (frame: Frame) => void, onState: OnState) => () => void;
  /** Chooses the station; only the app's window can. */
  desk?: Desk;
};

/** `crowded` is true where the station has let no channel open because too many windows listen. */
export type OnState = (connected: boolean, crowded?: boolean) => void;

/** The codes of a transport that failed: no answer in time, an answer that is none, nobody there. */
export type TransportCode = "no_answer" | "bad_answer" | "unreachable";

/** A refusal or a failed transport. Screens match on `code`, never on the sentence. */
export class HostError extends Error {
  readonly code: ErrorCode | TransportCode;
  readonly details: unknown;
  readonly status: number;

  constructor(code: ErrorCode | TransportCode, message: string, details: unknown = null, status = 0) {
    super(message);
    this.name = "HostError";
    this.code = code;
    this.details = details;
    this.status = status;
  }
}

/** Compiled in, because STOP ALL says them too. */
const NO_ANSWER = {
  en: "The station did not answer in time.",
  de: "Die Station hat nicht rechtzeitig geantwortet.",
};
const UNREACHABLE = { en: "The station cannot be reached.", de: "Die Station ist nicht erreichbar." };

/** Turns whatever a transport threw into a [`HostError`], keeping the station's code if there is one. */
export function toHostError(thrown: unknown, status = 0): HostError {
  if (thrown instanceof HostError) return thrown;
  if (isRefusal(thrown)) return new HostError(thrown.code, thrown.message, thrown.details ?? null, status);
  if (thrown instanceof DOMException && (thrown.name === "AbortError" || thrown.name === "TimeoutError")) {
    return new HostError("no_answer", spoken(NO_ANSWER), null, status);
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new HostError("unreachable", spoken(UNREACHABLE), { cause: text }, status);
}

type Refusal = { code: ErrorCode; message: string; details?: unknown };

/** Every code that a station sends stands in the generated type, so a text is taken for one. */
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
