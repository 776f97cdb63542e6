import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import type { Proposal } from "../../generated/bindings/Proposal";
import { suggest } from "../../domain/agent/draft";
import { modeKind } from "../../domain/agent/mode";
import { useSimulatedGoal } from "../../domain/agent/useSimulatedGoal";
import { Split } from "../../design/layout/Split";
import { Notice } from "../../design/components/Notice";
import { useStation } from "../../domain/station/station-context";
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

/**
 * The queue, and the card that is named, or the one that was shown while it waits, or the first. While nothing waits, the
 * last one shows what becomes of it.
 */
function QueueAndCard({ rows, asked_ms, named }: QueueAndCardProps) {
  const [last, setLast] = useState<string | null>(null);
  const open = inQueueOrder(rows.filter(({ state }) => isOpen(state)));
  const decided = rows.filter(({ state }) => !isOpen(state)).toSorted((a, b) => b.created_at - a.created_at);
  const known = (id: string | null | undefined) => rows.find((proposal) => proposal.id === id);
  // A more urgent one that arrives waits in the queue: Approve of another card must not come under the hand.
  const kept = open.find((proposal) => proposal.id === last);
  const shown = named === undefined ? (kept ?? open[0] ?? known(last) ?? null) : (known(named) ?? null);
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
      second={<ApprovalView proposal={shown} asked_ms={asked_ms} isGone={named !== undefined && shown === null} />}
    />
  );
}

type ApprovalViewProps = {
  proposal: Proposal | null;
  asked_ms: number;
  /** The address names a card that is not in the list; another one in its place could be taken for it. */
  isGone: boolean;
};

/** The one card that is being decided on. */
function ApprovalView({ proposal, asked_ms, isGone }: ApprovalViewProps) {
  if (proposal === null)
    return <div className={styles.empty}>{isGone ? <Notice title={t("agent.proposal_gone")} /> : <Empty />}</div>;
  return (
    <div className={styles.detail}>
      <ProposalCard key={proposal.id} proposal={proposal} asked_ms={asked_ms} />
    </div>
  );
}

/** Nothing is waiting: what the agent may do by itself, and a first motion to ask it for. */
function Empty() {
  const { store } = useStation();
  const mode = useLive(({ session }) => session?.agent_mode ?? "ask");
  const goal = useSimulatedGoal();
  const may = t(`agent_may.${modeKind(mode)}`);
  if (goal === null) return <Notice title={t("approvals.empty")} detail={may} />;
  return (
    <Notice title={t("approvals.empty")} detail={`${may} ${t("approvals.example", { goal })}`}>
      <Button data-testid="approval-try" onClick={() => suggest(store, goal)}>
        {t("approvals.try")}
      </Button>
    </Notice>
  );
}
