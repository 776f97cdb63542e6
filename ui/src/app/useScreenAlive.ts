// Tells the station that this screen lives: control of a robot does not outlast the screen of who has it.

import { useEffect } from "react";
import { operation } from "../host/operations";
import { useStation } from "../domain/station/station-context";

/** By timer, not by frame: a window behind another one counts, a frozen one does not (U-613). */
const EVERY_MS = 1_000;

/** Says so as long as the component that uses it is mounted. */
export function useScreenAlive(): void {
  const { host } = useStation();

  // Synchronises with the station's watch over its screens.
  useEffect(() => {
    const say = () => {
      // A station that is away is shown by the banner; there is nothing else to do about it here.
      operation(host, "screen_alive", {}).catch(() => undefined);
    };
    say();
    const timer = setInterval(say, EVERY_MS);
    return () => clearInterval(timer);
  }, [host]);
}
