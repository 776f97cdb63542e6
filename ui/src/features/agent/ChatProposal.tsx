import { Rows } from "../../shared/components/Rows";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import { ProposalCard } from "../../shared/proposal/ProposalCard";

/** The same card as in Approvals, where the agent asked. */
export function ChatProposal({ id }: { id: string }) {
  const proposals = useRows("proposals", "list_proposals", {});
  return (
    <Rows query={proposals} what={t("nav.approvals")}>
      {({ rows, asked_ms }) => {
        const proposal = rows.find((candidate) => candidate.id === id);
        return proposal ? (
          <ProposalCard proposal={proposal} asked_ms={asked_ms} compact />
        ) : (
          <p>{t("agent.proposal_gone")}</p>
        );
      }}
    </Rows>
  );
}
