// Forms of the window that code has to know; style sheets know them by themselves.

import { useCallback, useSyncExternalStore } from "react";

/** Windows in which every column is a little slimmer. */
const SLIM = "(max-width: 85em)";

/** True while the window matches a media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** True if the window is so slim now that columns begin slimmer. */
export function isSlim(): boolean {
  return matchMedia(SLIM).matches;
}
