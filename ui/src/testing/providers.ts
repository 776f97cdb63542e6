import type { ProviderRow } from "../generated/bindings/ProviderRow";

/** A model server on this computer, as a station lists it. */
export const BOX: ProviderRow = {
  id: "box",
  kind: "ollama",
  base: "http://127.0.0.1:11434/v1",
  local: true,
  key: null,
  key_is_set: false,
  window: null,
  models: [],
  agents: [],
};
