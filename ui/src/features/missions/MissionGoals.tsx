import { Link } from "wouter";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionGoal } from "../../generated/bindings/MissionGoal";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { formatWhen } from "../../design/format/time";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { goalText } from "../../domain/mission/goal-phrase";
import { goalReason } from "../../domain/mission/goal-reason";
import { t } from "../../locales/i18n";
import styles from "./Missions.module.css";

/** Goals of a mission in order, each with its state, the card that it waits for, and a tick where a person says it is done. */
export function MissionGoals({ mission: { id, goals } }: { mission: MissionDetail }) {
  const complete = useOperation("complete_mission");
  const refusal = useCommandRefusal();
  const done = goals.filter(({ state }) => state === "done").length;
  return (
    <section className={styles.line} aria-label={t("missions.goals")}>
      <h3 className={styles.hint}>{t("missions.goals_done", { done, total: goals.length })}</h3>
      <ol className={styles.list} data-testid="mission-goals">
        {goals.map((goal, at) => (
          // Goals have no id; the station refers to them by their number in the file.
          <li key={at} className={styles.goal} data-state={goal.state}>
            <span className={styles.kind}>{t(`mission_goal_state.${goal.state}`)}</span>{" "}
            {goalText(goal.phrase, goal.text)}
            <Since goal={goal} />
            {goal.proposal !== null && (
              <Link className={styles.card} href={`/approvals/${goal.proposal}`} data-testid={`goal-card-${at + 1}`}>
                {t("missions.card")}
              </Link>
            )}
            {goal.may_tick && (
              <Button
                data-testid={`goal-done-${at + 1}`}
                title={refusal ?? undefined}
                disabled={refusal !== null || complete.pending}
                onClick={() => complete.run({ mission_id: id, goal: at + 1 })}
              >
                {complete.pending ? t("hold.sending") : t("missions.goal_done")}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Refusal error={complete.error} />
    </section>
  );
}

/** Since when a goal has its state, and why. */
function Since({ goal }: { goal: MissionGoal }) {
  const { since_ms } = goal;
  const detail = goalReason(goal);
  if (since_ms === null) return null;
  return (
    <span className={styles.hint}>
      {detail !== null && `${detail} · `}
      {t("missions.since", { when: formatWhen(since_ms) })}
    </span>
  );
}
