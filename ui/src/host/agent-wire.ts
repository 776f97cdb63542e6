// What the operations about agents, models and missions carry.

import type { Effect } from "../bindings/Effect";
import type { ServerKind } from "../bindings/ServerKind";

export type { BudgetRow } from "../bindings/BudgetRow";
export type { BudgetsRow } from "../bindings/BudgetsRow";
export type { LocalServerRow } from "../bindings/LocalServerRow";
export type { ModelCallList } from "../bindings/ModelCallList";
export type { ModelCallRow } from "../bindings/ModelCallRow";
export type { ModelChoice } from "../bindings/ModelChoice";
export type { ModelList } from "../bindings/ModelList";
export type { ModelRow } from "../bindings/ModelRow";
export type { ModelSelected } from "../bindings/ModelSelected";
export type { ProviderFailure } from "../bindings/ProviderFailure";
export type { ProviderRow } from "../bindings/ProviderRow";
export type { ProviderTested } from "../bindings/ProviderTested";
export type { SecretKept } from "../bindings/SecretKept";
export type { SecretRow } from "../bindings/SecretRow";
export type { ServerKind } from "../bindings/ServerKind";
export type { SessionRow } from "../bindings/SessionRow";
export type { SessionsFound } from "../bindings/SessionsFound";
export type { TurnView } from "../bindings/TurnView";
export type { ViewBlock } from "../bindings/ViewBlock";
export type { ViewLayout } from "../bindings/ViewLayout";
export type { ViewMessage } from "../bindings/ViewMessage";

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
