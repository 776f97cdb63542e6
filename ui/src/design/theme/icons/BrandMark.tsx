// The mark of the product: a robot from above, its ring and heading line, which is also a Q.

/** The mark in the colour of the text around it, on the ground of the window. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false" width="32" height="32">
      <circle cx="15" cy="15" r="10.5" fill="none" stroke="currentColor" strokeWidth="3" />
      <path d="M15 15 27 27" stroke="var(--ground)" strokeWidth="7.5" />
      <path d="M15 15 27.5 27.5" stroke="currentColor" strokeWidth="3.2" strokeLinecap="round" />
    </svg>
  );
}
