// The shape of STOP ALL; used for stops and nothing else.

/** An octagon in the colour of the text around it. */
export function Octagon() {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" focusable="false" width="1.75em" height="1.75em">
      <path fill="currentColor" d="M9 1.5h10L26.5 9v10L19 26.5H9L1.5 19V9z" />
    </svg>
  );
}
