import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import type { Proposal } from "../../generated/bindings/Proposal";
import { modeKind } from "../../domain/agent/mode";
import { Notice } from "../../design/components/Notice";
import { useLive } from "../../domain/station/useLive";
import { ProposalCard } from "../../domain/proposal/ProposalCard";
import styles from "./Approvals.module.css";
import { Queue } from "./Queue";

/** Lets a person decide on exactly what would happen. `id` is the card the address names. */
export function Approvals({ id }: { id: string | undefined }) {
  const proposals = useRows("proposals", "list_proposals", {});
  return (
    <Rows query={proposals} what={t("nav.approvals")}>
      {({ rows, asked_ms }) => {
        const open = inQueueOrder(rows.filter(({ state }) => isOpen(state)));
        const decided = rows.filter(({ state }) => !isOpen(state)).toSorted((a, b) => b.created_at - a.created_at);
        const shown = rows.find((proposal) => proposal.id === id) ?? open[0] ?? null;
        return (
          <div className={styles.approvals}>
            <Queue open={open} decided={decided} shown={shown?.id ?? null} />
            <ApprovalView proposal={shown} asked_ms={asked_ms} />
          </div>
        );
      }}
    </Rows>
  );
}

/** The one card that is being decided on. */
function ApprovalView({ proposal, asked_ms }: { proposal: Proposal | null; asked_ms: number }) {
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
