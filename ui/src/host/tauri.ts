// The host of the app window: two commands of the shell.

import { Channel, invoke } from "@tauri-apps/api/core";
import type { DeskStatus } from "../generated/bindings/DeskStatus";
import type { Frame } from "../generated/bindings/Frame";
import { Desk } from "./desk";
import { type Host, type OnState, toHostError } from "./host";

/** Wait before the channel is asked for again; the backend lives in the same process, so one pace is enough. */
const RECONNECT_MS = 500;

/** True if this page runs inside the app's window. */
export function isAppWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}

/** A host that calls the backend of this process, which hands on what is meant for a station elsewhere. */
export function createTauriHost(): Host {
  return {
    call,
    subscribe,
    desk: new Desk(
      (act) => call<DeskStatus>("desk", act),
      () => location.reload(),
    ),
  };
}

async function call<Output>(name: string, input: unknown, signal?: AbortSignal): Promise<Output> {
  const answer = invoke<Output>("call", { name, input });
  try {
    return await (signal ? Promise.race([answer, aborted(signal)]) : answer);
  } catch (thrown) {
    throw toHostError(thrown);
  }
}

/** The shell cannot take a call back; the window stops waiting for it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}

function subscribe(onFrame: (frame: Frame) => void, onState: OnState): () => void {
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    const channel = new Channel<Frame | { connected: boolean }>((item) => {
      if (closed) return;
      if ("seq" in item) onFrame(item);
      else onState(item.connected);
    });
    // The shell ends the feed that this window had before: a page that was reloaded has one, not two.
    invoke("subscribe", { channel }).catch(() => {
      onState(false);
      if (!closed) timer = setTimeout(open, RECONNECT_MS);
    });
  };
  open();

  return () => {
    closed = true;
    clearTimeout(timer);
  };
}
