// The host of a browser: HTTP for operations, one WebSocket for frames.

import { spoken } from "./language";
import type { Frame } from "../generated/bindings/Frame";
import { type Host, HostError, toHostError } from "./host";

/** First wait before the WebSocket is opened again; it doubles up to [`RECONNECT_MS_MAX`]. */
const RECONNECT_MS_MIN = 250;
/** Longest wait: an operator who restarts a station should not look at a dead window for long. */
const RECONNECT_MS_MAX = 4_000;

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
  if (response.status === 401) onRefused();
  if (response.headers.get("content-type") === "image/jpeg") return (await response.arrayBuffer()) as Output;
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as Output;
  if (body === null) throw new HostError("bad_answer", badAnswer(response.status));
  throw toHostError(body, response.status);
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
  onState: (connected: boolean) => void,
): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait_ms = RECONNECT_MS_MIN;
  let live = false;
  let closed = false;

  const open = () => {
    socket = new WebSocket(`${origin.replace(/^http/, "ws")}/events`);
    // The token travels as the first message: an address with a token in it would end up in logs.
    socket.addEventListener("open", () => socket?.send(JSON.stringify({ token })));
    socket.addEventListener("message", (message: MessageEvent<string>) => {
      const frame = parseFrame(message.data);
      // The only other thing a station says here is why it refuses the token; it then closes.
      if (!frame) return onRefused();
      if (!live) onState(true);
      live = true;
      wait_ms = RECONNECT_MS_MIN;
      onFrame(frame);
    });
    socket.addEventListener("close", () => {
      if (closed) return;
      live = false;
      onState(false);
      timer = setTimeout(open, wait_ms);
      wait_ms = Math.min(wait_ms * 2, RECONNECT_MS_MAX);
    });
  };
  open();

  return () => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function parseFrame(text: string): Frame | null {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "seq" in value ? (value as Frame) : null;
}
