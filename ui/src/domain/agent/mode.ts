// Names of the agent's modes: the extent to which it may act by itself.

import type { AgentMode } from "../../generated/bindings/AgentMode";
import { t } from "../../locales/i18n";

/** Kinds of mode; `run` also names a mission. */
export type ModeKind = "watch" | "ask" | "assist" | "run";

/** Prefix of a mode that names a mission. */
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
