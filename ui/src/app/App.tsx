import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { type Station, StationContext } from "../domain/station/station-context";
import { Shell } from "./Shell";

/** Everything but STOP ALL. */
export function App({ station, client }: { station: Station; client: QueryClient }) {
  return (
    <StationContext value={station}>
      <QueryClientProvider client={client}>
        {/* oxlint-disable-next-line react/hooks -- wouter takes its kind of location as a hook */}
        <Router hook={useHashLocation}>
          <Shell />
        </Router>
      </QueryClientProvider>
    </StationContext>
  );
}
