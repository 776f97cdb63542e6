import { Link, useLocation } from "wouter";
import type { MissionGraph } from "../../generated/bindings/MissionGraph";
import type { MissionLock } from "../../generated/bindings/MissionLock";
import type { HiddenText } from "../../generated/bindings/HiddenText";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionEdge } from "../../generated/bindings/MissionEdge";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { Notice } from "../../design/components/Notice";
import { Rows } from "../../design/components/Rows";
import { Tabs } from "../../design/components/Tabs";
import { Panel } from "../../design/layout/Panel";
import { formatMoment, formatWhen } from "../../design/format/time";
import { newestRun } from "../../domain/mission/dry-record";
import { DryRecordLine } from "../../domain/mission/DryRecordLine";
import { useRows } from "../../domain/station/useRows";
import { statementText } from "../../domain/mission/mission-phrase";
import { t } from "../../locales/i18n";
import type { GraphHistory } from "./graph/useGraphHistory";
import { DraftAuthor } from "./DraftAuthor";
import { DryRun } from "./dry-run/DryRun";
import { MissionForm } from "./form/MissionForm";
import { MissionHistory } from "./history/MissionHistory";
import { MissionActs } from "./MissionActs";
import { MissionBudget } from "./MissionBudget";
import { reasonSaid } from "./mission-reason";
import { MissionRuns } from "./runs/MissionRuns";
import { MissionGoals } from "./MissionGoals";
import { MissionProblems } from "./MissionProblems";
import { MissionFile, type MissionFileProps } from "./MissionFile";
import type { TextPlace } from "./MissionText";
import { wordOf } from "./mission-state";
import { MISSION_TABS, type MissionTab, placeOf } from "./mission-tabs";
import styles from "./Missions.module.css";
import type { MissionRemoval } from "./useMissionRemoval";

type MissionPanelProps = {
  id: string;
  graph: MissionGraph;
  tab: MissionTab;
  /** The lines of the text that somebody asked for. */
  place: TextPlace | null;
  /** Changes of its file, each of which can be undone. */
  history: GraphHistory;
  removal: MissionRemoval;
  onJump: (problem: MissionProblem) => void;
};

/** One mission: where it stands and why, its text, what that means, and what can be done. */
export function MissionPanel({ id, graph, tab, place, history, removal, onJump }: MissionPanelProps) {
  const mission = useRows("missions", "get_mission", { mission_id: id });
  const [, go] = useLocation();
  return (
    <Rows query={mission} what={t("missions.one")}>
      {({ rows }) => (
        <>
          <header className={styles.head}>
            <h2 className={styles.name}>{rows.title}</h2>
            <span className={styles.state} data-state={rows.state} data-testid="mission-state">
              {wordOf(rows.state)}
            </span>
          </header>
          <div className={styles.author}>
            <DraftAuthor mission={rows} />
          </div>
          <div className={styles.parts}>
            <Tabs
              label={t("missions.tabs")}
              value={tab}
              options={MISSION_TABS.map((value) => ({ value, text: t(`missions.tab_${value}`) }))}
              onChange={(next) => go(placeOf(id, next))}
            >
              {tab === "now" && <Now mission={rows} onJump={onJump} />}
              {tab === "form" && <MissionForm mission={rows} graph={graph} history={history} />}
              {tab === "text" && <Text mission={rows} place={place} history={history} removal={removal} />}
              {tab === "compiled" && <Compiled mission={rows} />}
              {tab === "dry-run" && <DryRun mission={rows} />}
              {tab === "runs" && <MissionRuns id={id} />}
              {tab === "history" && <MissionHistory mission={rows} history={history} />}
            </Tabs>
          </div>
          <div className={styles.foot}>
            <MissionActs mission={rows} />
          </div>
        </>
      )}
    </Rows>
  );
}

/** State of the mission with its reason, its goals, and the problems of its file. */
function Now({ mission, onJump }: { mission: MissionDetail; onJump: (problem: MissionProblem) => void }) {
  const { error, reason, depends_on, hidden, problems } = mission;
  const open = depends_on.filter(({ status }) => status !== "completed").map(({ id }) => id);
  const said = reason && reasonSaid(reason, open);
  return (
    <div className={styles.now}>
      {reason !== null && said !== null && (
        <p className={styles.line} data-testid="mission-reason-now">
          {said.text} {said.more !== null && <span lang="en">{said.more}</span>}{" "}
          <span className={styles.hint}>{t("missions.since", { when: formatWhen(reason.since_ms) })}</span>
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
      {mission.dry_run !== undefined && (
        <p className={styles.line}>
          <DryRecordLine run={newestRun(mission, null)} />
        </p>
      )}
      {problems.length > 0 && (
        <MissionProblems problems={problems} unlisted={mission.problems_unlisted} onJump={onJump} />
      )}
      {mission.budget !== undefined && <MissionBudget id={mission.id} budget={mission.budget} />}
      <Living mission={mission} />
    </div>
  );
}

/** The file, and the text that runs where that is another one. */
function Text(file: MissionFileProps) {
  const { mission } = file;
  return (
    <>
      <MissionFile {...file} />
      {mission.activated_source !== null && (
        <Panel title={t("missions.running_text")} aside={t("missions.file_differs")}>
          <pre className={styles.source} tabIndex={0} data-testid="mission-running-text">
            {mission.activated_source}
          </pre>
        </Panel>
      )}
    </>
  );
}

/** The meaning of the file in sentences. */
function Compiled({ mission: { id, meaning, statements } }: { mission: MissionDetail }) {
  if (meaning.length === 0) return <Notice title={t("missions.no_meaning")} />;
  return (
    <Panel title={t("missions.meaning")} aside={t("missions.meaning_of", { file: `${id}.md` })}>
      <ul className={`${styles.line} ${styles.list}`} data-testid="mission-meaning">
        {meaning.map((sentence, at) => (
          <li key={at}>{statementText(statements?.[at], sentence)}</li>
        ))}
      </ul>
    </Panel>
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
            {t("missions.hidden_at", { line, kind: t(`hidden_mark.${kind}`) })} <q>{text}</q>
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

const LIVE_PARTS = ["providers", "alerts", "jobs", "open_commands", "locks"] as const;

/** Live parts of a mission, the robots it may command, and its activation. */
function Living({
  mission: { robots, live, locks, activated_by, activated_at, activation },
}: {
  mission: MissionDetail;
}) {
  return (
    <dl className={styles.facts} data-testid="mission-facts">
      <div>
        <dt>{t("missions.robots")}</dt>
        <dd>{robots.length === 0 ? t("missions.no_robots") : robots.join(", ")}</dd>
      </div>
      <div>
        <dt>{t("missions.lives")}</dt>
        <dd>
          {Object.values(live).every((count) => count === 0)
            ? t("missions.nothing")
            : LIVE_PARTS.map((part) => t(`missions.live_${part}`, { count: live[part] })).join(", ")}
        </dd>
      </div>
      {locks !== undefined && (
        <div data-testid="mission-locks">
          <dt>{t("missions.locks")}</dt>
          {locks.map((lock) => (
            <dd key={lock.part}>{lockWords(lock)}</dd>
          ))}
        </div>
      )}
      {activated_by !== null && activated_at !== null && (
        <div>
          <dt>{t("missions.activated")}</dt>
          {/* Unix seconds, unlike the other times of a mission. */}
          <dd>{t("missions.by", { who: activated_by, when: formatMoment(activated_at * 1_000) })}</dd>
          {activation?.dry_run !== undefined && (
            <dd data-testid="activated-dry-run">{t("dry_run.was_run", { outcome: activation.dry_run.sentence })}</dd>
          )}
        </div>
      )}
    </dl>
  );
}

/** A part of a robot that a mission locks, how long, and who has it. */
function lockWords({ part, whole_run, is_held, holder }: MissionLock): string {
  const hold = t(whole_run ? "missions.hold_run" : "missions.hold_command");
  if (holder !== null) return t("missions.lock_waits", { part, hold, holder });
  return t(is_held ? "missions.lock_held" : "missions.lock_free", { part, hold });
}
