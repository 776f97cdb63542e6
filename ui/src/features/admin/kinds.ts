// The kinds of model servers, in words, and what each begins with.

import type { ServerKind } from "../../generated/bindings/ServerKind";

/** `name` is a product's own, the same in every language. `local` servers run on this computer by default. */
type Kind = { name: string; local: boolean };

/** In the order in which they are offered: those that need no key last. */
const SERVERS: Readonly<Record<ServerKind, Kind>> = {
  anthropic: { name: "Anthropic", local: false },
  openai: { name: "OpenAI", local: false },
  gemini: { name: "Google Gemini", local: false },
  openai_compatible: { name: "OpenAI-compatible", local: false },
  llama_cpp: { name: "llama.cpp", local: true },
  ollama: { name: "Ollama", local: true },
  lm_studio: { name: "LM Studio", local: true },
  vllm: { name: "vLLM", local: true },
};

/** Every kind, as it is offered. */
export const KINDS = Object.keys(SERVERS) as readonly ServerKind[];

/** The name of a kind. */
export function kindName(kind: ServerKind): string {
  return SERVERS[kind].name;
}

/** True if a server of this kind runs on this computer unless somebody says otherwise. */
export function isLocalKind(kind: ServerKind): boolean {
  return SERVERS[kind].local;
}
