// The desk of the app's window, for screens.

import { useRef, useState, useSyncExternalStore } from "react";
import type { DeskAct } from "../../generated/bindings/DeskAct";
import type { DeskStatus } from "../../generated/bindings/DeskStatus";
import { type HostError, toHostError } from "../../host/host";
import { useStation } from "./station-context";

const NEVER = () => () => undefined;

/** State of the desk; null in a browser, and before its first answer. */
export function useDesk(): DeskStatus | null {
  const { desk } = useStation().host;
  return useSyncExternalStore(desk?.subscribe ?? NEVER, () => desk?.status ?? null);
}

/**
 * `send` resolves to the desk after the act, or to null if it was refused or the last one is under way. No store of the
 * window holds what is sent.
 */
export type DeskCall = {
  send: (act: DeskAct) => Promise<DeskStatus | null>;
  pending: boolean;
  error: HostError | null;
  forget: () => void;
};

/** Acts of the desk, one at a time. */
export function useDeskAct(): DeskCall {
  const { desk } = useStation().host;
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  const underWay = useRef(false);
  const send = async (act: DeskAct) => {
    if (desk === undefined || underWay.current) return null;
    underWay.current = true;
    setPending(true);
    setError(null);
    try {
      return await desk.act(act);
    } catch (refused) {
      setError(toHostError(refused));
      return null;
    } finally {
      underWay.current = false;
      setPending(false);
    }
  };
  return { send, pending, error, forget: () => setError(null) };
}
