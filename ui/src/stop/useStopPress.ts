import { useState, useSyncExternalStore } from "react";
import { type Host, toHostError } from "../host/host";
import { operation } from "../host/operations";
import { requestId } from "../host/request-id";
import { type Press, pressOf } from "./stop-view";

/** The station answers within 1 s even if the latch cannot be saved; after this it is not there. */
const ANSWER_MS_MAX = 3_000;

const NEVER = () => () => undefined;

/** The newest STOP ALL on its way to a station elsewhere; null at this computer's own, and in a browser. */
export function useDelivery({ desk }: Host) {
  return useSyncExternalStore(desk?.subscribe ?? NEVER, () => desk?.status?.stop ?? null);
}

/** Pressing STOP ALL, and what this window knows of its own press. */
export function useStopPress(host: Host): { press: Press; stop: () => void } {
  const [press, setPress] = useState<Press>({ state: "none" });
  const delivery = useDelivery(host);
  const stop = () => {
    setPress({ state: "sending" });
    operation(host, "stop_all", { request_id: requestId() }, AbortSignal.timeout(ANSWER_MS_MAX)).then(
      () => setPress({ state: "none" }),
      (thrown: unknown) => setPress({ state: "failed", sentence: toHostError(thrown).message }),
    );
  };
  return { press: pressOf(press, delivery), stop };
}
