// Connections and pairing change with time alone, which no tag of the station tells.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** Ages of connections, and the time left of a pairing, are a second old at most. */
export const LOOK_EVERY_MS = 1_000;

/** Asks for connections and pairing again and again, as long as the page is open. */
export function useConnectionsLook(): void {
  const queries = useQueryClient();

  // Synchronises with the clock.
  useEffect(() => {
    const look = () =>
      // An answer that is under way is waited for: a station that takes longer than a second would never be heard.
      void queries.invalidateQueries({ queryKey: ["connections"] }, { cancelRefetch: false });
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [queries]);
}
