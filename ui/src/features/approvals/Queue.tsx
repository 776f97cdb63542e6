import type { KeyboardEvent } from "react";
import type { Proposal } from "../../generated/bindings/Proposal";
import { Behind } from "../../design/layout/Behind";
import { Panel } from "../../design/layout/Panel";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { t } from "../../locales/i18n";
import styles from "./Queue.module.css";
import { QueueItem } from "./QueueItem";

type QueueProps = { open: readonly Proposal[]; decided: readonly Proposal[]; shown: string | null };

/** Waiting cards by urgency, decided ones below. Nothing moves while pointer or focus is in the list (U-1201). */
export function Queue({ open, decided, shown }: QueueProps) {
  const { rows, behind, letIn, handlers } = useHeldOrder(open, ({ id }) => id);
  // One that was decided meanwhile keeps its place, with what became of it, and stands among the others afterwards.
  const waiting = rows.map(({ row }) => decided.find(({ id }) => id === row.id) ?? row);
  const history = decided.filter(({ id }) => !rows.some(({ row }) => row.id === id));

  return (
    <Panel title={t("approvals.waiting")} aside={t("approvals.count", { count: open.length })}>
      <div role="group" aria-label={t("nav.approvals")} className={styles.scroll} {...handlers} onKeyDown={moveFocus}>
        <ul className={styles.list}>
          {waiting.map((proposal) => (
            <QueueItem key={proposal.id} proposal={proposal} shown={proposal.id === shown} />
          ))}
        </ul>
        <Behind count={behind} onLetIn={letIn} />
        <h3 className={styles.heading}>{t("approvals.history")}</h3>
        <ul className={styles.list}>
          {history.slice(0, HISTORY_MAX).map((proposal) => (
            <QueueItem key={proposal.id} proposal={proposal} shown={proposal.id === shown} />
          ))}
        </ul>
        {decided.length === 0 && <p className={styles.none}>{t("approvals.no_history")}</p>}
      </div>
    </Panel>
  );
}

/** Decided cards listed here; older ones are in the audit. */
const HISTORY_MAX = 100;

/** Arrows move between cards. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}
