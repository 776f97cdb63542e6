// The schedule of a job in the window's language. The station says it in English; another language says the usual
// forms itself, and leaves the others to the station.

import type { JobRow } from "../../generated/bindings/JobRow";
import { cronText, intervalText } from "../../domain/schedule/cron-text";
import { hasStationWords } from "../../locales/station-words";
import { t } from "../../locales/i18n";
import { zonedText } from "./job-time";

/** The fields of a job that its schedule is in. */
type Scheduled = Pick<JobRow, "words" | "at" | "every_secs" | "cron_schedule" | "time_zone">;

/** When a job runs, in words. */
export function scheduleText(job: Scheduled): string {
  if (!hasStationWords()) return job.words;
  if (job.every_secs !== null) return t("jobs.says_every", { age: intervalText(job.every_secs) });
  if (job.at !== null) return t("jobs.says_once", { when: zonedText(job.at, job.time_zone) });
  return (job.cron_schedule === null ? null : cronText(job.cron_schedule)) ?? job.words;
}
