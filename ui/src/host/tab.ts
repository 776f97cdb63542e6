// State that this tab of a browser keeps over a reload: the token of its desk, and the agent it shows. Another tab may
// show another one.

import type { LiveStore } from "./live-store";

const TOKEN = "quarterdeck.token";
const AGENT = "quarterdeck.agent";

/** Takes the token out of the address, where it would end up in the history, or finds the one of this tab. */
export function takeToken(): string | null {
  const found = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (found !== undefined) {
    sessionStorage.setItem(TOKEN, decodeURIComponent(found));
    history.replaceState(null, "", `${location.pathname}${location.search}`);
  }
  return sessionStorage.getItem(TOKEN);
}

/** Keeps a token for this tab. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

/** Forgets a token that the station refused. */
export function dropToken(): void {
  sessionStorage.removeItem(TOKEN);
}

/** Shows the agent chosen before a reload, and remembers every later choice. */
export function keepAgent(store: LiveStore): void {
  let kept = sessionStorage.getItem(AGENT);
  store.chooseAgent(kept);
  store.subscribe(() => {
    if (store.agent === kept) return;
    kept = store.agent;
    if (kept === null) sessionStorage.removeItem(AGENT);
    else sessionStorage.setItem(AGENT, kept);
  });
}
