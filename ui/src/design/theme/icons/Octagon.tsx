// The shape of STOP ALL; used for stops and nothing else.

/** An octagon in the colour of the text around it. */
export function Octagon() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false" width="1.75em" height="1.75em">
      <path fill="currentColor" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />
    </svg>
  );
}
