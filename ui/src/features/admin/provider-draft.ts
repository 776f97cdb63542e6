// A provider while it is written down. The station checks it again, and writes it into config.toml.

import { parseDecimal } from "../../design/fields/decimal";
import type { ProviderRow } from "../../generated/bindings/ProviderRow";
import type { Input } from "../../host/operations";
import type { ServerKind } from "../../generated/bindings/ServerKind";
import { isLocalKind } from "./kinds";

/** As it stands in the fields. */
export type ProviderDraft = {
  id: string;
  kind: ServerKind;
  base: string;
  key: string;
  local: boolean;
  window: string;
  models: string;
};

/** Form of a name that the station accepts. */
const NAME = /^[a-z0-9_-]{1,64}$/;

/** An empty form for a kind, under a name that no provider has. */
export function newDraft(kind: ServerKind, taken: readonly string[] = []): ProviderDraft {
  return { id: freeName(kind, taken), kind, base: "", key: "", local: isLocalKind(kind), window: "", models: "" };
}

/** A name after the kind that no provider has: the station puts a provider in the place of one of the same name. */
export function freeName(kind: ServerKind, taken: readonly string[]): string {
  const name = kind.replaceAll("_", "-");
  const names = [name, ...taken.map((_, place) => `${name}-${place + 2}`)];
  return names.find((one) => !taken.includes(one)) ?? name;
}

/** A new draft with another kind. What was typed stays; a name that was only offered follows the kind. */
export function withKind(draft: ProviderDraft, kind: ServerKind, taken: readonly string[]): Partial<ProviderDraft> {
  const isOffered = draft.id === freeName(draft.kind, taken);
  return { kind, local: isLocalKind(kind), ...(isOffered ? { id: freeName(kind, taken) } : {}) };
}

/** The difference of what is in force from what a form began with; null if there is none. */
export function changeSince(first: ProviderRow, now: ProviderRow | undefined): "changed" | "gone" | null {
  if (now === undefined) return "gone";
  return JSON.stringify(draftOf(now)) === JSON.stringify(draftOf(first)) ? null : "changed";
}

/** A form with what is in force. */
export function draftOf({ id, kind, base, key, local, window, models }: ProviderRow): ProviderDraft {
  return {
    id,
    kind,
    base,
    key: key ?? "",
    local,
    window: window === null ? "" : String(window),
    models: models.join("\n"),
  };
}

/** Input of `try_provider`: the parts of a draft that say where a server is. `value` is a key that is not kept. */
export function attemptOf(draft: ProviderDraft, value: string): Input<"try_provider"> {
  const { kind, local } = draft;
  const [base, key] = [draft.base.trim(), draft.key.trim()];
  return {
    kind,
    ...(base === "" ? {} : { base }),
    ...(local === isLocalKind(kind) ? {} : { local }),
    ...(value !== "" ? { value } : key === "" ? {} : { key }),
  };
}

/** The models of a draft with one more, or without it if it was among them. */
export function toggledModel(models: string, name: string): string {
  const lines = models.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return (lines.includes(name) ? lines.filter((line) => line !== name) : [...lines, name]).join("\n");
}

/** Input of `set_provider`, or the path of the faulty field. Fields that are left empty are left out. */
export function providerOf(draft: ProviderDraft): { provider: Input<"set_provider"> } | { path: "id" | "window" } {
  const id = draft.id.trim();
  if (!NAME.test(id)) return { path: "id" };
  const typed = parseDecimal(draft.window);
  const window = "value" in typed ? typed.value : null;
  if (window === null ? draft.window.trim() !== "" : !(Number.isInteger(window) && window > 0))
    return { path: "window" };
  const models = draft.models.split("\n").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  return {
    provider: {
      id,
      kind: draft.kind,
      ...(draft.base.trim() === "" ? {} : { base: draft.base.trim() }),
      ...(draft.key.trim() === "" ? {} : { key: draft.key.trim() }),
      ...(draft.local === isLocalKind(draft.kind) ? {} : { local: draft.local }),
      ...(window === null ? {} : { window }),
      ...(models.length === 0 ? {} : { models }),
    },
  };
}
