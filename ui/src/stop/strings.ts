// The words of STOP ALL, compiled in: they must be there when catalogues and views are not (U-209).

import type { Clears } from "../generated/bindings/Clears";
import { spoken } from "../host/language";
import { DE } from "./words-de";
import { EN } from "./words-en";

/** Everything the button and its panel say besides the notice. */
export type StopWords = {
  details: string;
  stopAll: string;
  sending: string;
  stopping: (acked: number, total: number) => string;
  stopped: (acked: number, total: number) => string;
  notConfirmed: (count: number) => string;
  notSent: string;
  cannotConfirm: string;
  cannotConfirmOne: (robot: string) => string;
  cannotConfirmSome: (count: number, total: number) => string;
  partly: (stopped: number, total: number) => string;
  partlyUnconfirmed: (count: number, total: number) => string;
  openPanel: string;
  panel: string;
  titleStopped: (total: number) => string;
  titlePartly: (stopped: number, total: number) => string;
  titleStopping: (acked: number, total: number) => string;
  titleNotConfirmed: (count: number, total: number) => string;
  stop: (number: number, by: string, at: string) => string;
  quoted: (reason: string) => string;
  titleSending: string;
  titleFailed: string;
  failed: (sentence: string) => string;
  smallWindow: string;
  you: string;
  close: string;
  latchSaved: string;
  latchSaving: string;
  noRobots: string;
  robot: string;
  acknowledged: string;
  speed: string;
  standstill: string;
  behaviour: string;
  hardware: string;
  after: (ms: string) => string;
  sentAfter: (ms: string) => string;
  notSentYet: string;
  waiting: string;
  observed: string;
  moving: string;
  unknown: string;
  noSpeed: string;
  estopAt: (place: string) => string;
  unattended: string;
  noMotionData: string;
  notConfirmedRow: (place: string) => string;
  late: (ms: string) => string;
  released: string;
  since: string;
  asOf: (time: string) => string;
  sinceNothing: string;
  sinceMore: (count: number) => string;
  sinceUnknown: (sentence: string) => string;
  byWhom: (actor: string | null, count: number) => string;
  release: string;
  releaseWhat: (robots: readonly string[], total: number) => string;
  choose: string;
  blocked: string;
  blockedWhy: string;
  clears: Readonly<Record<Clears, string>>;
  stillHolds: string;
  whyOver: string;
  acknowledge: string;
  looked: (robot: string) => string;
  disarm: (robot: string) => string;
  openSafety: (robot: string) => string;
  reason: string;
  reasonHint: string;
  releaseButton: (stops: readonly string[]) => string;
  hold: string;
  keepHolding: string;
  again: string;
  releasing: string;
  needsOperator: string;
  needsUnlock: string;
  needsStation: string;
  needsReason: string;
  needsRobot: string;
};

/** The words in the language of the window. */
export function words(): StopWords {
  return spoken({ en: EN, de: DE });
}
