// Sends a key. Not through the query client, which would keep what was sent: no store of the window holds a secret
// (U-2304).

import { useState } from "react";
import { type HostError, toHostError } from "../../host/host";
import { operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";

/** `send` resolves to whether the station took it. */
export type SetSecret = {
  send: (name: string, value: string, this_session_only: boolean) => Promise<boolean>;
  pending: boolean;
  error: HostError | null;
  forget: () => void;
};

/** One key at a time. */
export function useSetSecret(): SetSecret {
  const { host } = useStation();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  const send = async (name: string, value: string, this_session_only: boolean) => {
    setPending(true);
    setError(null);
    const refused = await operation(host, "set_secret", {
      name,
      value,
      ...(this_session_only ? { this_session_only } : {}),
    }).then(() => null, toHostError);
    setPending(false);
    setError(refused);
    return refused === null;
  };
  return { send, pending, error, forget: () => setError(null) };
}
