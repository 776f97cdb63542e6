import { type KeyboardEvent, useState } from "react";
import type { Proposal } from "../../bindings/Proposal";
import { Button } from "../../shared/components/Button";
import { Panel } from "../../shared/components/Panel";
import { t } from "../../shared/i18n";
import { freeze } from "./frozen-queue";
import styles from "./Queue.module.css";
import { QueueItem } from "./QueueItem";

type QueueProps = { open: readonly Proposal[]; decided: readonly Proposal[]; shown: string | null };

/** Waiting cards by urgency, decided ones below. Nothing moves while pointer or focus is in the list (U-1201). */
export function Queue({ open, decided, shown }: QueueProps) {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const { visible, behind } = freeze(open, held);
  const hold = () => setHeld((now) => now ?? open.map(({ id }) => id));
  const letGo = () => setHeld(null);

  return (
    <Panel title={t("approvals.waiting")} aside={t("approvals.count", { count: open.length })}>
      <div
        role="group"
        aria-label={t("nav.approvals")}
        className={styles.scroll}
        onPointerEnter={hold}
        onPointerLeave={letGo}
        onFocus={hold}
        onBlur={letGo}
        onKeyDown={moveFocus}
      >
        <ul className={styles.list}>
          {visible.map((proposal) => (
            <QueueItem key={proposal.id} proposal={proposal} shown={proposal.id === shown} />
          ))}
        </ul>
        {behind > 0 && (
          <Button look="quiet" onClick={letGo}>
            {t("approvals.behind", { count: behind })}
          </Button>
        )}
        {open.length === 0 && <p className={styles.none}>{t("approvals.none")}</p>}
        <h3 className={styles.heading}>{t("approvals.history")}</h3>
        <ul className={styles.list}>
          {decided.slice(0, HISTORY_MAX).map((proposal) => (
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
