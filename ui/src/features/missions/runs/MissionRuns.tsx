import { type ReactNode, useState } from "react";
import type { MissionRun } from "../../../generated/bindings/MissionRun";
import { Button } from "../../../design/components/Button";
import { Notice } from "../../../design/components/Notice";
import { Rows } from "../../../design/components/Rows";
import { formatAge, formatMoment, formatWhen, formatWholeAge } from "../../../design/format/time";
import { useRows } from "../../../domain/station/useRows";
import { useTicked } from "../../../domain/station/useTicked";
import { t } from "../../../locales/i18n";
import { RunGoals } from "./RunGoals";
import type { MissionRunOutcome } from "../../../generated/bindings/MissionRunOutcome";
import type { MissionState } from "../../../generated/bindings/MissionState";
import { MissionMark } from "../graph/MissionMark";
import table from "../../../design/components/table.module.css";
import styles from "./MissionRuns.module.css";

/** Runs of one page. */
const PAGE = 20;

/** Every run of a mission that is kept, the newest first; a row opens its goals. */
export function MissionRuns({ id }: { id: string }) {
  const [pages, setPages] = useState(1);
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.table}`} data-testid="mission-runs">
        <thead>
          <tr>
            <th scope="col">{t("mission_runs.run")}</th>
            <th scope="col">{t("mission_runs.started")}</th>
            <th scope="col" className={table.number}>
              {t("mission_runs.took")}
            </th>
            <th scope="col" className={table.number}>
              {t("mission_runs.goals")}
            </th>
          </tr>
        </thead>
        <Page
          id={id}
          before={null}
          more={pages - 1}
          opened={opened}
          onToggle={(number) => setOpened(opened === number ? null : number)}
          onMore={() => setPages(pages + 1)}
        />
      </table>
    </div>
  );
}

type PageProps = {
  id: string;
  /** The number below which its runs are; null for the newest. */
  before: number | null;
  /** Number of pages after it. */
  more: number;
  opened: number | null;
  onToggle: (number: number) => void;
  onMore: () => void;
};

/** Runs, and the pages after them. */
function Page({ id, before, more, opened, onToggle, onMore }: PageProps) {
  const input = { mission_id: id, limit: PAGE, ...(before === null ? {} : { before }) };
  const page = useRows("missions", "list_mission_runs", input);
  const [last, setLast] = useState(page.data);
  if (page.data !== undefined && page.data !== last) setLast(page.data);
  // A new run moves the begin of each page: until the answer comes, the rows that were there stay.
  const data = page.data ?? (page.isPending ? last : undefined);
  if (data === undefined) {
    return (
      <Wide>
        <Rows query={page} what={t("mission_runs.list")}>
          {() => null}
        </Rows>
      </Wide>
    );
  }
  const { runs, next } = data.rows;
  if (runs.length === 0) {
    return (
      <Wide>
        <Notice title={t("mission_runs.none")} detail={t("mission_runs.none_detail")} />
      </Wide>
    );
  }
  return (
    <>
      <tbody>
        {runs.map((run) => (
          <Run key={run.number} run={run} isOpen={opened === run.number} onToggle={() => onToggle(run.number)} />
        ))}
      </tbody>
      {next !== null && more > 0 && <Page {...{ id, opened, onToggle, onMore }} before={next} more={more - 1} />}
      {next !== null && more === 0 && (
        <Wide>
          <Button size="row" data-testid="runs-older" onClick={onMore}>
            {t("mission_runs.older")}
          </Button>
        </Wide>
      )}
    </>
  );
}

/** A row across the whole table. */
function Wide({ children }: { children: ReactNode }) {
  return (
    <tbody>
      <tr>
        <td colSpan={4} className={styles.wide}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}

type RunProps = { run: MissionRun; isOpen: boolean; onToggle: () => void };

/** One run, and its goals while it is open. */
function Run({ run, isOpen, onToggle }: RunProps) {
  const goals = `run-goals-${run.number}`;
  return (
    <>
      <tr
        className={styles.run}
        data-outcome={run.outcome ?? "running"}
        data-testid={`run-${run.number}`}
        onClick={onToggle}
      >
        <th scope="row">
          <button
            type="button"
            className={styles.open}
            aria-expanded={isOpen}
            aria-controls={isOpen ? goals : undefined}
            data-testid={`run-open-${run.number}`}
            onClick={(event) => {
              // The row behind the button would close at once what it has opened.
              event.stopPropagation();
              onToggle();
            }}
          >
            <RunMark outcome={run.outcome} />
            <span>{t(`mission_run_outcome.${run.outcome ?? "running"}`)}</span>
            <span className={table.muted}>{`#${run.number}`}</span>
          </button>
        </th>
        <td title={formatMoment(run.started_ms)}>{formatWhen(run.started_ms)}</td>
        <td className={table.number}>
          {run.ended_ms === null ? <Since at_ms={run.started_ms} /> : formatAge(run.ended_ms - run.started_ms)}
        </td>
        <td className={table.number}>{t("mission_runs.of", { done: run.goals_done, total: run.goals_total })}</td>
      </tr>
      {isOpen && (
        <tr id={goals}>
          <td colSpan={4} className={styles.wide}>
            <RunGoals run={run} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The time since a run began, which goes on. */
function Since({ at_ms }: { at_ms: number }) {
  return useTicked((now_ms) => formatWholeAge(now_ms - at_ms));
}

const SHAPES: Record<MissionRunOutcome, MissionState> = {
  done: "completed",
  closed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "cancelled",
  superseded: "cancelled",
  cut_off: "cancelled",
};

/** The shape of the outcome of a run, the same as that of a mission; the word stands beside it. */
function RunMark({ outcome }: { outcome: MissionRunOutcome | null }) {
  return <MissionMark state={outcome === null ? "active" : SHAPES[outcome]} running={outcome === null} />;
}
