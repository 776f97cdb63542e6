// How far an agent may go, in words.

import { t } from "../i18n";

/** Begins the mode in which the standing approvals of one mission count. */
export const WITHIN = "run:";

/** Whether the mode is one of the three that are about no mission. */
export function isKnownMode(mode: string): mode is "watch" | "ask" | "assist" {
  return mode === "watch" || mode === "ask" || mode === "assist";
}

/** A mode as it is shown. */
export function modeText(mode: string): string {
  if (isKnownMode(mode)) return t(`agent_mode.${mode}`);
  return mode.startsWith(WITHIN) ? t("agent_mode.within", { mission: mode.slice(WITHIN.length) }) : mode;
}
