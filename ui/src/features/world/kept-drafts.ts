// Forms of providers that were left without being saved or given up: a look at another screen loses nothing.

import type { ContextRow } from "../../generated/bindings/ContextRow";
import type { Host } from "../../host/host";
import type { ProviderDraft } from "./provider-draft";

/** A draft, and the row that it was to change; null of a new provider. */
export type KeptDraft = { base: ContextRow | null; draft: ProviderDraft };

/** Forms that are kept; nobody leaves more of them open. */
const FORMS_MAX = 8;
const KEPT = new WeakMap<Host, Map<string, KeptDraft>>();

/** The draft that was kept of a form. */
export function keptDraft(host: Host, form: string): KeptDraft | null {
  return KEPT.get(host)?.get(form) ?? null;
}

/** Keeps a form; null forgets it. */
export function keepDraft(host: Host, form: string, kept: KeptDraft | null): void {
  const forms = KEPT.get(host) ?? new Map<string, KeptDraft>();
  forms.delete(form);
  if (kept !== null) forms.set(form, kept);
  const [oldest] = forms.keys();
  if (forms.size > FORMS_MAX && oldest !== undefined) forms.delete(oldest);
  KEPT.set(host, forms);
}
