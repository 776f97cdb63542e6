import { describe, expect, it } from "vitest";
import type { JobRow } from "../../generated/bindings/JobRow";
import { FIRST_DRAFT, type JobDraft, previewOf, taskOf } from "./job-draft";
import { actsOf, countOf, filterOf, shownJobs } from "./job-state";
import { zonedTime } from "./job-time";

const draft = (part: Partial<JobDraft>): JobDraft => ({ ...FIRST_DRAFT, ...part });

describe("J-01 a job as it is asked for", () => {
  it.each([
    [{ prompt: "status" }, { task: { prompt: "status", cron_schedule: "0 7 * * *", missed: "once" } }],
    [
      { action: "operation", operation: " list_robots ", input: "{}", time: "at", at: "07:30" },
      { task: { operation: "list_robots", input: {}, at: "07:30", missed: "once" } },
    ],
    [{ action: "operation", operation: "x", input: "{" }, { path: "input" }],
    [
      { prompt: "p", time: "every_secs", every: "1,5", unit: "hours", time_zone: "Europe/Berlin", name: "n" },
      { task: { prompt: "p", every_secs: 5_400, time_zone: "Europe/Berlin", name: "n", missed: "once" } },
    ],
    [{ time: "every_secs", every: "often" }, { path: "every_secs" }],
  ] as const)("%o", (part, asked) => expect(taskOf(draft(part))).toEqual(asked));

  it("J-04 a preview is about the time, and about whether an operation runs", () =>
    expect([
      previewOf(draft({ prompt: "not sent" })),
      previewOf(draft({ action: "operation", operation: "list_robots" })),
      previewOf(draft({ time: "at" })),
    ]).toEqual([{ cron_schedule: "0 7 * * *" }, { cron_schedule: "0 7 * * *", operation: "list_robots" }, null]));
});

describe("J-05 where a job stands", () => {
  it.each([
    ["pending", "open", ["run_job", "pause_job", "cancel_job"]],
    ["waiting", "open", ["pause_job", "cancel_job"]],
    ["running", "open", ["cancel_job"]],
    ["paused", "open", ["resume_job", "run_job", "cancel_job"]],
    ["dead_letter", "dead_letter", ["retry_job", "cancel_job"]],
    ["failed", "ended", ["retry_job"]],
    ["completed", "ended", []],
    ["cancelled", "ended", []],
  ] as const)("%s is in %s, with %o", (state, filter, acts) =>
    expect([filterOf(state), actsOf(state)]).toEqual([filter, acts]),
  );

  it("what runs next stands first", () => {
    const job = (id: string, next_run_at: number | null) => ({ id, next_run_at, state: "pending" }) as JobRow;
    const jobs = [job("c", null), job("b", 20), job("a", 10)];
    expect(shownJobs(jobs, "open").map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(countOf(jobs, "ended")).toBe(0);
  });
});

describe("J-04 times in the zone of the job", () => {
  const noon = Date.UTC(2026, 2, 9, 12);
  it.each([
    ["Europe/Berlin", /13:00:00.*\+01:00/],
    ["America/New_York", /08:00:00.*[−-]04:00/],
    ["Nowhere/Never", /12:00:00.*GMT/],
  ])("%s", (zone, text) => expect(zonedTime(noon, zone)).toMatch(text));
});
