// A site plan that somebody changes: what is shown, saving it over the one that was seen, and taking that back.

import { useEffect, useSyncExternalStore } from "react";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import type { SitePlanRow } from "../../../generated/bindings/SitePlanRow";
import { say } from "../../../design/components/toast-queue";
import { useStation } from "../../../domain/station/station-context";
import { useOperation } from "../../../domain/station/useOperation";
import { useUndo } from "../../../domain/station/useUndo";
import type { Host, HostError } from "../../../host/host";
import { t } from "../../../locales/i18n";

/** A plan that is not saved yet, and the version that it is to follow. `sent` is it, or the one that it was made of. */
type Draft = { plan: SitePlan; base_version: number; saved_as: number | null; sent: SitePlan | null };

/** The plan on screen. `overtaken` is true once somebody else has saved another meanwhile. */
export type PlanDraft = {
  plan: SitePlan;
  changed: boolean;
  overtaken: boolean;
  change: (plan: SitePlan) => void;
  discard: () => void;
  save: () => void;
  pending: boolean;
  error: HostError | null;
};

/** The draft over what the station has. */
export function usePlanDraft(saved: SitePlanRow): PlanDraft {
  const saveAgain = useUndo("save_site_plan");
  const [kept, setKept] = useKept();
  // Also once the screen is left: a draft that is saved must not come back as one that is not.
  const call = useOperation("save_site_plan", ({ plan }, { version }) => {
    setKept((now) => {
      // One that was begun anew meanwhile has not seen what was sent.
      if (now === null || now.sent !== plan) return now;
      // What was changed while it was sent is kept, over what is saved now.
      return now.plan === plan ? { ...now, saved_as: version } : { ...now, base_version: version };
    });
    const before = REPLACED.get(plan);
    if (before) say({ text: t("site_plan.saved"), undo: saveAgain({ base_version: version, plan: before }) });
  });
  const sentIsThere = kept !== null && isSavedOver(kept.base_version, kept.sent, saved);
  // What was saved is shown as such until the station's own answer is here.
  const draft = kept === null || isThere(kept, saved) ? null : following(kept, saved);
  const changed = draft !== null && draft.saved_as === null;
  const { giveUp } = call;
  const pending = call.pending && !sentIsThere;

  // Synchronises with the station's rows: what was sent is there, though its answer may be lost.
  useEffect(() => {
    if (call.pending && sentIsThere) giveUp();
  }, [call.pending, sentIsThere, giveUp]);

  return {
    plan: draft?.plan ?? saved.plan,
    changed,
    // The station's rows may show an own save before its answer is here.
    overtaken: changed && !pending && saved.version > draft.base_version,
    change: (plan) => {
      call.forget();
      // After an own save it follows that one, which the station's rows may not show yet.
      const follows = changed ? draft.base_version : (draft?.saved_as ?? saved.version);
      setKept(() => ({ plan, base_version: follows, saved_as: null, sent: changed ? draft.sent : null }));
    },
    discard: () => {
      // Its answer is that of a draft that is no more: the next one does not wait for it.
      call.giveUp();
      setKept(() => null);
    },
    save: () => {
      if (!draft || pending) return;
      const { plan, base_version } = draft;
      REPLACED.set(plan, saved.plan);
      setKept(() => ({ ...draft, sent: plan }));
      call.run({ base_version, plan });
    },
    pending,
    error: call.error,
  };
}

/** True once the station has what was kept. */
function isThere({ plan, base_version, saved_as }: Draft, saved: SitePlanRow): boolean {
  if (saved_as !== null) return saved.version >= saved_as;
  // The answer to a save may be lost: then only the station's plan tells of it.
  return isSavedOver(base_version, plan, saved);
}

/** True if the station has this plan, saved over that version. */
function isSavedOver(base_version: number, plan: SitePlan | null, saved: SitePlanRow): boolean {
  return plan !== null && saved.version > base_version && planText(plan) === planText(saved.plan);
}

/** A draft that was changed while its former self was saved follows that. */
function following(draft: Draft, saved: SitePlanRow): Draft {
  const follows = draft.saved_as === null && isSavedOver(draft.base_version, draft.sent, saved);
  return follows ? { ...draft, base_version: saved.version } : draft;
}

/** A plan as text, whatever the order of its fields. */
function planText({ frame, walls, areas }: SitePlan): string {
  return JSON.stringify([frame, walls, areas.map(({ name, corners }) => [name, corners])]);
}

/** The plan that each one sent was to take the place of, so that this can be taken back. */
const REPLACED = new WeakMap<object, SitePlan>();

/** Drafts by station: they outlive the screen, so that a look at another one loses nothing. */
const KEPT = new WeakMap<Host, Draft>();
const listeners = new Set<() => void>();

function useKept(): [Draft | null, (change: (now: Draft | null) => Draft | null) => void] {
  const { host } = useStation();
  const kept = useSyncExternalStore(listen, () => KEPT.get(host) ?? null);
  const change = (next: (now: Draft | null) => Draft | null) => {
    const draft = next(KEPT.get(host) ?? null);
    if (draft === null) KEPT.delete(host);
    else KEPT.set(host, draft);
    for (const listener of listeners) listener();
  };
  return [kept, change];
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
