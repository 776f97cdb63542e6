import type { ReactNode } from "react";
import { RunningTime } from "./RunningTime";
import styles from "./ToolRow.module.css";

type ToolLineProps = {
  verb: string;
  target: string;
  outcome: string;
  /** Set while it runs: when it began, by this window's clock. */
  began_ms?: number | null;
  children?: ReactNode;
};

/** A tool call in a line; it opens to what is exactly known of it. */
export function ToolLine({ verb, target, outcome, began_ms = null, children }: ToolLineProps) {
  return (
    <details className={styles.tool} data-testid="tool">
      <summary className={styles.summary}>
        <span className={styles.verb}>{verb}</span>
        {target !== "" && <code className={styles.target}>{target}</code>}
        <span className={styles.outcome}>
          {outcome}
          {began_ms !== null && <RunningTime began_ms={began_ms} />}
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
