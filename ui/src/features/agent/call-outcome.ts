// Outcome of a tool call in a running turn, human-readable.

import type { LiveCall } from "../../host/live-turn";
import { t } from "../../locales/i18n";

/** State of the call, or its progress while it runs. */
export function callOutcome({ state, progress }: LiveCall): string {
  switch (state) {
    case "running":
      return progress === "" ? t("tool.running") : progress;
    case "asked":
      return t("tool.asked");
    case "ok":
      return t("tool.done");
    case "failed":
      return t("tool.failed");
  }
}
