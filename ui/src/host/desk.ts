// The app's own desk: the station that its window shows, this computer's own or one elsewhere.

import type { DeskAct } from "../generated/bindings/DeskAct";
import type { DeskStatus } from "../generated/bindings/DeskStatus";

/** Time between two looks: the state of a link, and of a stop on its way, is as old as this at most. */
const LOOK_EVERY_MS = 500;

/** State of the desk, and the acts of its person. */
export class Desk {
  /** Null until the first answer. Replaced, never changed in place. */
  status: DeskStatus | null = null;

  readonly #ask: (act: DeskAct) => Promise<DeskStatus>;
  readonly #onOther: () => void;
  readonly #listeners = new Set<() => void>();
  #asked = 0;
  #taken = 0;

  /** `onOther` begins anew with the other station: everything that the page holds is of the one before. */
  constructor(ask: (act: DeskAct) => Promise<DeskStatus>, onOther: () => void) {
    this.#ask = ask;
    this.#onOther = onOther;
  }

  /** Calls `listener` after every look; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Carries out an act. Rejects with the refusal; nothing has changed then. */
  async act(act: DeskAct): Promise<DeskStatus> {
    const before = this.status;
    this.#asked += 1;
    const turn = this.#asked;
    const status = await this.#ask(act);
    // A look that was asked before an act may be answered after it, with what was there before.
    const is_newest = turn > this.#taken;
    if (is_newest) {
      this.#taken = turn;
      this.status = status;
      for (const listener of this.#listeners) listener();
    }
    if (isOther(act, is_newest && before !== null && nameOf(before) !== nameOf(status))) this.#onOther();
    return status;
  }

  /** Looks again and again; returns how to end that. */
  start(): () => void {
    let looks = false;
    const look = async () => {
      // A shell that is busy would be asked twice a second for what nobody waits for any more.
      if (looks) return;
      looks = true;
      // The shell answers from memory; a page that cannot ask it is told so by its station's banner.
      await this.act({ act: "status" }).catch(() => undefined);
      looks = false;
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }
}

/** Tells one station from another: behind the same address, one with another certificate is another one. */
function nameOf({ remote }: DeskStatus): string | null {
  return remote && `${remote.station.address} ${remote.station.fingerprint}`;
}

/**
 * True if the act leaves another station in the window than before. `differs` tells that another is shown than at the
 * last look: the page that asked for it may have been loaded again before the shell was done.
 */
function isOther({ act }: DeskAct, differs: boolean): boolean {
  switch (act) {
    case "connect":
    case "open":
    case "leave":
      return true;
    case "forget":
    case "status":
      return differs;
    case "look":
    case "withdraw_stop":
      return false;
  }
}
