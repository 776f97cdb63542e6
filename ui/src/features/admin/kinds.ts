// The kinds of model servers, in words, and what each begins with.

import type { ServerKind } from "../../host/agent-wire";

/** In the order in which they are offered: those that need no key last. */
export const KINDS: readonly ServerKind[] = [
  "anthropic",
  "openai",
  "gemini",
  "openai_compatible",
  "llama_cpp",
  "ollama",
  "lm_studio",
  "vllm",
];

const NAMES: Readonly<Record<ServerKind, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  gemini: "Google Gemini",
  openai_compatible: "OpenAI-compatible",
  llama_cpp: "llama.cpp",
  ollama: "Ollama",
  lm_studio: "LM Studio",
  vllm: "vLLM",
};

/** A product's own name; names are the same in every language. */
export function kindName(kind: ServerKind): string {
  return NAMES[kind];
}

/** Whether a server of this kind runs on this computer if nobody says otherwise. */
export function isLocalKind(kind: ServerKind): boolean {
  return kind === "llama_cpp" || kind === "ollama" || kind === "lm_studio" || kind === "vllm";
}
