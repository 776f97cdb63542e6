// Hold-to-run: a velocity is repeated while a direction is held, and zero is said explicitly when it is let go. What is
// wanted is sent as it is: the station nears it step by step, as the acceleration limit asks for.

import type { CommandOutcome } from "../../../generated/bindings/CommandOutcome";
import { toHostError } from "../../../host/host";
import { errorSentence, t } from "../../../locales/i18n";
import { type JogVelocity, STILL } from "./directions";

/** At least ten a second; a robot that hears less for its time limit stands still by itself. */
const REPEAT_MS = 100;
/** A station that answers slower than this must not be sent ever more: what waits would arrive after letting go. */
const IN_FLIGHT_MAX = 3;

/** Sends one velocity to the station. */
export type SendJog = (velocity: JogVelocity) => Promise<Pick<CommandOutcome, "state" | "code" | "sentence">>;

/** See the head of the file. `onEnd` hears why the station ended a run. */
export class Jogger {
  readonly #send: SendJog;
  readonly #onEnd: (why: string) => void;
  readonly #inFlight = new Set<Promise<void>>();
  #velocity: JogVelocity | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(send: SendJog, onEnd: (why: string) => void) {
    this.#send = send;
    this.#onEnd = onEnd;
  }

  /** Begins, or goes on with another velocity: a hand that turns round does not end the run. */
  hold(velocity: JogVelocity): void {
    this.#velocity = velocity;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#repeat(), REPEAT_MS);
    this.#repeat();
  }

  /** Zero, at once; once more behind what was under way, which may arrive later than the first. */
  letGo(): void {
    if (!this.#velocity) return;
    this.#velocity = null;
    clearInterval(this.#timer);
    const underWay = [...this.#inFlight];
    this.#still();
    if (underWay.length === 0) return;
    void Promise.all(underWay).then(() => {
      if (!this.#velocity) this.#still();
    });
  }

  #repeat(): void {
    if (!this.#velocity || this.#inFlight.size >= IN_FLIGHT_MAX) return;
    const call = this.#move(this.#velocity);
    this.#inFlight.add(call);
    void call.then(() => this.#inFlight.delete(call));
  }

  /** Never rejects: a refusal ends the run. */
  async #move(velocity: JogVelocity): Promise<void> {
    try {
      const outcome = await this.#send(velocity);
      if (isRefused(outcome.state))
        this.#end(outcome.code === null ? outcome.sentence : errorSentence(outcome.code, outcome.sentence));
    } catch (thrown) {
      const error = toHostError(thrown);
      this.#end(errorSentence(error.code, error.message));
    }
  }

  #end(why: string): void {
    if (!this.#velocity) return;
    this.letGo();
    this.#onEnd(why);
  }

  #still(): void {
    this.#send(STILL).catch((thrown: unknown) => {
      const { code, message } = toHostError(thrown);
      this.#onEnd(t("jog.zero_lost", { message: errorSentence(code, message) }));
    });
  }
}

function isRefused(state: CommandOutcome["state"]): boolean {
  switch (state) {
    case "denied":
    case "refused_by_robot":
    case "failed":
      return true;
    case "approved":
    case "sent":
    case "received":
    case "running":
    case "done":
    case "done_not_confirmed":
    case "superseded":
    case "unknown":
      return false;
  }
}
