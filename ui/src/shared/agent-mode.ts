import type { AgentMode } from "../bindings/AgentMode";

/** The mode without the mission that it may name: what it is called on screens. */
export function modeKind(mode: AgentMode): "watch" | "ask" | "assist" | "run" {
  switch (mode) {
    case "watch":
    case "ask":
    case "assist":
      return mode;
    default:
      return "run";
  }
}

/** The mission within whose standing approvals the agent acts. */
export function modeMission(mode: AgentMode): string | null {
  return modeKind(mode) === "run" ? mode.slice("run:".length) : null;
}
