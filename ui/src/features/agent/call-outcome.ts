// What a tool call has come to, in words.

import type { LiveCall } from "../../host/live-turn";
import { t } from "../../shared/i18n";
import type { ToolResult } from "./transcript-rows";

/** While its turn runs. */
export function callOutcome({ state }: LiveCall): string {
  switch (state) {
    case "running":
      return t("tool.running");
    case "asked":
      return t("tool.asked");
    case "ok":
      return t("tool.done");
    case "failed":
      return t("tool.failed");
  }
}

/** Once its result is stored. */
export function resultOutcome(result: ToolResult): string {
  switch (result.kind) {
    case "denial":
      return t("tool.denied");
    case "asked":
      return t("tool.asked");
    case "text":
      return t("tool.done");
  }
}
