import type { Verdict } from "../../generated/bindings/Verdict";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { denialFacts } from "./denial-facts";
import styles from "./DenialFacts.module.css";

/** The place of a violation, its depth, and the nearest that would be allowed. */
export function DenialFacts({ verdict, worst }: { verdict: Verdict; worst: VerdictItem }) {
  return (
    <dl className={styles.facts} data-testid="denial-facts">
      {denialFacts(verdict, worst).map(({ name, text }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
