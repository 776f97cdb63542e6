import type { Proposal } from "../../bindings/Proposal";
import { Button } from "../components/Button";
import { HoldButton } from "../components/HoldButton";
import { Refusal } from "../components/Refusal";
import { useCommandRefusal } from "../hooks/useCommandRefusal";
import { useLive } from "../hooks/useLive";
import { useOperation } from "../hooks/useOperation";
import { t } from "../i18n";
import { hintOf } from "../shortcuts";
import styles from "./Decision.module.css";
import { actionOf } from "./proposal-state";
import { RejectForm } from "./RejectForm";

type DecisionProps = { proposal: Proposal; rejecting: boolean; onRejecting: (rejecting: boolean) => void };

/** Approve exactly this version of the action, or reject it. */
export function Decision({ proposal, rejecting, onRejecting }: DecisionProps) {
  const approve = useOperation("approve_proposal");
  const refusal = useRefusal(proposal);
  const { id, version, action_hash } = proposal;
  const { verb, object } = actionOf(proposal);

  return (
    <>
      {refusal !== null && <p className={styles.refusal}>{refusal}</p>}
      <div className={styles.buttons}>
        <HoldButton
          testId="approve"
          label={t(`proposal.approve_${verb}`, { object })}
          version={`${id} ${version} ${action_hash}`}
          needsHold={proposal.tier === "high"}
          disabled={refusal !== null}
          pending={approve.pending}
          onAct={() => approve.run({ id, version, action_hash })}
        />
        <Button data-testid="reject" aria-expanded={rejecting} aria-keyshortcuts={hintOf("reject")} onClick={() => onRejecting(!rejecting)}>
          {t("proposal.reject")}
        </Button>
      </div>
      {rejecting && <RejectForm proposal={proposal} />}
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
