// The host of a browser: HTTP for operations, one WebSocket for frames.

import { spoken } from "./language";
import type { Frame } from "../generated/bindings/Frame";
import { type Host, HostError, type OnState, toHostError } from "./host";

/** First wait before the WebSocket is opened again; it doubles up to [`RECONNECT_MS_MAX`]. */
const RECONNECT_MS_MIN = 250;
/** Longest wait: an operator who restarts a station should not look at a dead window for long. */
const RECONNECT_MS_MAX = 4_000;
/** The station sends four frames a second: a channel that is silent for so long is dead, though the socket is open. */
const SILENT_MS_MAX = 5_000;
/** A slow network needs longer than that for the first one. */
const FIRST_FRAME_MS_MAX = 10_000;
/** The station closes with this code where too many windows listen already. */
const CLOSED_CROWDED = 1013;

/** A host that speaks to the server this page came from. `onRefused` is called when the token is no longer accepted. */
export function createWebHost(origin: string, token: string, onRefused: () => void): Host {
  return {
    call: (name, input, signal) => call(origin, token, onRefused, name, input, signal),
    subscribe: (onFrame, onState) => subscribe(origin, token, onRefused, onFrame, onState),
  };
}

async function call<Output>(
  origin: string,
  token: string,
  onRefused: () => void,
  name: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<Output> {
  let response: Response;
  try {
    response = await fetch(`${origin}/op/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(input),
      signal: signal ?? null,
    });
  } catch (thrown) {
    throw toHostError(thrown);
  }
  // Tokens are revoked, and those of a server end with it: nothing here is this person's any more.
  if (response.status === 401) onRefused();
  if (response.headers.get("content-type") === "image/jpeg") return (await bodyOf(response, "arrayBuffer")) as Output;
  const body = await bodyOf(response, "json");
  if (response.ok) return body as Output;
  throw toHostError(body, response.status);
}

/** An answer that breaks off is none: half of one must not count as the whole of another. */
async function bodyOf(response: Response, kind: "json" | "arrayBuffer"): Promise<unknown> {
  try {
    return await response[kind]();
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new HostError("bad_answer", badAnswer(response.status));
    throw toHostError(thrown, response.status);
  }
}

function badAnswer(status: number): string {
  return spoken({
    en: `The station answered with status ${status}.`,
    de: `Die Station hat mit Status ${status} geantwortet.`,
  });
}

function subscribe(
  origin: string,
  token: string,
  onRefused: () => void,
  onFrame: (frame: Frame) => void,
  onState: OnState,
): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setTimeout> | undefined;
  let wait_ms = RECONNECT_MS_MIN;
  let live = false;

  const open = () => {
    const own = new WebSocket(`${origin.replace(/^http/, "ws")}/events`);
    socket = own;
    const end = (crowded: boolean) => {
      if (socket !== own) return;
      socket = null;
      clearTimeout(watch);
      live = false;
      onState(false, crowded);
      timer = setTimeout(open, wait_ms);
      wait_ms = Math.min(wait_ms * 2, RECONNECT_MS_MAX);
    };
    const watchFor = (silent_ms: number) => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        // Not by its event: a socket whose other end has gone takes long to say that it is closed.
        end(false);
        own.close();
      }, silent_ms);
    };
    watchFor(FIRST_FRAME_MS_MAX);
    // The token travels as the first message: an address with a token in it would end up in logs.
    own.addEventListener("open", () => own.send(JSON.stringify({ token })));
    own.addEventListener("message", (message: MessageEvent<string>) => {
      // A socket that was given up may still have frames: they are older than those of the next one.
      if (socket !== own) return;
      const frame = parseFrame(message.data);
      // The only other thing a station says here is why it refuses the token; it then closes.
      if (!frame) return onRefused();
      if (!live) onState(true);
      live = true;
      wait_ms = RECONNECT_MS_MIN;
      watchFor(SILENT_MS_MAX);
      onFrame(frame);
    });
    own.addEventListener("close", ({ code }) => end(code === CLOSED_CROWDED));
  };
  open();

  return () => {
    const last = socket;
    socket = null;
    clearTimeout(timer);
    clearTimeout(watch);
    last?.close();
  };
}

function parseFrame(text: string): Frame | null {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "seq" in value ? (value as Frame) : null;
}
