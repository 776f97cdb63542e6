import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { ProposalCard } from "../../domain/proposal/ProposalCard";

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
