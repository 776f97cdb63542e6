// Marks of a verdict: told by shape, neutral in colour (U-302).

/** ✓ allowed, ✕ denied, ! could not be judged. */
export type Mark = "allow" | "deny" | "error";

const SHAPES: Record<Mark, string> = {
  allow: "M3 8.5 6.5 12 13 4.5",
  deny: "M4 4l8 8M12 4l-8 8",
  error: "M8 2.5v7M8 12.5v1",
};

/** The mark alone; the word beside it names it. */
export function VerdictMark({ mark }: { mark: Mark }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false" width="1em" height="1em">
      <path fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="square" d={SHAPES[mark]} />
    </svg>
  );
}
