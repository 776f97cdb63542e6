// Which agent this window shows, kept for this tab: another window may show another one.

import type { LiveStore } from "./live-store";

const KEY = "quarterdeck.agent";

/** Shows the agent chosen before a reload, and remembers every later choice. */
export function keepChoice(store: LiveStore): void {
  let kept = sessionStorage.getItem(KEY);
  store.chooseAgent(kept);
  store.subscribe(() => {
    if (store.agent === kept) return;
    kept = store.agent;
    if (kept === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, kept);
  });
}
