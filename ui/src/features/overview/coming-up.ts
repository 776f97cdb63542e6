// The next day of the site: jobs that are due, missions that start a run or end, standing approvals that end.

import type { JobRow } from "../../generated/bindings/JobRow";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import type { StandingApprovalRow } from "../../generated/bindings/StandingApprovalRow";
import { t } from "../../locales/i18n";

/** Something to come: when, what, of whom, and the screen that shows it. */
export type Coming = { key: string; at_ms: number; title: string; of: string; href: string };

/** Further away is nothing that a shift has to know. */
const WITHIN_MS = 24 * 3_600_000;
/** Lines of the list. */
const LINES_MAX = 4;

/** The next lines, soonest first. */
export function comingUp(
  now_ms: number,
  jobs: readonly JobRow[],
  missions: readonly MissionRow[],
  approvals: readonly StandingApprovalRow[],
): Coming[] {
  const titles = new Map(missions.map(({ id, title }) => [id, title]));
  const all = [
    ...jobs.flatMap((job) => jobComing(job, titles)),
    ...missions.flatMap(missionComing),
    ...approvals.map(({ id, robot, expires_at }) => ({
      key: id,
      at_ms: 1_000 * expires_at,
      title: t("coming.approval"),
      of: robot,
      href: `/safety/${robot}`,
    })),
  ];
  return all
    .filter(({ at_ms }) => at_ms >= now_ms && at_ms <= now_ms + WITHIN_MS)
    .sort((a, b) => a.at_ms - b.at_ms || a.key.localeCompare(b.key))
    .slice(0, LINES_MAX);
}

function jobComing(job: JobRow, titles: ReadonlyMap<string, string>): Coming[] {
  if (job.next_run_at === null || (job.state !== "pending" && job.state !== "waiting")) return [];
  const title = job.name ?? job.operation ?? job.prompt ?? job.id;
  const of = job.mission_id === null ? job.created_by : (titles.get(job.mission_id) ?? job.mission_id);
  return [{ key: job.id, at_ms: 1_000 * job.next_run_at, title, of, href: `/jobs/${job.id}` }];
}

function missionComing({ id, title, status, expires_at, starts_at }: MissionRow): Coming[] {
  if (status !== "active" && status !== "paused") return [];
  const moments = [
    { key: `${id} start`, at: starts_at, title: t("coming.mission_start", { title }) },
    { key: id, at: expires_at, title: t("coming.mission", { title }) },
  ];
  return moments.flatMap(({ at, ...line }) =>
    at === null ? [] : [{ ...line, at_ms: 1_000 * at, of: "", href: `/missions/${id}` }],
  );
}
