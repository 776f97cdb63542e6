// The row a form began with, against the row in force now (U-1610).

import { useState } from "react";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";

/** `present` is null once the limit is gone. `compare` goes on from the row in force now. */
export type BaseRow = { base: ConstraintRow; present: ConstraintRow | null; outdated: boolean; compare: () => void };

/** The opened row stays the base until somebody has seen its changes. */
export function useBaseRow(opened: ConstraintRow, rows: readonly ConstraintRow[]): BaseRow {
  const [base, setBase] = useState(opened);
  const present = rows.find(({ id }) => id === base.id) ?? null;
  return {
    base,
    present,
    outdated: present?.version !== base.version,
    compare: () => {
      if (present) setBase(present);
    },
  };
}
