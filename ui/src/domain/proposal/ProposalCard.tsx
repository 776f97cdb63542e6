import { proposalSentence } from "./proposal-sentence";
import { type KeyboardEvent, useState } from "react";
import type { Proposal } from "../../generated/bindings/Proposal";
import { t, tierRuleText } from "../../locales/i18n";
import { findShortcut } from "../../design/shortcuts/keys-in-force";
import { LimitsTable } from "../verdict/LimitsTable";
import { checkedInWords } from "../verdict/verdict-words";
import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import { ActivationMeaning } from "./ActivationMeaning";
import { AskAgain } from "./AskAgain";
import { CardChanges } from "./CardChanges";
import { Countdown } from "./Countdown";
import { type CardForm, Decision } from "./Decision";
import { DecisionScene } from "./DecisionScene";
import { Facts } from "./Facts";
import { LastApproved } from "./LastApproved";
import { Payload } from "./Payload";
import { Preview } from "./Preview";
import { isOpen } from "./proposal-state";
import { stateReasonSaid } from "./state-reason";
import styles from "./ProposalCard.module.css";
import { Steps } from "./Steps";
import { useActivation } from "./useActivation";
import { useSetAside } from "./useSetAside";
import { useShown } from "./useShown";

type ProposalCardProps = { proposal: Proposal; asked_ms: number; compact?: boolean };

/** A proposed action in full, and the decision about it (U-1202). The same card in Approvals and in the agent dock. */
export function ProposalCard({ proposal, asked_ms, compact = false }: ProposalCardProps) {
  const open = isOpen(proposal.state);
  const sentence = proposalSentence(proposal);
  // In the dock the head scrolls away while the buttons are in sight: what is approved stands with them.
  const together = open && compact;
  const shown = useShown(proposal.id, open);
  const [form, setForm] = useState<CardForm | null>(null);
  const aside = useSetAside();
  const activation = useActivation(proposal, open);

  const onKeyDown = (event: KeyboardEvent) => {
    // The key is a letter: in a field of the card it is part of what is written.
    const writing = event.target instanceof HTMLInputElement;
    if (!open || writing || findShortcut(event, "card") !== "reject") return;
    event.preventDefault();
    setForm("reject");
  };
  return (
    <article
      className={styles.card}
      tabIndex={-1}
      aria-label={sentence}
      data-testid={`proposal-${proposal.id}`}
      data-state={proposal.state}
      data-compact={compact}
      onKeyDown={onKeyDown}
    >
      <header ref={shown} className={styles.head}>
        <p className={styles.meta}>
          <span className={styles.tier} data-tier={proposal.tier}>
            {t(`tier.${proposal.tier}`)}
          </span>
          <span>{tierRuleText(proposal.tier_rule)}</span>
          <span className={styles.state}>{t(`proposal_state.${proposal.state}`)}</span>
        </p>
        {!together && <h3 className={styles.sentence}>{sentence}</h3>}
        {proposal.reason !== "" && (
          <blockquote className={styles.reason}>
            <bdi>“{proposal.reason}”</bdi>
          </blockquote>
        )}
        <StateReason proposal={proposal} />
      </header>
      <div className={styles.body}>
        {open && proposal.preview && <DecisionScene proposal={proposal} compact={compact} />}
        <div className={styles.facts}>
          {open && <CardChanges proposal={proposal} />}
          {activation && <ActivationMeaning activation={activation} agent={proposal.agent} compact={compact} />}
          {proposal.preview && <Preview preview={proposal.preview} />}
          <Limits proposal={proposal} compact={compact} />
          <LastApproved proposal={proposal} />
          {!compact && <Facts proposal={proposal} asked_ms={asked_ms} />}
          {open && <Preconditions proposal={proposal} compact={compact} />}
          <Payload proposal={proposal} />
        </div>
      </div>
      {open ? (
        <footer className={styles.foot} data-testid="decision" data-form={form ?? "none"}>
          {together && <h3 className={styles.sentence}>{sentence}</h3>}
          <p className={styles.expiry}>
            <Countdown expires_mono_ms={proposal.expires_mono_ms} />
          </p>
          <Decision proposal={proposal} form={form} aside={aside} activation={activation} onForm={setForm} />
        </footer>
      ) : (
        <Steps proposal={proposal}>{proposal.state === "expired" && <AskAgain proposal={proposal} />}</Steps>
      )}
      <p className={styles.aside} role="status">
        {aside.told}
      </p>
    </article>
  );
}

/** The reason for its state, with the station's own sentence where that says more. */
function StateReason({ proposal }: { proposal: Proposal }) {
  const said = stateReasonSaid(proposal);
  if (said === null) return null;
  return (
    <p className={styles.stateReason}>
      <bdi>{said.text}</bdi>
      {said.more !== null && <small lang="en"> {said.more}</small>}
    </p>
  );
}

/** Limits that the action was held against. */
function Limits({ proposal: { explanation, verdict }, compact }: { proposal: Proposal; compact: boolean }) {
  if (explanation.length === 0) return null;
  return (
    <section className={styles.section}>
      <h4 className={styles.heading}>
        {t("proposal.limits")}
        {verdict && <small>{checkedInWords(verdict)}</small>}
      </h4>
      <LimitsTable rows={explanation} compact={compact} />
    </section>
  );
}

/** Preconditions at the click and at the sending; `compact` lists only those that do not hold. */
function Preconditions({ proposal, compact }: { proposal: Proposal; compact: boolean }) {
  const rows = proposal.preconditions.filter(({ holds }) => !compact || !holds);
  if (rows.length === 0) return null;
  return (
    <section className={styles.section} data-testid="preconditions">
      <h4 className={styles.heading}>{t("proposal.preconditions")}</h4>
      <ul className={styles.preconditions}>
        {rows.map(({ code, holds }) => (
          <li key={code} className={styles.precondition} data-holds={holds}>
            <VerdictMark mark={holds ? "allow" : "deny"} /> <span>{t(`precondition.${code}`)}</span>{" "}
            <small>{t(holds ? "proposal.holds" : "proposal.fails")}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
