// Jobs in words.

import type { JobRow } from "../../generated/bindings/JobRow";
import { t } from "../../locales/i18n";

/** What a job is called: its name, or what it does. */
export function jobName({ name, ...job }: JobRow): string {
  return name ?? actionText(job);
}

/** What it does, on one line. */
export function actionText({ prompt, operation }: Pick<JobRow, "prompt" | "operation">): string {
  return prompt === null ? t("jobs.runs", { operation: operation ?? "" }) : t("jobs.asks", { prompt });
}
