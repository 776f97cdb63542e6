import { useState } from "react";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import type { Proposal } from "../../generated/bindings/Proposal";
import { modeKind } from "../../domain/agent/mode";
import { Split } from "../../design/layout/Split";
import { Notice } from "../../design/components/Notice";
import { useLive } from "../../domain/station/useLive";
import { ProposalCard } from "../../domain/proposal/ProposalCard";
import styles from "./Approvals.module.css";
import { Queue } from "./Queue";

/** Width of the queue, px: a sentence of a card in two to four lines. */
const QUEUE_PX = 248;
const QUEUE_PX_MIN = 200;
const QUEUE_PX_MAX = 420;

/** Lets a person decide on exactly what would happen. `id` is the card the address names. */
export function Approvals({ id }: { id: string | undefined }) {
  const proposals = useRows("proposals", "list_proposals", {});
  return (
    <Rows query={proposals} what={t("nav.approvals")}>
      {({ rows, asked_ms }) => <QueueAndCard rows={rows} asked_ms={asked_ms} named={id} />}
    </Rows>
  );
}

type QueueAndCardProps = { rows: readonly Proposal[]; asked_ms: number; named: string | undefined };

/** The queue, and the card that is named or comes first. While nothing waits, the last one shows what becomes of it. */
function QueueAndCard({ rows, asked_ms, named }: QueueAndCardProps) {
  const [last, setLast] = useState<string | null>(null);
  const open = inQueueOrder(rows.filter(({ state }) => isOpen(state)));
  const decided = rows.filter(({ state }) => !isOpen(state)).toSorted((a, b) => b.created_at - a.created_at);
  const known = (id: string | null | undefined) => rows.find((proposal) => proposal.id === id);
  const shown = known(named) ?? open[0] ?? known(last) ?? null;
  if (shown && shown.id !== last) setLast(shown.id);
  return (
    <Split
      id="approvals"
      label={t("approvals.queue_width")}
      along="row"
      first_px={QUEUE_PX}
      min_px={QUEUE_PX_MIN}
      max_px={QUEUE_PX_MAX}
      first={<Queue open={open} decided={decided} shown={shown?.id ?? null} />}
      second={<ApprovalView proposal={shown} asked_ms={asked_ms} />}
    />
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
