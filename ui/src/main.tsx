// Mounts two roots: STOP ALL, then everything else.

import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./design/theme/tokens.css";
import "./design/theme/reset.css";
import { createRoot, type Root } from "react-dom/client";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { InLanguage } from "./app/InLanguage";
import { SignIn } from "./app/SignIn";
import type { Host } from "./host/host";
import { LiveStore } from "./host/live-store";
import { keepFilesOut } from "./host/files-out";
import { markPage } from "./host/language";
import { createQueryClient, TagInvalidator } from "./host/query";
import { startSession } from "./host/session";
import { createTauriHost, isAppWindow } from "./host/tauri";
import { dropToken, keepAgent, keepToken, onTokenInAddress, takeToken, wasRefused } from "./host/tab";
import { createWebHost } from "./host/web";
import { StopRoot } from "./stop/StopRoot";
import { type Station, StationContext } from "./domain/station/station-context";
import { Shell } from "./app/Shell";

function rootOf(id: string): Root {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return createRoot(element);
}

function findHost(): Host | null {
  if (isAppWindow()) return createTauriHost();
  onTokenInAddress(() => location.reload());
  const token = takeToken();
  if (token === null) return null;
  return createWebHost(location.origin, token, () => {
    dropToken();
    location.reload();
  });
}

function start(): void {
  markPage();
  keepFilesOut();
  const app = rootOf("app");
  const host = findHost();
  if (!host) {
    app.render(
      <InLanguage>
        <SignIn
          refused={wasRefused()}
          onToken={(token) => {
            keepToken(token);
            location.reload();
          }}
        />
      </InLanguage>,
    );
    return;
  }
  const store = new LiveStore();
  // First, and by itself: whatever fails below, the button is on the screen.
  rootOf("stop").render(<StopRoot host={host} store={store} />);
  keepAgent(store);
  const client = createQueryClient();
  app.render(<App station={{ host, store }} client={client} />);
  startSession(host, store, new TagInvalidator(client));
  host.desk?.start();
}

/** Everything but STOP ALL. */
function App({ station, client }: { station: Station; client: QueryClient }) {
  return (
    <StationContext value={station}>
      <QueryClientProvider client={client}>
        {/* oxlint-disable-next-line react/hooks -- wouter takes its kind of location as a hook */}
        <Router hook={useHashLocation}>
          <InLanguage>
            <Shell />
          </InLanguage>
        </Router>
      </QueryClientProvider>
    </StationContext>
  );
}

start();
