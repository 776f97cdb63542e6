// Hold-to-run of a step: the station is asked again and again while the button is held, and told at once when it is let go.

import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import { toHostError } from "../../../host/host";
import { errorSentence } from "../../../locales/i18n";

/** Ten a second; a gate that hears less for half a second holds the robot. */
const REPEAT_MS = 100;
/** A station that answers slower than this must not be asked ever more: what waits would arrive after letting go. */
const IN_FLIGHT_MAX = 3;

/** The station's answer once somebody else has control: nothing of this hand moves the robot then. */
const CONTROLLED_BY_OTHER = "not_in_control";

/** Hands that hold a robot now: the station lets go of the robot, whichever step is under way. */
const holding = new Map<string, StepHolder>();

/** Calls of one hand on a robot. `run` rejects when the station ends the step. */
export type StepCalls = { robot: string; run: () => Promise<CommissioningRow>; letGo: () => Promise<CommissioningRow> };

/** See the head of the file. */
export class StepHolder {
  readonly #calls: StepCalls;
  readonly #onRow: (row: CommissioningRow) => void;
  readonly #onEnd: (why: string | null) => void;
  readonly #inFlight = new Set<Promise<string | null>>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `onEnd` hears why the station ended a step, or null when it is over. */
  constructor(calls: StepCalls, onRow: (row: CommissioningRow) => void, onEnd: (why: string | null) => void) {
    this.#calls = calls;
    this.#onRow = onRow;
    this.#onEnd = onEnd;
  }

  /** Begins; a button that is held already goes on. */
  hold(): void {
    if (this.#timer !== undefined) return;
    holding.set(this.#calls.robot, this);
    this.#timer = setInterval(() => this.#repeat(), REPEAT_MS);
    this.#repeat();
  }

  /** Ends what moves, at once; once more behind what was under way, which would begin the step again if it came later. */
  letGo(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    const { robot } = this.#calls;
    if (holding.get(robot) === this) holding.delete(robot);
    const underWay = [...this.#inFlight];
    this.#sayLetGo();
    if (underWay.length === 0) return;
    void Promise.all(underWay).then(() => {
      // Whoever holds the robot by now would be let go in the middle of another step.
      if (!holding.has(robot)) this.#sayLetGo([CONTROLLED_BY_OTHER]);
    });
  }

  /** Refusals with the codes `expected` are told to nobody. */
  #sayLetGo(expected: readonly string[] = []): void {
    this.#calls.letGo().then(this.#onRow, (thrown: unknown) => {
      const isExpected = expected.includes(toHostError(thrown).code);
      // A button that is held again must not look let go, whatever became of the hold before.
      if (!isExpected && this.#timer === undefined) this.#onEnd(sentenceOf(thrown));
    });
  }

  #repeat(): void {
    if (this.#inFlight.size >= IN_FLIGHT_MAX) return;
    const call = this.#ask();
    this.#inFlight.add(call);
    void call.then((why) => {
      this.#inFlight.delete(call);
      if (why === null || this.#timer === undefined) return;
      this.letGo();
      this.#onEnd(why);
    });
  }

  /** Never rejects: gives the refusal that ends the step, or null. */
  async #ask(): Promise<string | null> {
    try {
      this.#onRow(await this.#calls.run());
      return null;
    } catch (thrown) {
      return sentenceOf(thrown);
    }
  }
}

function sentenceOf(thrown: unknown): string {
  const { code, message } = toHostError(thrown);
  return errorSentence(code, message);
}
