// Jobs in words.

import type { JobRow } from "../../generated/bindings/JobRow";
import { actText } from "../../domain/audit/record-text";
import { t } from "../../locales/i18n";

/** Title of a job: its name, or its action. */
export function jobName({ name, ...job }: JobRow): string {
  return name ?? actionText(job);
}

/** Action of a job, on one line. */
export function actionText({ prompt, operation }: Pick<JobRow, "prompt" | "operation">): string {
  return prompt === null ? t("jobs.runs", { operation: actText(operation ?? "") }) : t("jobs.asks", { prompt });
}
