// The look that this desk has chosen; theme.js sets it on the page before the first paint, and again when it changes.

import { useSyncExternalStore } from "react";
import { deskMemory } from "./memory";

/** `system` follows the computer's own setting. */
export const THEMES = ["system", "light", "dark"] as const;
export const CONTRASTS = ["system", "normal", "more"] as const;
export type Theme = (typeof THEMES)[number];
export type Contrast = (typeof CONTRASTS)[number];

/** The event that theme.js listens for: only other windows hear that storage has changed. */
const CHANGED = "quarterdeck-theme";
const THEME_KEY = "quarterdeck.theme";
const CONTRAST_KEY = "quarterdeck.contrast";

/** The chosen theme, and how to choose another. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const kept = useKept(THEME_KEY);
  return [THEMES.find((theme) => theme === kept) ?? "system", (theme) => keep(THEME_KEY, theme)];
}

/** The chosen contrast, and how to choose another. */
export function useContrast(): [Contrast, (contrast: Contrast) => void] {
  const kept = useKept(CONTRAST_KEY);
  return [CONTRASTS.find((contrast) => contrast === kept) ?? "system", (contrast) => keep(CONTRAST_KEY, contrast)];
}

function useKept(key: string): string | null {
  return useSyncExternalStore(onChange, () => deskMemory.read(key));
}

function onChange(changed: () => void): () => void {
  for (const event of [CHANGED, "storage"]) addEventListener(event, changed);
  return () => {
    for (const event of [CHANGED, "storage"]) removeEventListener(event, changed);
  };
}

function keep(key: string, value: string): void {
  const text = value === "system" ? null : value;
  // theme.js reads the storage by itself, before anything else runs; what could not be stored it has to be told.
  const unsaved = { [key]: deskMemory.write(key, text) ? undefined : text };
  dispatchEvent(new CustomEvent(CHANGED, { detail: unsaved }));
}
