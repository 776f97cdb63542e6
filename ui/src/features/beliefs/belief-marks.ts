// Marks on the line of a belief: each row of its history, and the start of a challenge.

import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import type { BeliefHistoryRow } from "../../generated/bindings/BeliefHistoryRow";

/** The shape of a mark; what a person did has one of its own. */
export type MarkShape = "created" | "confirmed" | "contradicted" | "replaced" | "operator" | "pin" | "challenged";

/** A mark. `row` is null for the challenge, which is no change of the confidence. */
export type Mark = { id: string; at: number; confidence: number; shape: MarkShape; row: BeliefHistoryRow | null };

/** Marks that would cover each other are drawn as one; what it holds is told by the most telling of them. */
export type MarkGroup = { mark: Mark; marks: readonly Mark[] };

/** More telling first. */
const TELLING: readonly MarkShape[] = [
  "challenged",
  "replaced",
  "contradicted",
  "created",
  "operator",
  "pin",
  "confirmed",
];

/** Every mark, oldest first. */
export function marksOf({ rows, belief, left_out }: Pick<BeliefHistory, "rows" | "belief" | "left_out">): Mark[] {
  const marks = rows.map((row, place): Mark => ({
    // Counted from the first there ever was: a mark keeps its name when older ones are left out.
    id: `${row.at}-${left_out + place}`,
    at: row.at,
    confidence: row.confidence_after ?? 0,
    shape: shapeOf(row),
    row,
  }));
  if (belief.challenged_at === null) return marks;
  const at = belief.challenged_at;
  const place = marks.findLastIndex((mark) => mark.at <= at);
  const challenge: Mark = {
    id: `challenged-${at}`,
    at,
    confidence: marks[place]?.confidence ?? belief.confidence,
    shape: "challenged",
    row: null,
  };
  return marks.toSpliced(place + 1, 0, challenge);
}

/** Marks within `span` secs of each other in one group. */
export function groupedMarks(marks: readonly Mark[], apart_secs: number): MarkGroup[] {
  const groups: { mark: Mark; marks: Mark[] }[] = [];
  for (const mark of marks) {
    const last = groups.at(-1);
    if (last && mark.at - (last.marks[0]?.at ?? mark.at) < apart_secs) {
      last.marks.push(mark);
      if (TELLING.indexOf(mark.shape) < TELLING.indexOf(last.mark.shape)) last.mark = mark;
    } else {
      groups.push({ mark, marks: [mark] });
    }
  }
  return groups;
}

/** Acts of a person on a belief are told from what the world showed. */
export function byPerson({ evidence }: BeliefHistoryRow): boolean {
  return evidence !== null && "operator" in evidence;
}

function shapeOf(row: BeliefHistoryRow): MarkShape {
  switch (row.kind) {
    case "created":
      return "created";
    case "confirmed":
      return byPerson(row) ? "operator" : "confirmed";
    case "contradicted":
      return "contradicted";
    case "replaced":
      return "replaced";
    case "corrected":
      return "operator";
    case "pinned":
    case "unpinned":
    case "forgotten":
      return "pin";
  }
}
