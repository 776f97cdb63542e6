import { Link } from "wouter";
import type { MissionDetail } from "../../host/agent-wire";
import { Panel } from "../../shared/components/Panel";
import { Rows } from "../../shared/components/Rows";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import { MissionActs } from "./MissionActs";
import { standingOf } from "./mission-state";
import styles from "./Missions.module.css";

/** One mission: what it means, what it waits for, what is wrong with it, its text, and what can be done. */
export function MissionPanel({ id }: { id: string }) {
  const mission = useRows("missions", "get_mission", { mission_id: id });
  return (
    <Rows query={mission} what={t("missions.one")}>
      {({ rows }) => <Shown mission={rows} />}
    </Rows>
  );
}

function Shown({ mission }: { mission: MissionDetail }) {
  const { title, source, compiled = [], problems = [], depends_on = [], reason } = mission;
  return (
    <>
      <Panel
        title={title}
        aside={
          <span className={styles.state} data-state={mission.state ?? mission.status} data-testid="mission-state">
            {standingOf(mission)}
          </span>
        }
      >
        {reason && <p className={styles.line}>{reason}</p>}
        {depends_on.length > 0 && (
          <p className={styles.line} data-testid="mission-depends">
            {t("missions.depends")}{" "}
            {depends_on.map((other, place) => (
              <span key={other}>
                {place > 0 && ", "}
                <Link href={`/missions/${other}`}>{other}</Link>
              </span>
            ))}
          </p>
        )}
        {problems.length > 0 && (
          <ul className={styles.list} data-testid="mission-problems">
            {problems.map((problem, place) => (
              <li key={place}>
                {problem.message} {typeof problem.line === "number" && <span className={styles.hint}>{t("missions.line", { line: problem.line })}</span>}
              </li>
            ))}
          </ul>
        )}
        <MissionActs mission={mission} />
      </Panel>
      {compiled.length > 0 && (
        <Panel title={t("missions.means")}>
          <ul className={styles.list} data-testid="mission-means">
            {compiled.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title={t("missions.text")} aside={`${mission.id}.md`}>
        <pre className={styles.source} tabIndex={0} data-testid="mission-text">
          {source}
        </pre>
      </Panel>
    </>
  );
}
