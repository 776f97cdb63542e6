import type { ReactNode } from "react";
import styles from "./ScenePage.module.css";

type ScenePageProps = {
  label: string;
  testId: string;
  scene: ReactNode;
  head: ReactNode;
  children: ReactNode;
  acts: ReactNode;
};

/** A page about one motion: its scene, and beside or below it the words, the facts and what can be done. */
export function ScenePage({ label, testId, scene, head, children, acts }: ScenePageProps) {
  return (
    <article className={styles.page} aria-label={label} data-testid={testId}>
      <div className={styles.scene}>{scene}</div>
      <div className={styles.words}>
        <header className={styles.head}>{head}</header>
        <div className={styles.facts}>{children}</div>
        <footer className={styles.acts}>{acts}</footer>
      </div>
    </article>
  );
}
