import { useState } from "react";
import type { Proposal } from "../../generated/bindings/Proposal";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { useLive } from "../station/useLive";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import { useHints } from "../../design/shortcuts/keys-in-force";
import styles from "./Decision.module.css";
import { EditForm } from "./EditForm";
import { grantDraftOf } from "./envelope-draft";
import { numbersIn } from "./input-numbers";
import { actionOf } from "./proposal-state";
import { RejectForm } from "./RejectForm";
import { SetAside } from "./SetAside";
import { StandingForm } from "./StandingForm";
import type { Activation } from "./useActivation";
import type { Aside } from "./useSetAside";

/** Forms that a person can open on a card besides approving it. */
export type CardForm = "reject" | "edit" | "standing";

/** The tier rule for a request of an agent that has read untrusted text. */
const READ_UNTRUSTED = "turn_has_read_untrusted_text";

/** More numbers than this are a list to send anew, not fields to go through. */
const NUMBERS_MAX = 24;

type DecisionProps = {
  proposal: Proposal;
  form: CardForm | null;
  aside: Aside;
  /** The activation that it asks for. */
  activation: Activation | null;
  onForm: (form: CardForm | null) => void;
};

/**
 * Approve exactly this version of the action, reject it, send it with other numbers, or let its kind happen for a
 * while.
 */
export function Decision({ proposal, form, aside, activation, onForm }: DecisionProps) {
  const approve = useOperation("approve_proposal");
  const refusal = useRefusal(proposal) ?? activation?.refusal ?? null;
  const commands = useCommandRefusal();
  const [told, setTold] = useState("");
  const hints = useHints();
  const { id, version, action_hash } = proposal;
  const draft = grantDraftOf(proposal);
  const numbers = numbersIn(proposal.input).length;
  const editable = proposal.operation === "send_command" && numbers > 0 && numbers <= NUMBERS_MAX;
  const toggle = (next: CardForm) => onForm(form === next ? null : next);
  const granted = () => {
    onForm(null);
    setTold(t("standing.granted"));
  };
  const { verb, object } = actionOf(proposal);

  return (
    <>
      {refusal !== null && <p className={styles.refusal}>{refusal}</p>}
      <div className={styles.buttons}>
        <HoldButton
          testId="approve"
          label={t(`proposal.approve_${verb}`, { object })}
          // The meaning of an activation has no version of its own and may change after the card was read.
          version={`${id} ${version} ${action_hash} ${activation?.shown ?? ""}`}
          needsHold={proposal.tier === "high"}
          disabled={refusal !== null}
          pending={approve.pending}
          onAct={() => approve.run({ id, version, action_hash })}
        />
        <Button
          data-testid="reject"
          aria-expanded={form === "reject"}
          aria-keyshortcuts={hints.aria("reject")}
          onClick={() => toggle("reject")}
        >
          {t("proposal.reject")}
        </Button>
        {editable && (
          <Button data-testid="edit" aria-expanded={form === "edit"} onClick={() => toggle("edit")}>
            {t("edit.open")}
          </Button>
        )}
        {proposal.tier_rule === READ_UNTRUSTED && proposal.session !== undefined && (
          <SetAside session={proposal.session} aside={aside} />
        )}
        {draft && (
          <Button data-testid="standing" aria-expanded={form === "standing"} onClick={() => toggle("standing")}>
            {t("standing.open")}
          </Button>
        )}
      </div>
      <p className={styles.told} role="status">
        {told}
      </p>
      {form === "reject" && <RejectForm proposal={proposal} />}
      {form === "edit" && <EditForm proposal={proposal} refusal={commands} />}
      {form === "standing" && draft && <StandingForm draft={draft} refusal={commands} onDone={granted} />}
      <Refusal error={approve.error} />
    </>
  );
}

function useRefusal(proposal: Proposal): string | null {
  const commands = useCommandRefusal();
  const role = useLive((store) => store.session?.role);
  if (commands !== null) return commands;
  if (proposal.role_needed === "admin" && role !== "admin") return t("refusal.needs_admin");
  if (proposal.state === "recheck") return t("proposal.recheck");
  return null;
}
