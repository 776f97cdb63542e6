// What a tool call of a running turn has come to, in words.

import type { LiveCall } from "../../host/live-turn";
import { t } from "../../locales/i18n";

/** Where it stands. */
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
