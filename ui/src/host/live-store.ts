// The newest value of everything the station pushes. A plain object outside React: components read it through
// selectors, canvases read it when they draw.

import type { Fact } from "../generated/bindings/Fact";
import type { Frame } from "../generated/bindings/Frame";
import type { LinkState } from "../generated/bindings/LinkState";
import type { Mode } from "../generated/bindings/Mode";
import type { RobotSafety } from "../generated/bindings/RobotSafety";
import type { SafetyStatus } from "../generated/bindings/SafetyStatus";
import type { SessionInfo } from "../generated/bindings/SessionInfo";
import type { Signal } from "../generated/bindings/Signal";
import type { Stop } from "../generated/bindings/Stop";
import { LiveSignals } from "./live-signals";
import type { SeriesPoint } from "./series";
import { foldTurn, type LiveTurn } from "./live-turn";
import { StationClock, type StationTime } from "./station-clock";
import type { Track } from "./track";

/** Stops kept for the panel: open ones are few, closed ones only explain what just happened. */
const STOPS_MAX = 50;
/** Four passes a second show a change of state within 300 ms (U-502). */
const TICK_MS = 250;
/** Frames of one run of the station come in order; one that is earlier by more is of another run, ms. */
const CLOCK_BACK_MS = 1_000;

/** The link to one robot. */
export type Link = { link: LinkState; rtt_ms: number | null };
/** Something that happened and needs no answer. */
export type StationEvent = { code: string; sentence: string; at_mono_ms: number };

/** See the head of the file. Every field a selector returns is replaced, never changed in place. */
export class LiveStore {
  time: StationTime = { now_ms: null, wall_ms: null, local_ms: 0, silent_ms: 0, lost: false };
  connected = false;
  /** True if the station has refused to let this window listen, because too many do. */
  crowded = false;
  mode: Mode | null = null;
  session: SessionInfo | null = null;
  /** The agent this window shows; null until the station has named one. */
  agent: string | null = null;
  /** The conversation this window shows; null for the one the station names. */
  conversation: string | null = null;
  /** The newest turn of that conversation. */
  turn: LiveTurn | null = null;
  /** The newest turn of another conversation of the same agent: it works by itself, or for another desk. */
  elsewhere: LiveTurn | null = null;
  lastEvent: StationEvent | null = null;
  links: ReadonlyMap<string, Link> = new Map();
  safety: ReadonlyMap<string, RobotSafety> = new Map();
  stops: readonly Stop[] = [];
  /** Rises with every fact about safety, so that an older snapshot is not laid over it. */
  safetyRevision = 0;
  /** Rises with every answer about the session, and with every other agent, for the same reason. */
  sessionRevision = 0;
  /** Rises with every fact about a link, for the same reason. */
  linkRevision = 0;

  readonly #clock = new StationClock();
  #frame_mono_ms: number | null = null;
  /** The revision of the newest fact about each link. */
  readonly #linkRevisions = new Map<string, number>();
  readonly #signals = new LiveSignals();
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` after every change; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The newest value of a signal. */
  signal(id: string): Signal | undefined {
    return this.#signals.get(id);
  }

  /** The value as a screen shows it: replaced when its meaning has changed, and at most twice a second. */
  shown(id: string): Signal | undefined {
    return this.#signals.shown(id);
  }

  /** Recent positions of a pose signal. */
  track(id: string): Track | undefined {
    return this.#signals.track(id);
  }

  /**
   * Recent values of a signal, kept from the first time they are asked for; what nobody asks for any more makes room.
   */
  series(id: string): readonly SeriesPoint[] {
    return this.#signals.series(id);
  }

  /** Starts the one ticker that all ages of the window follow (U-502); returns how to stop it. */
  startTicker(localNow: () => number): () => void {
    const timer = setInterval(() => this.tick(localNow()), TICK_MS);
    return () => clearInterval(timer);
  }

  /** One pass of the ticker at local time `local_ms`. */
  tick(local_ms: number): void {
    this.time = this.#clock.pass(local_ms);
    this.#signals.showDue(this.time);
    this.#changed();
  }

  /** Takes in a frame that arrived at local time `local_ms`. */
  applyFrame(frame: Frame, local_ms: number): void {
    // The station's computer was started anew, and its clock with it: by the new one, old values would look current.
    if (frame.mono_ms < (this.#frame_mono_ms ?? 0) - CLOCK_BACK_MS) this.#forgetDated();
    this.#frame_mono_ms = frame.mono_ms;
    this.#clock.noteFrame(frame, local_ms);
    this.time = this.#clock.pass(local_ms);
    for (const signal of frame.signals) this.#signals.apply(signal, this.time);
    for (const fact of frame.facts) this.#applyFact(fact);
    this.#changed();
  }

  /** Takes in the state of the channel to the station. */
  setConnected(connected: boolean, crowded = false): void {
    if (connected && !this.connected) this.#forgetTurns();
    this.connected = connected;
    this.crowded = crowded;
    this.#changed();
  }

  /** Takes in the snapshot that facts then keep up to date. What was told of a link since it was asked for stays. */
  applySafety(status: SafetyStatus, asked_at = this.linkRevision): void {
    this.mode = status.mode;
    this.safety = new Map(status.robots.map((robot) => [robot.robot, robot]));
    this.links = new Map(
      status.robots.map(({ robot, link }) => {
        const known = this.links.get(robot);
        const is_newer = (this.#linkRevisions.get(robot) ?? 0) > asked_at;
        return [robot, known && is_newer ? known : { link, rtt_ms: known?.rtt_ms ?? null }];
      }),
    );
    this.stops = newestFirst(status.stops);
    this.#changed();
  }

  /** Takes in who is signed in where. The first answer also says which agent is shown if nobody has chosen. */
  applySession(session: SessionInfo): void {
    this.sessionRevision += 1;
    this.session = session;
    this.mode = session.mode;
    // Until now turns of every agent were let in, because none was known to be another's.
    if (this.agent === null) this.#forgetTurns();
    this.agent ??= session.agent ?? null;
    this.#sortTurns();
    this.#changed();
  }

  /** Shows another agent; null leaves the choice to the station. The running turn of the last one is not its own. */
  chooseAgent(agent: string | null): void {
    if (agent === this.agent) return;
    this.sessionRevision += 1;
    this.agent = agent;
    this.conversation = null;
    this.turn = null;
    this.elsewhere = null;
    this.#changed();
  }

  /** Shows another conversation of the agent; null shows the one the station names. */
  chooseConversation(conversation: string | null): void {
    if (conversation === this.conversation) return;
    this.conversation = conversation;
    this.#sortTurns();
    this.#changed();
  }

  /** Events are missing, perhaps the end of a turn: the stored conversation says what runs. */
  #forgetTurns(): void {
    this.turn = null;
    this.elsewhere = null;
  }

  /** Puts turns that came before the conversation was known, or another was chosen, where they belong. */
  #sortTurns(): void {
    if (this.#shownConversation() === null) return;
    const turns = [this.turn, this.elsewhere].filter((turn) => turn !== null);
    const others = turns.filter(({ session }) => !this.#isShown(session));
    this.turn = turns.find(({ session }) => this.#isShown(session)) ?? null;
    // There is room for one: what still runs is news, what has ended is not.
    this.elsewhere = others.find(({ ended }) => !ended) ?? others[0] ?? null;
  }

  #isShown(session: string): boolean {
    const shown = this.#shownConversation();
    return shown === null || shown === session;
  }

  /** The conversation this window shows; null until the station has named that of its agent. */
  #shownConversation(): string | null {
    // The session may still be the answer about the agent that was shown before.
    const named = this.session?.agent === this.agent ? this.session?.session : undefined;
    return this.conversation ?? named ?? null;
  }

  /** Drops everything that was dated by a clock of the station that is no more. */
  #forgetDated(): void {
    this.#signals.clear();
    this.lastEvent = null;
    this.#forgetTurns();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #applyFact(fact: Fact): void {
    switch (fact.kind) {
      case "mode":
        this.safetyRevision += 1;
        this.mode = fact.mode;
        return;
      case "link":
        this.linkRevision += 1;
        this.#linkRevisions.set(fact.robot, this.linkRevision);
        this.links = new Map(this.links).set(fact.robot, { link: fact.link, rtt_ms: fact.rtt_ms });
        return;
      case "robot_safety":
        this.safetyRevision += 1;
        this.safety = new Map(this.safety).set(fact.safety.robot, fact.safety);
        return;
      case "robot_removed":
        this.mode = fact.mode;
        this.safetyRevision += 1;
        this.safety = without(this.safety, fact.robot);
        this.links = without(this.links, fact.robot);
        this.#linkRevisions.delete(fact.robot);
        this.#signals.dropOfRobot(fact.robot);
        return;
      case "stop":
        this.safetyRevision += 1;
        this.stops = newestFirst([fact.stop, ...this.stops.filter((stop) => stop.stop_id !== fact.stop.stop_id)]);
        return;
      case "turn":
        if (this.agent === null || fact.agent === this.agent) this.#applyTurn(fact);
        return;
      case "event":
        this.lastEvent = { code: fact.code, sentence: fact.sentence, at_mono_ms: fact.at_mono_ms };
        return;
      case "proposal":
      case "verdict":
      case "command_step":
      case "constraint_set":
      case "control":
      case "lock":
      case "fallback":
      case "drill":
      case "screen":
        // These announce rows that are asked for by their tags; the session asks for them.
        return;
      case "resync":
        this.#forgetTurns();
        return;
      default:
        fact satisfies never;
    }
  }

  #applyTurn(fact: Extract<Fact, { kind: "turn" }>): void {
    // A message that was not let in began no turn.
    if ("dropped" in fact.event) return;
    if (this.#isShown(fact.session)) this.turn = foldTurn(this.turn, fact, fact.event, this.time.local_ms);
    else this.elsewhere = foldTurn(this.elsewhere, fact, fact.event, this.time.local_ms);
  }
}

function without<T>(rows: ReadonlyMap<string, T>, robot: string): ReadonlyMap<string, T> {
  return new Map([...rows].filter(([id]) => id !== robot));
}

function newestFirst(stops: readonly Stop[]): readonly Stop[] {
  const sorted = stops.toSorted((a, b) => b.stop_id - a.stop_id);
  // One that still binds a robot is never left out, however many came and went after it.
  return sorted.filter(({ open }, place) => open || place < STOPS_MAX);
}
