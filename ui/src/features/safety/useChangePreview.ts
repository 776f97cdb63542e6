// The station's preview of a change, kept as long as it is about what stands in the form.

import { useState } from "react";
import type { ConstraintPreview } from "../../bindings/ConstraintPreview";
import type { ConstraintRow } from "../../bindings/ConstraintRow";
import type { HostError } from "../../host/host";
import { useOperation } from "../../shared/hooks/useOperation";

/** `preview` is null until it is asked for, and again once the form says something else. */
export type ChangePreview = { preview: ConstraintPreview | null; pending: boolean; error: HostError | null; ask: () => void };

/** The preview of giving `row` these parameters; null removes it. */
export function useChangePreview(row: ConstraintRow, params_json: string | null): ChangePreview {
  const call = useOperation("preview_constraint_change");
  const [held, setHeld] = useState<{ about: string; preview: ConstraintPreview } | null>(null);
  const about = `${row.id} ${row.version} ${params_json ?? ""}`;
  return {
    preview: held?.about === about ? held.preview : null,
    pending: call.pending,
    error: call.error,
    ask: () => call.run({ id: row.id, params_json }, (preview) => setHeld({ about, preview })),
  };
}
