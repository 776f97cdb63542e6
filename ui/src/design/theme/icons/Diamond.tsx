// The mark of what is not yet fact: proposed, predicted, or done by an agent.

/** A diamond in the colour of the text around it. */
export function Diamond() {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false" width="0.85em" height="0.85em">
      <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </svg>
  );
}
