// What is wrong with tools, their servers and the sandbox, in the window's language.

import type { McpServerRow } from "../../generated/bindings/McpServerRow";
import type { McpToolRow } from "../../generated/bindings/McpToolRow";
import type { SandboxStatus } from "../../generated/bindings/SandboxStatus";
import { codedSaid, codedText, saidLine } from "../../locales/station-words";

/** The reason why a server does not answer; null if there is none. What the server said stays in its own words. */
export function lossText({ reason, loss }: Pick<McpServerRow, "reason" | "loss">): string | null {
  if (reason === null) return null;
  const says = loss?.code === "not_started" || loss?.code === "used_up";
  return says ? saidLine(codedSaid("server_loss", loss, reason)) : codedText("server_loss", loss, reason);
}

/** The reason why a tool can never be let; null if it can. */
export function toolFaultText({ problem, fault }: Pick<McpToolRow, "problem" | "fault">): string | null {
  return problem === null ? null : codedText("tool_fault", fault, problem);
}

/** The reason why no program runs in a cell; null if one does. */
export function sandboxFaultText({ problem, fault }: Pick<SandboxStatus, "problem" | "fault">): string | null {
  return problem === null ? null : codedText("sandbox_fault", fault, problem);
}
