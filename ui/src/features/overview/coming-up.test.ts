import { describe, expect, it } from "vitest";
import type { JobRow } from "../../generated/bindings/JobRow";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import type { StandingApprovalRow } from "../../generated/bindings/StandingApprovalRow";
import { comingUp } from "./coming-up";

const NOW_MS = 1_800_000_000_000;
const inSecs = (secs: number) => NOW_MS / 1_000 + secs;

function job(id: string, secs: number | null, more: Partial<JobRow> = {}): JobRow {
  const due = { next_run_at: secs === null ? null : inSecs(secs), state: "pending", mission_id: null } as const;
  return { id, name: id, prompt: "look", operation: null, created_by: "dana", ...due, ...more } as JobRow;
}

function mission(id: string, secs: number | null, status: MissionRow["status"] = "active"): MissionRow {
  const expires_at = secs === null ? null : inSecs(secs);
  return { id, title: `The ${id}`, status, expires_at, starts_at: null } as MissionRow;
}

const approval = { id: "sa-1", robot: "rover-1", expires_at: inSecs(1_800) } as StandingApprovalRow;
const keys = (...[jobs, missions, approvals]: [JobRow[], MissionRow[], StandingApprovalRow[]]) =>
  comingUp(NOW_MS, jobs, missions, approvals).map(({ key }) => key);

describe("U-807 what comes up", () => {
  it("U-807 is within a day, the soonest first, and no more than four lines", () => {
    expect(keys([job("late", 3_600), job("soon", 60)], [mission("patrol", 600)], [approval])).toEqual([
      "soon",
      "patrol",
      "sa-1",
      "late",
    ]);
    expect(keys([job("past", -1), job("far", 86_401), job("never", null)], [mission("open", null)], [])).toEqual([]);
    expect(
      keys(
        [1, 2, 3, 4, 5].map((at) => job(`job-${at}`, at)),
        [],
        [],
      ),
    ).toHaveLength(4);
  });

  it("U-807 leaves out what does not happen by itself any more", () => {
    const stopped = (["paused", "completed", "cancelled", "failed", "dead_letter"] as const).map((state) =>
      job(state, 60, { state }),
    );
    expect(keys(stopped, [mission("done", 60, "completed"), mission("draft", 60, "draft")], [])).toEqual([]);
  });

  it("U-807 says when a mission starts its next run, beside when it ends", () => {
    const nightly = { ...mission("patrol", 7_200), starts_at: inSecs(600) };
    expect(comingUp(NOW_MS, [], [nightly], []).map(({ title, at_ms }) => [title, at_ms - NOW_MS])).toEqual([
      ["The patrol starts its next run", 600_000],
      ["The patrol expires", 7_200_000],
    ]);
  });

  it("U-807 names a job by its mission", () => {
    const [line] = comingUp(NOW_MS, [job("summary", 60, { mission_id: "patrol" })], [mission("patrol", null)], []);
    expect(line).toMatchObject({ title: "summary", of: "The patrol", href: "/jobs/summary" });
  });
});
