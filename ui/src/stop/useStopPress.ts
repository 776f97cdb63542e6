import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type Host, toHostError } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { operation } from "../host/operations";
import { requestId } from "../host/request-id";
import { standingOf } from "../domain/stop/open-stops";
import { foundAt, isOvertaken, type Press, pressOf } from "./stop-view";

/** The station answers within 1 s even if the latch cannot be saved; after this it is not there. */
const ANSWER_MS_MAX = 3_000;
/** A stop that was taken is reported with the next frame; after this no frames come, and the banner says so. */
const REPORT_MS_MAX = 3_000;

const NEVER = () => () => undefined;

/** The newest STOP ALL on its way to a station elsewhere; null at this computer's own, and in a browser. */
export function useDelivery({ desk }: Host) {
  return useSyncExternalStore(desk?.subscribe ?? NEVER, () => desk?.status?.stop ?? null);
}

/** Pressing STOP ALL, and what this window knows of its own press. */
export function useStopPress(host: Host, store: LiveStore): { press: Press; stop: () => void } {
  const [press, setPress] = useState<Press>({ state: "none" });
  const newest = useRef(0);
  const delivery = useDelivery(host);

  // Synchronises with the station's reports: a failure that is history stays history when the newer stop is released.
  useEffect(() => {
    if (press.state !== "failed") return;
    const { found } = press;
    return store.subscribe(() => {
      const standing = standingOf(store.stops, store.safety.keys());
      if (isOvertaken(found, store.stops, standing)) setPress({ state: "none" });
    });
  }, [press, store]);

  const stop = () => {
    newest.current += 1;
    const number = newest.current;
    // The answer to an earlier press says nothing about this one: it may time out after this one was taken.
    const settle = (next: Press) => {
      if (number === newest.current) setPress(next);
    };
    // Taken before the call: a stop that arrives meanwhile is newer than what the press found.
    const found = foundAt(store.stops);
    setPress({ state: "sending" });
    operation(host, "stop_all", { request_id: requestId() }, AbortSignal.timeout(ANSWER_MS_MAX)).then(
      ({ stop_id }) => {
        settle({ state: "taken", stop_id });
        setTimeout(() => settle({ state: "none" }), REPORT_MS_MAX);
      },
      (thrown: unknown) => settle({ state: "failed", sentence: toHostError(thrown).message, found }),
    );
  };
  return { press: pressOf(press, delivery), stop };
}
