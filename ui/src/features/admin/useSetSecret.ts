// Sends a key of a provider.

import type { HostError } from "../../host/host";
import { useSecretOperation } from "../../domain/station/useSecretOperation";

/** `send` resolves to whether the station took it. */
export type SetSecret = {
  send: (name: string, value: string, this_session_only: boolean) => Promise<boolean>;
  pending: boolean;
  error: HostError | null;
  forget: () => void;
};

/** One key at a time. */
export function useSetSecret(): SetSecret {
  const { send, ...rest } = useSecretOperation("set_secret");
  return {
    ...rest,
    send: async (name, value, this_session_only) =>
      (await send({ name, value, ...(this_session_only ? { this_session_only } : {}) })) !== null,
  };
}
