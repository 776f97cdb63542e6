// A site plan that somebody changes: what is shown, saving it over the one that was seen, and taking that back.

import { useSyncExternalStore } from "react";
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
  const call = useOperation("save_site_plan", ({ plan }, { version }) =>
    setKept((now) => {
      // One that was begun anew meanwhile has not seen what was sent.
      if (now === null || now.sent !== plan) return now;
      // What was changed while it was sent is kept, over what is saved now.
      return now.plan === plan ? { ...now, saved_as: version } : { ...now, base_version: version };
    }),
  );
  // What was saved is shown as such until the station's own answer is here.
  const draft = kept === null || isThere(kept, saved) ? null : kept;
  const changed = draft !== null && draft.saved_as === null;
  return {
    plan: draft?.plan ?? saved.plan,
    changed,
    // The station's rows may show an own save before its answer is here.
    overtaken: changed && !call.pending && saved.version > draft.base_version,
    change: (plan) => {
      call.forget();
      // After an own save it follows that one, which the station's rows may not show yet.
      const follows = changed ? draft.base_version : (draft?.saved_as ?? saved.version);
      setKept(() => ({ plan, base_version: follows, saved_as: null, sent: changed ? draft.sent : null }));
    },
    discard: () => {
      call.forget();
      setKept(() => null);
    },
    save: () => {
      if (!draft || call.pending) return;
      const { plan, base_version } = draft;
      const before = saved.plan;
      setKept(() => ({ ...draft, sent: plan }));
      call.run({ base_version, plan }, ({ version }) =>
        say({ text: t("site_plan.saved"), undo: saveAgain({ base_version: version, plan: before }) }),
      );
    },
    pending: call.pending,
    error: call.error,
  };
}

/** True once the station has what was kept. */
function isThere({ plan, base_version, saved_as }: Draft, saved: SitePlanRow): boolean {
  if (saved_as !== null) return saved.version >= saved_as;
  // The answer to a save may be lost: then only the station's plan tells of it.
  return saved.version > base_version && planText(plan) === planText(saved.plan);
}

/** A plan as text, whatever the order of its fields. */
function planText({ frame, walls, areas }: SitePlan): string {
  return JSON.stringify([frame, walls, areas.map(({ name, corners }) => [name, corners])]);
}

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
