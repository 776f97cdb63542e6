import { useState } from "react";
import { Link } from "wouter";
import type { MissionRun } from "../../../generated/bindings/MissionRun";
import type { MissionRunGoal } from "../../../generated/bindings/MissionRunGoal";
import { Refusal } from "../../../design/components/Refusal";
import { formatAge } from "../../../design/format/time";
import { startText } from "../../../domain/mission/goal-phrase";
import { goalText } from "../../../domain/mission/goal-phrase";
import { goalReason } from "../../../domain/mission/goal-reason";
import { useRows } from "../../../domain/station/useRows";
import { toHostError } from "../../../host/host";
import { t } from "../../../locales/i18n";
import styles from "./MissionRuns.module.css";

/** The start of a run, and each of its goals with its state, its time, and what it led to. */
export function RunGoals({ run }: { run: MissionRun }) {
  return (
    <div className={styles.goals} data-testid={`run-goals-of-${run.number}`}>
      {run.trigger !== "" && (
        <p className={styles.quiet}>{t("mission_runs.trigger", { trigger: startText(run.start, run.trigger) })}</p>
      )}
      {run.goals.length === 0 ? (
        <p className={styles.quiet}>{t("mission_runs.no_goals")}</p>
      ) : (
        <ol className={styles.list}>
          {run.goals.map((goal, at) => (
            <Goal key={at} goal={goal} hasEnded={run.outcome !== null} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Goal({ goal, hasEnded }: { goal: MissionRunGoal; hasEnded: boolean }) {
  const word =
    hasEnded && goal.state !== "done" && goal.state !== "failed"
      ? t(goal.state === "pending" ? "mission_runs.not_reached" : "mission_runs.not_ended")
      : t(`mission_goal_state.${goal.state}`);
  return (
    <li className={styles.goal} data-state={goal.state}>
      <span className={styles.text}>{goalText(goal.phrase, goal.text)}</span>
      <span className={styles.word}>{word}</span>
      <span className={styles.took}>
        {goal.started_ms !== null && goal.ended_ms !== null && formatAge(goal.ended_ms - goal.started_ms)}
      </span>
      <Facts goal={goal} />
    </li>
  );
}

/** The reason of a goal's state, and links to what it led to. */
function Facts({ goal }: { goal: MissionRunGoal }) {
  const { attempt, robot, proposal, verdict } = goal;
  const detail = goalReason(goal);
  if (attempt < 2 && detail === null && robot === null && proposal === null && verdict === null) return null;
  return (
    <span className={styles.facts}>
      {detail !== null && <span>{detail}</span>}
      {attempt > 1 && <span>{t("mission_runs.attempts", { count: attempt })}</span>}
      {robot !== null && <Link href={`/safety/${robot}`}>{robot}</Link>}
      {proposal !== null && <Link href={`/approvals/${proposal}`}>{t("mission_runs.approval")}</Link>}
      {verdict !== null && <Verdict id={verdict} />}
    </span>
  );
}

/** The verdict on the command of a goal, asked for once somebody wants to read it. */
function Verdict({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const verdict = useRows("missions", "explain_verdict", { id }, isOpen);
  return (
    <>
      <button type="button" className={styles.link} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("mission_runs.verdict")}
      </button>
      {isOpen && verdict.data !== undefined && <span>{verdict.data.rows.sentence}</span>}
      {isOpen && verdict.error !== null && <Refusal error={toHostError(verdict.error)} />}
    </>
  );
}
