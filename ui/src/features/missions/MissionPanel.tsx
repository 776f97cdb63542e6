import { useState } from "react";
import { Link } from "wouter";
import type { HiddenText } from "../../generated/bindings/HiddenText";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionEdge } from "../../generated/bindings/MissionEdge";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { formatMoment } from "../../design/format/time";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { MissionActs } from "./MissionActs";
import { MissionGoals } from "./MissionGoals";
import { MissionProblems } from "./MissionProblems";
import { MissionFile } from "./MissionFile";
import type { TextPlace } from "./MissionText";
import { wordOf } from "./mission-state";
import styles from "./Missions.module.css";

/** One mission: why it stands where it does, what it waits for, what of it lives, its text, and what can be done. */
export function MissionPanel({ id }: { id: string }) {
  const mission = useRows("missions", "get_mission", { mission_id: id });
  return (
    <Rows query={mission} what={t("missions.one")}>
      {({ rows }) => <Shown mission={rows} />}
    </Rows>
  );
}

function Shown({ mission }: { mission: MissionDetail }) {
  const { id, title, state, activated_source, error, reason, depends_on, hidden, problems, meaning } = mission;
  const [place, setPlace] = useState<TextPlace | null>(null);
  const jump = ({ line, end_line }: MissionProblem) =>
    setPlace((before) => ({ line, endLine: end_line, asked: (before?.asked ?? 0) + 1 }));
  return (
    <>
      <Panel
        title={title}
        aside={
          <span className={styles.state} data-state={state} data-testid="mission-state">
            {wordOf(state)}
          </span>
        }
      >
        {reason !== null && (
          <p className={styles.line} data-testid="mission-reason-now">
            {reason.sentence}{" "}
            <span className={styles.hint}>{t("missions.since", { when: formatMoment(reason.since_ms) })}</span>
          </p>
        )}
        {error !== null && problems.length === 0 && (
          <p className={styles.line} data-testid="mission-error">
            <strong>{error}</strong>
          </p>
        )}
        {hidden.length > 0 && <Hidden places={hidden} />}
        {depends_on.length > 0 && <Dependencies edges={depends_on} />}
        {mission.goals.length > 0 && <MissionGoals mission={mission} />}
        {problems.length > 0 && (
          <MissionProblems problems={problems} unlisted={mission.problems_unlisted} onJump={jump} />
        )}
        <Living mission={mission} />
        <MissionActs mission={mission} />
      </Panel>
      {meaning.length > 0 && (
        <Panel title={t("missions.meaning")} aside={t("missions.meaning_of", { file: `${id}.md` })}>
          <ul className={`${styles.line} ${styles.list}`} data-testid="mission-meaning">
            {meaning.map((sentence, at) => (
              <li key={at}>{sentence}</li>
            ))}
          </ul>
        </Panel>
      )}
      <MissionFile mission={mission} place={place} />
      {activated_source !== null && (
        <Panel title={t("missions.running_text")} aside={t("missions.file_differs")}>
          <pre className={styles.source} tabIndex={0} data-testid="mission-running-text">
            {activated_source}
          </pre>
        </Panel>
      )}
    </>
  );
}

/** Text that a reader of the file does not see and an agent reads, shown before anybody activates it. */
function Hidden({ places }: { places: readonly HiddenText[] }) {
  return (
    <div className={styles.line} role="note" data-testid="mission-hidden">
      <strong>{t("missions.hidden", { count: places.length })}</strong>
      <ul>
        {places.map(({ line, kind, text }, place) => (
          <li key={place}>
            {t("missions.hidden_at", { line, kind: t(`missions.hidden_${kind}`) })} <q>{text}</q>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Missions that have to be completed first, each with where it stands. */
function Dependencies({ edges }: { edges: readonly MissionEdge[] }) {
  return (
    <p className={styles.line} data-testid="mission-depends">
      {t("missions.depends")}{" "}
      {edges.map(({ id, status }, place) => (
        <span key={id}>
          {place > 0 && ", "}
          <Link href={`/missions/${id}`}>{id}</Link> ({status === null ? t("missions.missing") : wordOf(status)})
        </span>
      ))}
    </p>
  );
}

/** Live parts of a mission, the robots it may command, and its activation. */
function Living({ mission: { robots, live, activated_by, compiled_at } }: { mission: MissionDetail }) {
  return (
    <dl className={styles.facts} data-testid="mission-facts">
      <div>
        <dt>{t("missions.robots")}</dt>
        <dd>{robots.length === 0 ? t("missions.no_robots") : robots.join(", ")}</dd>
      </div>
      <div>
        <dt>{t("missions.lives")}</dt>
        <dd>
          {Object.values(live).every((count) => count === 0) ? t("missions.nothing") : t("missions.living", live)}
        </dd>
      </div>
      {activated_by !== null && compiled_at !== null && (
        <div>
          <dt>{t("missions.activated")}</dt>
          <dd>{t("missions.by", { who: activated_by, when: formatMoment(compiled_at * 1_000) })}</dd>
        </div>
      )}
    </dl>
  );
}
