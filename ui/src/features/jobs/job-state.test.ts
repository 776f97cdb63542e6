import { expect, it } from "vitest";
import type { JobRow } from "../../generated/bindings/JobRow";
import { shownJobs } from "./job-state";

const job = (id: string, next_run_at: number | null, retry_at: number | null = null) =>
  ({ id, state: "pending", next_run_at, retry_at }) as JobRow;

it("what runs next stands first, be it a retry, and jobs without a time stand last", () => {
  const jobs = [job("never", null), job("hour", 3_600), job("retry", 86_400, 30), job("soon", 600), job("gone", null)];
  expect(shownJobs(jobs, "open").map(({ id }) => id)).toEqual(["retry", "soon", "hour", "never", "gone"]);
});
