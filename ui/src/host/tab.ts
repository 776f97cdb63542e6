// State that this tab of a browser keeps over a reload: the token of its desk, and the agent it shows. Another tab may
// show another one.

import type { LiveStore } from "./live-store";
import { tabMemory } from "./memory";

const TOKEN = "quarterdeck.token";
const REFUSED = "quarterdeck.token_refused";
const AGENT = "quarterdeck.agent";

const { read, write } = tabMemory;

const IN_ADDRESS = /^#token=([^&]+)/;

/** Takes the token out of the address, where it would end up in the history, or finds the one of this tab. */
export function takeToken(): string | null {
  const found = IN_ADDRESS.exec(location.hash)?.[1];
  if (found !== undefined) {
    keepToken(decoded(found));
    history.replaceState(null, "", `${location.pathname}${location.search}`);
  }
  return read(TOKEN);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Cut short or typed by hand: the station refuses it, and the person reads that instead of an empty page.
    return text;
  }
}

/** Calls `listener` when a token comes into the address of a page that is open: browsers load nothing then. */
export function onTokenInAddress(listener: () => void): () => void {
  const onHash = () => {
    if (IN_ADDRESS.test(location.hash)) listener();
  };
  addEventListener("hashchange", onHash);
  return () => removeEventListener("hashchange", onHash);
}

/** Keeps a token for this tab. */
export function keepToken(token: string): void {
  write(REFUSED, null);
  // Where nothing is kept the address hands it to the page that is loaded next.
  if (!write(TOKEN, token) && !IN_ADDRESS.test(location.hash)) location.hash = `token=${encodeURIComponent(token)}`;
}

/** Forgets a token that the station refused. */
export function dropToken(): void {
  write(TOKEN, null);
  write(REFUSED, "yes");
}

/** True if the station refused the last token of this tab, and none has been given since. */
export function wasRefused(): boolean {
  return read(REFUSED) !== null;
}

/** Shows the agent chosen before a reload, and remembers every later choice. */
export function keepAgent(store: LiveStore): void {
  let kept = read(AGENT);
  store.chooseAgent(kept);
  store.subscribe(() => {
    if (store.agent === kept) return;
    kept = store.agent;
    write(AGENT, kept);
  });
}
