// Mounts two roots: STOP ALL, then everything else.

import "@fontsource-variable/inter/wght.css";
import "./design/theme/tokens.css";
import "./design/theme/reset.css";
import { createRoot, type Root } from "react-dom/client";
import { App } from "./app/App";
import { SignIn } from "./app/SignIn";
import { keepChoice } from "./host/agent-choice";
import type { Host } from "./host/host";
import { LiveStore } from "./host/live-store";
import { createQueryClient, TagInvalidator } from "./host/query";
import { startSession } from "./host/session";
import { createTauriHost, isAppWindow } from "./host/tauri";
import { dropToken, keepToken, takeToken } from "./host/token";
import { createWebHost } from "./host/web";
import { StopRoot } from "./stop/StopRoot";

function rootOf(id: string): Root {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return createRoot(element);
}

function findHost(): Host | null {
  if (isAppWindow()) return createTauriHost();
  const token = takeToken();
  if (token === null) return null;
  return createWebHost(location.origin, token, () => {
    dropToken();
    location.reload();
  });
}

function start(): void {
  const app = rootOf("app");
  const host = findHost();
  if (!host) {
    app.render(
      <SignIn
        onToken={(token) => {
          keepToken(token);
          location.reload();
        }}
      />,
    );
    return;
  }
  const store = new LiveStore();
  keepChoice(store);
  const client = createQueryClient();
  rootOf("stop").render(<StopRoot host={host} store={store} />);
  app.render(<App station={{ host, store }} client={client} />);
  startSession(host, store, new TagInvalidator(client));
}

start();
