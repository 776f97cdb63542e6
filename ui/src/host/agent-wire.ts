// What the operations about agents, models and missions carry.

import type { Effect } from "../generated/bindings/Effect";
import type { ServerKind } from "../generated/bindings/ServerKind";

export type { BudgetRow } from "../generated/bindings/BudgetRow";
export type { BudgetsRow } from "../generated/bindings/BudgetsRow";
export type { LocalServerRow } from "../generated/bindings/LocalServerRow";
export type { ModelCallList } from "../generated/bindings/ModelCallList";
export type { ModelCallRow } from "../generated/bindings/ModelCallRow";
export type { ModelChoice } from "../generated/bindings/ModelChoice";
export type { ModelList } from "../generated/bindings/ModelList";
export type { ModelRow } from "../generated/bindings/ModelRow";
export type { ModelSelected } from "../generated/bindings/ModelSelected";
export type { ProviderFailure } from "../generated/bindings/ProviderFailure";
export type { ProviderRow } from "../generated/bindings/ProviderRow";
export type { ProviderTested } from "../generated/bindings/ProviderTested";
export type { SecretKept } from "../generated/bindings/SecretKept";
export type { SecretRow } from "../generated/bindings/SecretRow";
export type { ServerKind } from "../generated/bindings/ServerKind";
export type { SessionRow } from "../generated/bindings/SessionRow";
export type { SessionsFound } from "../generated/bindings/SessionsFound";
export type { TurnView } from "../generated/bindings/TurnView";
export type { ViewBlock } from "../generated/bindings/ViewBlock";
export type { ViewLayout } from "../generated/bindings/ViewLayout";
export type { ViewMessage } from "../generated/bindings/ViewMessage";

/** A tool, as a call of it is told. */
export type ToolCalled = { call: string; name: string; args: unknown; effect: Effect };

/** Where a language model is reached, as it is written into `config.toml`. */
export type ProviderSettings = {
  kind: ServerKind;
  base?: string;
  key?: string;
  local?: boolean;
  window?: number;
  models?: string[];
};

/** A file as an operation gives it out. */
export type Exported = { name: string; text: string };
