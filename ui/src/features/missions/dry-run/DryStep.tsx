import type { MissionDryStep } from "../../../generated/bindings/MissionDryStep";
import { goalText } from "../../../domain/mission/goal-phrase";
import { t, tierRuleText } from "../../../locales/i18n";
import { approvalWord, beginWords, decisionOf, decisionWord, verdictWords } from "./dry-run";
import { DryMotion, RoomCell } from "./DryMotion";
import { DryRow } from "./DryRow";
import styles from "./DryRun.module.css";

type DryStepProps = { step: MissionDryStep; isOpen: boolean; onToggle: () => void };

/** One goal: the decision, what it is, the limit with the least room, and the approval. */
export function DryStep({ step, isOpen, onToggle }: DryStepProps) {
  return (
    <DryRow
      id={`dry-step-${step.goal}`}
      decision={{ mark: decisionOf(step), word: decisionWord(step) }}
      text={goalText(step.phrase, step.text)}
      note={beginWords(step)}
      reached={step.is_reached}
      isOpen={isOpen}
      onToggle={onToggle}
      cells={
        <>
          <RoomCell explanation={step.motion && step.motion.explanation} />
          <td className={styles.approval}>{approvalWord(step)}</td>
        </>
      }
    >
      <Details step={step} />
    </DryRow>
  );
}

/** Everything about a step: why it is decided so, where it would go, and every limit. */
function Details({ step }: { step: MissionDryStep }) {
  const { approval, locked, motion } = step;
  return (
    <>
      {motion === null ? <p>{goalText(step.phrase, step.text)}</p> : <p>{verdictWords(motion.sentence)}</p>}
      {approval?.kind === "refused" && <p>{t("dry_run.mode")}</p>}
      {approval?.kind === "activation" && <p>{t("dry_run.activation_detail")}</p>}
      {locked !== null && <p>{t("dry_run.locked", { holder: locked.holder, part: locked.part })}</p>}
      {approval !== null && approval.tier !== null && approval.tier_rule !== null && (
        <p className={styles.quiet}>
          {t("dry_run.rule", { tier: t(`tier.${approval.tier}`), rule: tierRuleText(approval.tier_rule) })}
        </p>
      )}
      {motion !== null && (
        <>
          <p className={styles.quiet}>{t(`dry_run.start_${motion.start}`)}</p>
          <DryMotion motion={motion} later={motion.start !== "measured"} />
        </>
      )}
    </>
  );
}
