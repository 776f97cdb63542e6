// Calls an operation whose input or answer holds a secret. Not through the query client, which would keep both: no store
// of the window holds a secret (U-2304).

import { useRef, useState } from "react";
import { type HostError, toHostError } from "../../host/host";
import { type Input, operation, type OperationName, type Output } from "../../host/operations";
import { useStation } from "./station-context";

/** `send` resolves to the answer, or to null if the station refused or the last call is still under way. */
export type SecretOperation<Name extends OperationName> = {
  send: (input: Input<Name>) => Promise<Output<Name> | null>;
  pending: boolean;
  error: HostError | null;
  forget: () => void;
};

/** One call at a time. */
export function useSecretOperation<Name extends OperationName>(name: Name): SecretOperation<Name> {
  const { host } = useStation();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  const underWay = useRef(false);
  const send = async (input: Input<Name>) => {
    if (underWay.current) return null;
    underWay.current = true;
    setPending(true);
    setError(null);
    try {
      return await operation(host, name, input);
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
