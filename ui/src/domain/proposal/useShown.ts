// Tells the station that a card stands on this screen, so that it knows when nobody sees one.

import { type RefCallback, useCallback, useEffect, useState } from "react";
import { operation } from "../../host/operations";
import { useStation } from "../station/station-context";
import { useLive } from "../station/useLive";

/** Said again this often: a screen that was frozen, and whose word no longer counts, counts again. */
const AGAIN_MS = 2_000;
/** So much of the sentence has to be in sight. */
const IN_SIGHT = 0.5;

/** For the element with the card's sentence; `open` while the card waits for a decision. */
export function useShown(id: string, open: boolean): RefCallback<HTMLElement> {
  const { host } = useStation();
  // Whoever passes by a locked screen is nobody who could decide.
  const seen = useLive((store) => store.connected && !store.time.lost && store.session?.locked === false);
  const { watched, inSight } = useInSight();

  // Synchronises with the station's record of who has seen what.
  useEffect(() => {
    if (!open || !seen || !inSight) return;
    const say = () => {
      if (document.visibilityState !== "visible") return;
      // A station that is away is shown by the banner, and hears it again.
      operation(host, "proposal_shown", { id }).catch(() => undefined);
    };
    say();
    const timer = setInterval(say, AGAIN_MS);
    document.addEventListener("visibilitychange", say);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", say);
    };
  }, [host, id, open, seen, inSight]);

  return watched;
}

function useInSight(): { watched: RefCallback<HTMLElement>; inSight: boolean } {
  const [inSight, setInSight] = useState(false);
  // One function for all renders: another one would end the watch and begin it anew, for every card every second.
  const watched = useCallback((element: HTMLElement | null) => {
    if (!element || typeof IntersectionObserver === "undefined") return;
    // Several entries come at once where the card was scrolled in and out: the last one is how it stands.
    const observer = new IntersectionObserver((entries) => setInSight(entries.at(-1)?.isIntersecting === true), {
      threshold: IN_SIGHT,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { watched, inSight };
}
