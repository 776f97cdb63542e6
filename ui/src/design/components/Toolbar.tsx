import type { ReactNode } from "react";
import styles from "./Toolbar.module.css";

/** Above a scene or a graph: its title and state at the left, its tools at the right. */
export function Toolbar({ title, state, children }: { title: string; state?: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.toolbar}>
      <h2 className={styles.title} title={title}>
        {title}
      </h2>
      {state !== undefined && <span className={styles.state}>{state}</span>}
      <div className={styles.tools}>{children}</div>
    </div>
  );
}
