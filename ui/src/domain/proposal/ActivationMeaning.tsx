import { Link } from "wouter";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { t } from "../../locales/i18n";
import { newestRun } from "../mission/dry-record";
import { DryRecordLine } from "../mission/DryRecordLine";
import { MissionChanges } from "../mission/MissionChanges";
import { requestTexts } from "../mission/mission-phrase";
import { problemWords } from "../mission/problem-words";
import { useLive } from "../station/useLive";
import styles from "./ActivationMeaning.module.css";
import cardStyles from "./ProposalCard.module.css";
import { warningsOf } from "./proposed-activation";
import type { Activation } from "./useActivation";

/** Sentences on the small card in the agent dock. */
const COMPACT_MOST = 6;

type ActivationMeaningProps = { activation: Activation; agent: string; compact: boolean };

/** Everything that a mission would do once its proposed activation is approved, as the dialog of an activation says it. */
export function ActivationMeaning({
  activation: { wanted, mission, refusal },
  agent,
  compact,
}: ActivationMeaningProps) {
  const own = useLive((store) => store.agent === agent);
  // The meaning of another text would be read as that of the one that is approved.
  const shown = mission !== null && mission.hash === wanted.hash ? mission : null;
  return (
    <section className={cardStyles.section} data-testid="activation-meaning">
      <h4 className={cardStyles.heading}>{t("activation_card.title", { mission: wanted.mission_id })}</h4>
      <div className={styles.meaning}>
        {shown === null && <p role="status">{refusal}</p>}
        {shown !== null && (
          <MissionChanges
            changes={shown.changes}
            isFirst={shown.activated_hash === null}
            {...(compact ? { most: COMPACT_MOST } : {})}
          />
        )}
        {shown !== null && shown.robots.length > 0 && <DryRun mission={shown} />}
        {shown !== null && <Warnings warnings={warningsOf(shown)} />}
        {shown !== null && <Grants sentences={granted(requestTexts(shown), wanted.grant)} />}
        {own && (
          <Link className={styles.link} href={`/missions/${wanted.mission_id}`} data-testid="activation-mission">
            {t("activation_card.open")}
          </Link>
        )}
      </div>
    </section>
  );
}

/** The standing approvals with these numbers; one that the file does not ask for is named by its number. */
function granted(envelope: readonly string[], numbers: readonly number[]): string[] {
  return numbers.map((number) => envelope[number - 1] ?? `${number}`);
}

/** The newest dry run of the mission with everything that it is stale by, or that there is none. */
function DryRun({ mission }: { mission: MissionDetail }) {
  const run = newestRun(mission, null);
  return <p>{run === null ? t("dry_run.not_run") : <DryRecordLine run={run} />}</p>;
}

/** Warnings that an approval accepts. */
function Warnings({ warnings }: { warnings: readonly MissionProblem[] }) {
  if (warnings.length === 0) return null;
  return (
    <div data-testid="activation-card-warnings">
      <strong>{t("activation_card.warnings", { count: warnings.length })}</strong>
      <ul className={styles.list}>
        {warnings.map((warning) => {
          const { code, line, column, message } = warning;
          const accepted = t("missions.accept_this", { line, column, message: problemWords(warning).short });
          return <li key={`${code} ${line}:${column} ${message}`}>{accepted}</li>;
        })}
      </ul>
    </div>
  );
}

/** Standing approvals that an approval grants. */
function Grants({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <div data-testid="activation-card-grants">
      <strong>{t("activation_card.grants")}</strong>
      <ul className={styles.list}>
        {sentences.map((sentence, at) => (
          <li key={at}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
