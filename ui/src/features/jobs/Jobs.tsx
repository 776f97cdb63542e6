import { useState } from "react";
import { useLocation } from "wouter";
import screen from "../../design/layout/screen.module.css";
import { Button } from "../../design/components/Button";
import { Segments } from "../../design/components/Segments";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { JobDetailPanel } from "./JobDetailPanel";
import { JobForm } from "./JobForm";
import { JobTable } from "./JobTable";
import { countOf, type JobFilter, shownJobs } from "./job-state";
import styles from "./Jobs.module.css";

const FILTERS: readonly JobFilter[] = ["open", "dead_letter", "ended"];

/** Scheduled jobs: next runs, past runs, and the reason for a failure. `id` is the job shown; `new` makes one. */
export function Jobs({ id }: { id: string | undefined }) {
  const jobs = useRows("jobs", "list_jobs", {});
  const [filter, setFilter] = useState<JobFilter>("open");
  const [, navigate] = useLocation();
  const refusal = useCommandRefusal();
  const rows = jobs.data?.rows ?? [];
  return (
    <div className={`${screen.screen} ${styles.jobs}`}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.jobs")}</h1>
        <Segments
          label={t("jobs.filter")}
          value={filter}
          options={FILTERS.map((value) => ({
            value,
            text: t(`jobs.filter_${value}`, { count: countOf(rows, value) }),
          }))}
          onChange={setFilter}
        />
        <div className={screen.end}>
          {refusal !== null && <span className={styles.muted}>{refusal}</span>}
          <Button
            look="primary"
            data-testid="job-new"
            disabled={refusal !== null}
            onClick={() => navigate("/jobs/new")}
          >
            {t("jobs.new")}
          </Button>
        </div>
      </header>
      {id === "new" && <JobForm onClose={() => navigate("/jobs")} onMade={(made) => navigate(`/jobs/${made}`)} />}
      <Panel title={t(`jobs.list_${filter}`)} titled={false}>
        <Rows query={jobs} what={t("jobs.list")}>
          {({ rows }) => {
            const shown = shownJobs(rows, filter);
            if (shown.length > 0) return <JobTable jobs={shown} selected={id} />;
            return rows.length === 0 ? (
              <Notice title={t("jobs.none")} detail={t("jobs.none_detail")} />
            ) : (
              <Notice title={t(`jobs.none_${filter}`)} />
            );
          }}
        </Rows>
      </Panel>
      {/* An open confirmation for one job must not carry over to another. */}
      {id !== undefined && id !== "new" && <JobDetailPanel key={id} id={id} />}
    </div>
  );
}
