import type { ReactNode } from "react";
import type { Proposal } from "../../generated/bindings/Proposal";
import { formatAge } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./Steps.module.css";

type StepsProps = { proposal: Proposal; children?: ReactNode };

/** The station's words for a step that the activation of its mission approved. */
const BY_ACTIVATION = /^the activation of (\S+) by (.+)$/;

function deciderWords(decidedBy: string): string {
  const [, mission, who] = BY_ACTIVATION.exec(decidedBy) ?? [];
  if (mission === undefined || who === undefined) return t("proposal.decided_by", { who: decidedBy });
  return t("proposal.decided_by_activation", { mission, who });
}

/** Progress of a decided proposal, only from reported steps (U-1209), with what can be done about it below. */
export function Steps({ proposal, children }: StepsProps) {
  const start_mono_ms = proposal.steps[0]?.at_mono_ms;
  if (proposal.decided_by === null && proposal.steps.length === 0 && !children) return null;
  return (
    <footer className={styles.steps}>
      {proposal.decided_by !== null && <p className={styles.who}>{deciderWords(proposal.decided_by)}</p>}
      <ol className={styles.list}>
        {proposal.steps.map(({ step, at_mono_ms }, index) => (
          <li key={`${step} ${index}`} className={styles.step}>
            <span>{t(`command_step.${step}`)}</span>
            {index > 0 && start_mono_ms !== undefined && <small>+{formatAge(at_mono_ms - start_mono_ms)}</small>}
          </li>
        ))}
      </ol>
      {children}
    </footer>
  );
}
