// Jobs by where they stand.

import type { JobRow } from "../../generated/bindings/JobRow";
import type { JobState } from "../../generated/bindings/JobState";

/** Jobs that will run, jobs that were given up, and jobs that are over. */
export type JobFilter = "open" | "dead_letter" | "ended";

/** Actions of a person on a job. */
export type JobAct = "run_job" | "pause_job" | "resume_job" | "retry_job" | "cancel_job";

/** The list a job stands in. */
export function filterOf(state: JobState): JobFilter {
  switch (state) {
    case "pending":
    case "waiting":
    case "running":
    case "paused":
      return "open";
    case "dead_letter":
      return "dead_letter";
    case "completed":
    case "failed":
    case "cancelled":
      return "ended";
  }
}

/** Actions that make sense in a state; the station decides. */
export function actsOf(state: JobState): readonly JobAct[] {
  switch (state) {
    case "pending":
      return ["run_job", "pause_job", "cancel_job"];
    case "waiting":
      return ["pause_job", "cancel_job"];
    case "running":
      return ["cancel_job"];
    case "paused":
      return ["resume_job", "run_job", "cancel_job"];
    case "dead_letter":
      return ["retry_job", "cancel_job"];
    case "failed":
      return ["retry_job"];
    case "completed":
    case "cancelled":
      return [];
  }
}

/** Jobs of one list: what runs next stands first, jobs without a next time last. */
export function shownJobs(jobs: readonly JobRow[], filter: JobFilter): JobRow[] {
  return jobs.filter(({ state }) => filterOf(state) === filter).toSorted((a, b) => nextOf(a) - nextOf(b));
}

/** Unix seconds; a retry comes before the regular time. */
function nextOf({ retry_at, next_run_at }: JobRow): number {
  // Not without end: the difference of two of those is no number.
  return retry_at ?? next_run_at ?? Number.MAX_SAFE_INTEGER;
}

/** Number of jobs in a list. */
export function countOf(jobs: readonly JobRow[], filter: JobFilter): number {
  return jobs.filter(({ state }) => filterOf(state) === filter).length;
}
