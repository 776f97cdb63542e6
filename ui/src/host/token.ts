// The token of a browser desk: handed over in the address once, then kept for this tab only.

const KEY = "quarterdeck.token";

/** Takes the token out of the address, where it would end up in the history, or finds the one of this tab. */
export function takeToken(): string | null {
  const found = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (found !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(found));
    history.replaceState(null, "", `${location.pathname}${location.search}`);
  }
  return sessionStorage.getItem(KEY);
}

/** Keeps a token for this tab. */
export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** Forgets a token that the station refused. */
export function dropToken(): void {
  sessionStorage.removeItem(KEY);
}
