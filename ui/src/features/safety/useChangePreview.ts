// The station's preview of a change, kept as long as it is about what stands in the form.

import { useState } from "react";
import type { ConstraintPreview } from "../../generated/bindings/ConstraintPreview";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { HostError } from "../../host/host";
import { useOperation } from "../../domain/station/useOperation";

/** `previewOf` is null until these very parameters were asked about; null parameters remove the limit. */
export type ChangePreview = {
  previewOf: (params_json: string | null) => ConstraintPreview | null;
  ask: (params_json: string | null) => void;
  forget: () => void;
  pending: boolean;
  error: HostError | null;
};

/** Previews of changes to `row`. */
export function useChangePreview(row: ConstraintRow): ChangePreview {
  const call = useOperation("preview_constraint_change");
  const [held, setHeld] = useState<{ about: string; preview: ConstraintPreview } | null>(null);
  // With the version: the same numbers mean another change in another set.
  const aboutOf = (params_json: string | null) => `${row.id} ${row.version} ${params_json ?? ""}`;
  return {
    previewOf: (params_json) => (held?.about === aboutOf(params_json) ? held.preview : null),
    ask: (params_json) =>
      call.run({ id: row.id, params_json }, (preview) => setHeld({ about: aboutOf(params_json), preview })),
    forget: call.forget,
    pending: call.pending,
    error: call.error,
  };
}
