// Acting as Admin for a while, from any control that needs it.

import type { AdminGranted } from "../../generated/bindings/AdminGranted";
import type { HostError } from "../../host/host";
import type { LiveStore } from "../../host/live-store";
import { useStation } from "./station-context";
import { useLive } from "./useLive";
import { useSecretOperation } from "./useSecretOperation";

export type AdminRaise = {
  /** The person may raise this window: an Operator whose role no token fixes. */
  isOffered: boolean;
  /** The station asks for a PIN. */
  hasPin: boolean;
  pending: boolean;
  error: HostError | null;
  forget: () => void;
  /** Resolves to true once the window acts as Admin. */
  raise: (input: { pin?: string }) => Promise<boolean>;
};

/** True of a window that a person may raise. */
export function mayRaise({ session }: LiveStore): boolean {
  return session?.role === "operator" && !session.has_token;
}

export function useAdminRaise(): AdminRaise {
  const isOffered = useLive(mayRaise);
  const hasPin = useLive(({ session }) => session?.has_admin_pin ?? false);
  const { send, pending, error, forget } = useSecretOperation("act_as_admin");
  const take = useTakeGrant();
  const raise = async (input: { pin?: string }) => {
    const granted = await send(input);
    if (granted !== null) take(granted);
    return granted?.role === "admin";
  };
  return { isOffered, hasPin, pending, error, forget, raise };
}

/** Puts what the station granted into the session. */
export function useTakeGrant(): (granted: AdminGranted) => void {
  const { store } = useStation();
  return (granted) => {
    // The next look at the session may be seconds away, and the controls of an Admin must open now.
    if (store.session)
      store.applySession({ ...store.session, role: granted.role, admin_until_mono_ms: granted.until_mono_ms });
  };
}
