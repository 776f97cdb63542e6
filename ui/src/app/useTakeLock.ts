// Applies the station's answer about the session lock at once.

import type { AdminGranted } from "../generated/bindings/AdminGranted";
import { useStation } from "../domain/station/station-context";

/** Takes over the role that a session has once it is locked, or is no longer. */
export function useTakeLock(): (locked: boolean) => (answer: AdminGranted) => void {
  const { store } = useStation();
  return (locked) =>
    ({ role, until_mono_ms }) => {
      if (store.session) store.applySession({ ...store.session, locked, role, admin_until_mono_ms: until_mono_ms });
    };
}
