import type { ReactNode } from "react";
import type { JobDetail } from "../../generated/bindings/JobDetail";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { formatAge } from "../../design/format/time";
import { actText } from "../../domain/audit/record-text";
import { inputFields } from "../../domain/station/input-fields";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { JobActs } from "./JobActs";
import styles from "./JobDetailPanel.module.css";
import { faultText } from "./job-fault";
import { JobStateMark } from "./JobStateMark";
import { zonedTime } from "./job-time";
import { scheduleText } from "./job-schedule";
import { jobName } from "./job-words";
import { RunTable } from "./RunTable";

/** One job: what it does, when, why it failed, and its newest runs. */
export function JobDetailPanel({ id }: { id: string }) {
  const job = useRows("jobs", "get_job", { id });
  return (
    <Rows query={job} what={t("jobs.one")}>
      {({ rows }) => <Shown job={rows} />}
    </Rows>
  );
}

function Shown({ job }: { job: JobDetail }) {
  return (
    <>
      <Panel title={jobName(job)} aside={<JobStateMark state={job.state} />}>
        {job.last_error !== null && (
          <p className={styles.error} data-testid="job-error">
            <strong>
              {t(job.state === "dead_letter" ? "jobs.gave_up" : "jobs.last_error", { count: job.retries })}
            </strong>{" "}
            {faultText(job.last_error, job.last_fault)}
          </p>
        )}
        <Facts job={job} />
        <JobActs job={job} />
      </Panel>
      <Panel title={t("jobs.runs_title")}>
        <RunTable runs={job.runs} time_zone={job.time_zone} />
      </Panel>
    </>
  );
}

function Facts({ job }: { job: JobDetail }) {
  return (
    <dl className={styles.facts}>
      {job.prompt === null ? (
        <Fact name={t("jobs.operation")}>
          <span title={job.operation ?? undefined}>{actText(job.operation ?? "")}</span>
          {inputFields(job.input).map(({ code, name, text }) => (
            <span key={code} className={styles.input} title={code}>
              <span className={styles.muted}>{name}</span> <bdi>{text}</bdi>
            </span>
          ))}
        </Fact>
      ) : (
        <Fact name={t("jobs.prompt")}>{job.prompt}</Fact>
      )}
      <Fact name={t("jobs.when")}>
        {scheduleText(job)}
        {job.cron_schedule !== null && <code className={styles.cron}>{job.cron_schedule}</code>}
      </Fact>
      <Fact name={t("jobs.zone")}>{job.time_zone}</Fact>
      {job.next_run_at !== null && (
        <Fact name={t("jobs.next")}>{zonedTime(job.next_run_at * 1_000, job.time_zone)}</Fact>
      )}
      {job.retry_at !== null && (
        <Fact name={t("jobs.tried_again")}>{zonedTime(job.retry_at * 1_000, job.time_zone)}</Fact>
      )}
      <Fact name={t("jobs.missed")}>
        {job.missed === "once"
          ? t("missed.once_within", { grace: formatAge(job.grace_secs * 1_000) })
          : t(`missed.${job.missed}`)}
      </Fact>
      <Fact name={t("jobs.retries")}>{t("jobs.retries_of", { retries: job.retries, max: job.max_retries })}</Fact>
      {job.mission_id !== null && <Fact name={t("jobs.mission")}>{job.mission_id}</Fact>}
      <Fact name={t("jobs.by")}>{job.created_by}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
