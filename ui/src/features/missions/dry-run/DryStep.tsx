import type { MissionDryMotion } from "../../../generated/bindings/MissionDryMotion";
import type { MissionDryStep } from "../../../generated/bindings/MissionDryStep";
import { Meter } from "../../../design/components/Meter";
import { VerdictMark } from "../../../design/theme/icons/VerdictMark";
import { DecisionScene } from "../../../domain/proposal/DecisionScene";
import { LimitsTable } from "../../../domain/verdict/LimitsTable";
import { t, tierRuleText } from "../../../locales/i18n";
import { approvalWord, beginWords, decisionOf, decisionWord, leastRoom, verdictWords } from "./dry-run";
import styles from "./DryRun.module.css";

type DryStepProps = { step: MissionDryStep; isOpen: boolean; onToggle: () => void };

/** One goal: the decision, what it is, the limit with the least room, and the approval. */
export function DryStep({ step, isOpen, onToggle }: DryStepProps) {
  const details = `dry-step-${step.goal}`;
  const room = step.motion && leastRoom(step.motion.explanation);
  return (
    <>
      <tr
        className={styles.step}
        data-decision={decisionOf(step)}
        data-reached={step.is_reached}
        data-testid={`dry-step-row-${step.goal}`}
        onClick={onToggle}
      >
        <th scope="row">
          <button
            type="button"
            className={styles.open}
            aria-expanded={isOpen}
            aria-controls={isOpen ? details : undefined}
            data-testid={`dry-step-open-${step.goal}`}
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          >
            <span className={styles.mark}>
              <VerdictMark mark={decisionOf(step)} />
              <span className="visually-hidden">{decisionWord(step)}</span>
            </span>
            <span className={styles.words}>
              <span className={styles.text} title={step.text}>
                {step.text}
              </span>
              <span className={styles.quiet}>{beginWords(step)}</span>
            </span>
          </button>
        </th>
        <td className={styles.room} title={room?.name}>
          {room && (
            <>
              <Meter used={room.used} label={t("dry_run.used_of", { limit: room.name })} />
              <span className={styles.figure}>{room.room}</span>
            </>
          )}
        </td>
        <td className={styles.approval}>{approvalWord(step)}</td>
      </tr>
      {isOpen && (
        <tr id={details}>
          <td colSpan={3} className={styles.wide}>
            <Details step={step} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Everything about a step: why it is decided so, where it would go, and every limit. */
function Details({ step }: { step: MissionDryStep }) {
  const { approval, locked, motion } = step;
  return (
    <div className={styles.details} data-testid={`dry-step-${step.goal}`}>
      {motion === null ? <p>{step.text}</p> : <p>{verdictWords(motion.sentence)}</p>}
      {approval?.kind === "refused" && <p>{t("dry_run.mode")}</p>}
      {locked !== null && <p>{t("dry_run.locked", { holder: locked.holder, part: locked.part })}</p>}
      {approval !== null && approval.tier !== null && approval.tier_rule !== null && (
        <p className={styles.quiet}>
          {t("dry_run.rule", { tier: t(`tier.${approval.tier}`), rule: tierRuleText(approval.tier_rule) })}
        </p>
      )}
      {motion !== null && <Motion motion={motion} />}
    </div>
  );
}

function Motion({ motion }: { motion: MissionDryMotion }) {
  return (
    <>
      <p className={styles.quiet}>{t(`dry_run.start_${motion.start}`)}</p>
      {motion.preview !== null && (
        <div className={styles.scene} data-testid="dry-run-scene">
          <DecisionScene proposal={motion} later={motion.start !== "measured"} compact />
        </div>
      )}
      <LimitsTable rows={motion.explanation} compact />
    </>
  );
}
