import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import styles from "./Approvals.module.css";
import { ApprovalView } from "./ApprovalView";
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
