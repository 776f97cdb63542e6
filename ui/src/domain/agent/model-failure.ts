// The failure of a model or of its provider, in the window's language.

import type { AgentRow } from "../../generated/bindings/AgentRow";
import type { ModelErrorKind } from "../../generated/bindings/ModelErrorKind";
import { codedSaid, saidLine } from "../../locales/station-words";

/** Its kind in other languages than English, then the server's own words. */
export function modelFailure(kind: ModelErrorKind | undefined, message: string): string {
  return saidLine(codedSaid("model_failure", kind && { code: kind }, message));
}

/** The reason why an agent's model does not answer now; null if none is known. */
export function offlineText({ offline, offline_kind }: Pick<AgentRow, "offline" | "offline_kind">): string | null {
  return offline === null ? null : modelFailure(offline_kind, offline);
}
