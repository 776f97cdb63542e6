import { Link } from "wouter";
import type { JobRow } from "../../generated/bindings/JobRow";
import table from "../../design/components/table.module.css";
import { NO_NUMBER } from "../../design/format/numbers";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { RowGap } from "../../design/layout/RowGap";
import { useRowWindow } from "../../design/layout/useRowWindow";
import { t } from "../../locales/i18n";
import { JobStateMark } from "./JobStateMark";
import styles from "./JobTable.module.css";
import { scheduleText } from "./job-schedule";
import { zonedShort, zonedTime } from "./job-time";
import { actionText, jobName } from "./job-words";

/** Jobs with their schedule in words, their next time and where they stand. */
export function JobTable({ jobs, selected }: { jobs: readonly JobRow[]; selected: string | undefined }) {
  const { rows, handlers } = useHeldOrder(jobs, ({ id }) => id);
  const { scroller, from, to, before_px, after_px } = useRowWindow(rows.length);
  return (
    <div ref={scroller} className={`${table.scroll} ${styles.scroll}`} {...handlers}>
      <table className={`${table.table} ${styles.table}`} aria-rowcount={rows.length + 1} data-testid="jobs">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("jobs.name")}</th>
            <th scope="col">{t("jobs.state")}</th>
            <th scope="col">{t("jobs.next")}</th>
            <th scope="col">{t("jobs.when")}</th>
            <th scope="col">{t("jobs.does")}</th>
          </tr>
        </thead>
        <tbody>
          <RowGap height_px={before_px} columns={5} />
          {rows.slice(from, to).map(({ row: job, gone }, place) => (
            <tr
              key={job.id}
              // The row stays until the pointer leaves, so that no click lands on another job.
              inert={gone}
              aria-rowindex={from + place + 2}
              aria-current={job.id === selected ? "true" : undefined}
              className={styles.row}
              data-testid={`job-${job.name ?? job.id}`}
            >
              <th scope="row" className={styles.name} title={jobName(job)}>
                <Link href={`/jobs/${job.id}`}>{jobName(job)}</Link>
              </th>
              <td>
                <JobStateMark state={job.state} />
              </td>
              <td className={styles.next} title={nextText(job, zonedTime)}>
                {nextText(job, zonedShort)}
              </td>
              <td className={styles.text} title={scheduleText(job)}>
                <span className={styles.words}>{scheduleText(job)}</span>
              </td>
              <td className={styles.text} title={actionText(job)}>
                <span className={styles.words}>{actionText(job)}</span>
              </td>
            </tr>
          ))}
          <RowGap height_px={after_px} columns={5} />
        </tbody>
      </table>
    </div>
  );
}

/** When it runs next; a retry comes before the regular time. */
function nextText({ retry_at, next_run_at, time_zone }: JobRow, said: typeof zonedTime): string {
  if (retry_at !== null) return t("jobs.retry_at", { when: said(retry_at * 1_000, time_zone) });
  return next_run_at === null ? NO_NUMBER : said(next_run_at * 1_000, time_zone);
}
