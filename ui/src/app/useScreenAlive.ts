// Tells the station that somebody can see this window.

import { useEffect } from "react";
import { useStation } from "../domain/station/station-context";
import { operation } from "../host/operations";

/** By timer, not by frame: a window behind another one counts, a frozen one does not (U-613). */
const EVERY_MS = 1_000;
/** On a dead connection calls pile up until the browser opens no further one, and STOP ALL waits behind them. */
const ANSWER_MS_MAX = 2_500;

/** Says so as long as the component that uses it is mounted. */
export function useScreenAlive(): void {
  const { host } = useStation();

  // Synchronises with the station's watch over its screens.
  useEffect(() => {
    const say = () => {
      // A station that is away is shown by the banner; there is nothing else to do about it here.
      operation(host, "screen_alive", {}, AbortSignal.timeout(ANSWER_MS_MAX)).catch(() => undefined);
    };
    say();
    const timer = setInterval(say, EVERY_MS);
    return () => clearInterval(timer);
  }, [host]);
}
