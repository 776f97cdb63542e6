// Reasons for stops, and for what is done about failures, in languages other than the station's. Compiled in, like
// everything that the stop shows.

import type { StopReason } from "../../generated/bindings/StopReason";
import { spoken } from "../../host/language";
import { causeSentence } from "./cause-sentences";

/** The sentences of one language, by the code of the reason. */
type Sentences = {
  [code in StopReason["code"]]: (reason: Extract<StopReason, { code: code }>, sentence: string) => string;
};

const DE: Sentences = {
  given: ({ words }) => words,
  typed: ({ words }) => `getippt: ${words}`,
  drill: () => "Probe des Stopps",
  at_the_robot: () => "von jemand anderem am Roboter gestoppt",
  locked_earlier: () => "seit einem früheren Lauf gesperrt",
  cause: ({ cause }, sentence) => causeSentence({ cause, sentence }),
  denied: ({ sentence }) => `Befehl eines Agenten verweigert: ${sentence}`,
};

const SENTENCES: Readonly<Record<"en" | "de", Partial<Sentences>>> = { en: {}, de: DE };

/** A reason in the window's language; the station's own sentence where the language, or this version, has no words for it. */
export function stopReasonText(sentence: string, reason: StopReason | null): string {
  if (!reason) return sentence;
  const say = spoken(SENTENCES)[reason.code] as ((reason: StopReason, sentence: string) => string) | undefined;
  return say?.(reason, sentence) ?? sentence;
}
