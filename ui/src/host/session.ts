// Joins host, live store and queries for the life of the window.

import type { Frame } from "../generated/bindings/Frame";
import { type Host, type OnState, toHostError } from "./host";
import type { LiveStore } from "./live-store";
import { aboutAgent, operation } from "./operations";
import type { TagInvalidator } from "./query";
import { outdatedBy } from "./tags";

/** Least time between two snapshots, also after one that failed. */
const SNAPSHOT_EVERY_MS = 1_000;
/** One that hangs would keep every later one from being asked for, ms. */
const ANSWER_MS_MAX = 10_000;

/** Starts frames, ticker and snapshots; returns how to end them. */
export function startSession(
  host: Host,
  store: LiveStore,
  rows: Pick<TagInvalidator, "invalidate" | "invalidateAll">,
): () => void {
  const snapshots = new Snapshots(host, store);

  const onFrame = (frame: Frame) => {
    store.applyFrame(frame, performance.now());
    if (frame.facts.some((fact) => fact.kind === "resync")) {
      rows.invalidateAll();
      snapshots.request();
      return;
    }
    const tags = outdatedBy(frame, store.agent);
    rows.invalidate(tags);
    // Nothing announces that acting as Admin has run out; only the station says what the role is then.
    const admin_over = frame.mono_ms >= (store.session?.admin_until_mono_ms ?? Number.POSITIVE_INFINITY);
    if (tags.includes("robots") || admin_over) snapshots.request();
  };

  const onState: OnState = (connected, crowded) => {
    store.setConnected(connected, crowded);
    if (!connected) return;
    rows.invalidateAll();
    snapshots.request();
  };

  let shown = store.agent;
  const stopWatching = store.subscribe(() => {
    if (store.agent === shown) return;
    shown = store.agent;
    snapshots.request();
  });
  const stopTicker = store.startTicker(() => performance.now());
  const unsubscribe = host.subscribe(onFrame, onState);
  return () => {
    snapshots.end();
    stopWatching();
    stopTicker();
    unsubscribe();
  };
}

/** Loads who is signed in and the state of safety, one request at a time. */
class Snapshots {
  readonly #host: Host;
  readonly #store: LiveStore;
  #state: "idle" | "loading" | "resting" | "ended" = "idle";
  #again = false;

  constructor(host: Host, store: LiveStore) {
    this.#host = host;
    this.#store = store;
  }

  /** Loads now, or as soon as the one under way allows. */
  request(): void {
    if (this.#state === "idle") void this.#load();
    // One at a time, so that answers cannot overtake one another.
    else this.#again = true;
  }

  end(): void {
    this.#state = "ended";
  }

  async #load(): Promise<void> {
    this.#state = "loading";
    this.#again = false;
    const { agent, sessionRevision, safetyRevision, linkRevision } = this.#store;
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    try {
      const [session, safety] = await Promise.all([
        operation(this.#host, "session_info", aboutAgent("session_info", {}, agent), signal),
        operation(this.#host, "safety_status", {}, signal),
      ]);
      if (this.#isEnded()) return;
      // A fact that came meanwhile may be newer than the answer: a stop must never flicker back to rest.
      const is_current = this.#store.safetyRevision === safetyRevision;
      // The desk was locked or another agent chosen meanwhile: the answer is about before.
      const is_same = this.#store.sessionRevision === sessionRevision;
      if (is_same)
        this.#store.applySession(is_current ? session : { ...session, mode: this.#store.mode ?? session.mode });
      if (is_current) this.#store.applySafety(safety, linkRevision);
      if (!is_current || !is_same) this.#again = true;
    } catch (thrown) {
      // The agent chosen in this window before is not one of this station any more.
      if (toHostError(thrown).code === "agent_not_found" && this.#store.agent === agent) this.#store.chooseAgent(null);
      // The banner and the STOP button already say that the station is away; here it is only asked again.
      this.#again = true;
    }
    this.#rest();
  }

  #isEnded(): boolean {
    return this.#state === "ended";
  }

  #rest(): void {
    if (this.#isEnded()) return;
    this.#state = "resting";
    setTimeout(() => {
      if (this.#state !== "resting") return;
      this.#state = "idle";
      if (this.#again) this.request();
    }, SNAPSHOT_EVERY_MS);
  }
}
