// Hold-to-run of a step: the station is asked again and again while the button is held, and told at once when it is let go.

import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import { toHostError } from "../../../host/host";
import { errorSentence } from "../../../locales/i18n";

/** Ten a second; a gate that hears less for half a second holds the robot. */
const REPEAT_MS = 100;
/** A station that answers slower than this must not be asked ever more: what waits would arrive after letting go. */
const IN_FLIGHT_MAX = 3;

/** Calls of one hand. `run` rejects when the station ends the step. */
export type StepCalls = { run: () => Promise<CommissioningRow>; letGo: () => Promise<CommissioningRow> };

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
    this.#timer = setInterval(() => this.#repeat(), REPEAT_MS);
    this.#repeat();
  }

  /** Ends what moves, at once; once more behind what was under way, which would begin the step again if it came later. */
  letGo(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    const underWay = [...this.#inFlight];
    this.#sayLetGo();
    if (underWay.length === 0) return;
    void Promise.all(underWay).then(() => {
      if (this.#timer === undefined) this.#sayLetGo();
    });
  }

  #sayLetGo(): void {
    this.#calls.letGo().then(this.#onRow, (thrown: unknown) => this.#onEnd(sentenceOf(thrown)));
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
