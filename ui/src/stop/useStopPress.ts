import { useState } from "react";
import { type Host, toHostError } from "../host/host";
import { operation } from "../host/operations";
import { requestId } from "../host/request-id";
import type { Press } from "./stop-view";

/** The station answers within 1 s even if the latch cannot be saved; after this it is not there. */
const ANSWER_MS_MAX = 3_000;

/** Pressing STOP ALL, and what this window knows of its own press. */
export function useStopPress(host: Host): { press: Press; stop: () => void } {
  const [press, setPress] = useState<Press>({ state: "none" });
  const stop = () => {
    setPress({ state: "sending" });
    operation(host, "stop_all", { request_id: requestId() }, AbortSignal.timeout(ANSWER_MS_MAX)).then(
      () => setPress({ state: "none" }),
      (thrown: unknown) => setPress({ state: "failed", sentence: toHostError(thrown).message }),
    );
  };
  return { press, stop };
}
