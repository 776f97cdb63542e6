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
  #inFlight = 0;
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

  /** Ends what moves, at once. */
  letGo(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#calls.letGo().then(this.#onRow, (thrown: unknown) => this.#onEnd(sentenceOf(thrown)));
  }

  #repeat(): void {
    if (this.#inFlight >= IN_FLIGHT_MAX) return;
    this.#inFlight += 1;
    void this.#ask().then(() => (this.#inFlight -= 1));
  }

  /** Never rejects: a refusal ends the step. */
  async #ask(): Promise<void> {
    try {
      const row = await this.#calls.run();
      this.#onRow(row);
    } catch (thrown) {
      if (this.#timer === undefined) return;
      this.letGo();
      this.#onEnd(sentenceOf(thrown));
    }
  }
}

function sentenceOf(thrown: unknown): string {
  const { code, message } = toHostError(thrown);
  return errorSentence(code, message);
}
