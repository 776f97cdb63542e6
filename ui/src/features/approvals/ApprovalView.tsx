import type { Proposal } from "../../generated/bindings/Proposal";
import { modeKind } from "../../domain/agent/mode";
import { Notice } from "../../design/components/Notice";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { ProposalCard } from "../../domain/proposal/ProposalCard";
import styles from "./Approvals.module.css";

/** The one card that is being decided on. */
export function ApprovalView({ proposal, asked_ms }: { proposal: Proposal | null; asked_ms: number }) {
  const mode = useLive((store) => store.session?.agent_mode ?? "ask");
  return (
    <div className={proposal ? styles.detail : styles.empty}>
      {proposal ? (
        <ProposalCard key={proposal.id} proposal={proposal} asked_ms={asked_ms} />
      ) : (
        <Notice title={t("approvals.empty")} detail={t(`agent_may.${modeKind(mode)}`)} />
      )}
    </div>
  );
}
