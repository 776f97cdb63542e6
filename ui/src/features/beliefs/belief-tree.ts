// Beliefs by subject, as lines of one long list: only those in sight are made.

import type { BeliefRow } from "../../generated/bindings/BeliefRow";

/** A subject with its beliefs under it, or one of them. */
export type TreeLine =
  | { kind: "subject"; subject: string; count: number; open: boolean }
  | { kind: "belief"; belief: BeliefRow };

/** The lines of beliefs that are sorted by subject; the predicates of a closed subject are left out. */
export function treeLines(beliefs: readonly BeliefRow[], closed: ReadonlySet<string>): TreeLine[] {
  const subjects = new Map<string, BeliefRow[]>();
  for (const belief of beliefs) {
    const rows = subjects.get(belief.subject);
    if (rows) rows.push(belief);
    else subjects.set(belief.subject, [belief]);
  }
  return [...subjects].flatMap(([subject, rows]): TreeLine[] => {
    const open = !closed.has(subject);
    const head: TreeLine = { kind: "subject", subject, count: rows.length, open };
    return open ? [head, ...rows.map((belief): TreeLine => ({ kind: "belief", belief }))] : [head];
  });
}
