import { proposalSentence } from "../../domain/proposal/proposal-sentence";
import { Link } from "wouter";
import type { Proposal } from "../../generated/bindings/Proposal";
import { formatClock, secondsLeft } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { isOpen } from "../../domain/proposal/proposal-state";
import { useShown } from "../../domain/proposal/useShown";
import styles from "./Queue.module.css";

/** One card in the list: tier, time left or outcome, and the sentence. */
export function QueueItem({ proposal, shown }: { proposal: Proposal; shown: boolean }) {
  const open = isOpen(proposal.state);
  const seconds = useLive((store) =>
    open && store.time.now_ms !== null ? secondsLeft(proposal.expires_mono_ms, store.time.now_ms) : null,
  );
  // The line says the whole sentence: who reads it here can open the card and decide.
  const watched = useShown(proposal.id, open);
  return (
    <li ref={watched}>
      <Link href={`/approvals/${proposal.id}`} className={styles.item ?? ""} aria-current={shown ? "true" : undefined}>
        <span className={styles.line}>
          <span>{t(`tier.${proposal.tier}`)}</span>
          <span>
            {open ? seconds !== null && t("approvals.left", { seconds }) : t(`proposal_state.${proposal.state}`)}
          </span>
        </span>
        <span className={styles.sentence}>{proposalSentence(proposal)}</span>
        {!open && <time className={styles.when}>{formatClock(proposal.created_at * 1_000)}</time>}
      </Link>
    </li>
  );
}
