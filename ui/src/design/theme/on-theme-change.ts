// Drawings outside of CSS have to be told when their colours change.

/** Calls `changed` after another theme or contrast has been set; returns how to stop that. */
export function onThemeChange(changed: () => void): () => void {
  // The attributes, not the events: theme.js has set them by the time these change.
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-contrast"] });
  return () => observer.disconnect();
}
