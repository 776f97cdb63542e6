// Mounts the app's small stop window: the button and what it needs, and no view that could fail beside it.

import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./design/theme/tokens.css";
import "./design/theme/reset.css";
import { createRoot } from "react-dom/client";
import { LiveStore } from "./host/live-store";
import { keepFilesOut } from "./host/files-out";
import { markPage } from "./host/language";
import { startSession } from "./host/session";
import { createTauriHost, isAppWindow } from "./host/tauri";
import { StopWindow } from "./stop/StopWindow";

/** It shows no rows, so there are none to outdate. */
const NO_ROWS = { invalidate: () => undefined, invalidateAll: () => undefined };

const root = document.getElementById("stop");
if (root && isAppWindow()) {
  markPage();
  keepFilesOut();
  const host = createTauriHost();
  const store = new LiveStore();
  createRoot(root).render(<StopWindow host={host} store={store} />);
  startSession(host, store, NO_ROWS);
  host.desk?.start();
} else {
  // In a browser there is no window above all others, so the page is the usual one.
  location.replace("/");
}
