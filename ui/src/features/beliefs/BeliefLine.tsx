import { ChevronDown, ChevronRight } from "lucide-react";
import { Link } from "wouter";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import { formatNumber } from "../../design/format/numbers";
import styles from "./BeliefList.module.css";
import { BeliefStateMark } from "./BeliefStateMark";

/** A subject, and how much is held about it. */
export function SubjectLine({
  subject,
  count,
  open,
  onToggle,
}: {
  subject: string;
  count: number;
  open: boolean;
  onToggle: () => void;
}) {
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li>
      <button type="button" className={styles.subject} aria-expanded={open} title={subject} onClick={onToggle}>
        <Chevron aria-hidden="true" className={styles.chevron} />
        <span className={styles.name}>{subject}</span>
        <span className={styles.number}>{count}</span>
      </button>
    </li>
  );
}

/** One belief: what, how sure, and how far it can be relied on. */
export function BeliefLine({ belief, selected }: { belief: BeliefRow; selected: boolean }) {
  return (
    <li>
      <Link
        href={`/beliefs/${belief.id}`}
        className={styles.belief ?? ""}
        aria-current={selected ? "true" : undefined}
        data-testid={`belief-${belief.subject}-${belief.predicate}`}
        title={`${belief.predicate} = ${belief.value}`}
      >
        <span className={styles.name}>
          {belief.predicate} <span className={styles.value}>{belief.value}</span>
        </span>
        <BeliefStateMark state={belief.state} />
        <span className={styles.number}>{formatNumber(belief.confidence, 2)}</span>
      </Link>
    </li>
  );
}
