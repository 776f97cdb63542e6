// How far an agent may go by itself, in words.

import type { AgentMode } from "../../generated/bindings/AgentMode";
import { t } from "../../locales/i18n";

/** What kind of mode it is: `run` names a mission besides. */
export type ModeKind = "watch" | "ask" | "assist" | "run";

/** What the word of the mode begins with that names a mission. */
const RUN = "run:";

/** The kind of a mode. */
export function modeKind(mode: AgentMode): ModeKind {
  return mode === "watch" || mode === "ask" || mode === "assist" ? mode : "run";
}

/** The mode in which a mission's standing approvals hold. */
export function runMode(mission: string): AgentMode {
  return `${RUN}${mission}`;
}

/** The name of a mode, with its mission. */
export function modeText(mode: AgentMode): string {
  const kind = modeKind(mode);
  return kind === "run" ? t("agent_mode.run_of", { mission: mode.slice(RUN.length) }) : t(`agent_mode.${kind}`);
}
