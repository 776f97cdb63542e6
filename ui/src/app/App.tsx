import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { type Station, StationContext } from "../shared/hooks/station-context";
import { Shell } from "./Shell";

/** Everything but STOP ALL. */
export function App({ station, client }: { station: Station; client: QueryClient }) {
  return (
    <StationContext value={station}>
      <QueryClientProvider client={client}>
        <Router hook={useHashLocation}>
          <Shell />
        </Router>
      </QueryClientProvider>
    </StationContext>
  );
}
