import styles from "./Blockers.module.css";
import type { Blocker } from "./stop-view";
import { WORDS } from "./strings";

/** Why some robots cannot be released yet, what ends that, and where. */
export function Blockers({ blockers }: { blockers: readonly Blocker[] }) {
  return (
    <div className={styles.blockers} data-testid="release-blockers">
      <p>{WORDS.blockedWhy}</p>
      <ul>
        {blockers.map(({ robot, causes }) => (
          <li key={robot} className={styles.robot}>
            <strong>{robot}</strong>
            <ul className={styles.causes}>
              {causes.map(({ cause, sentence, clears }) => (
                <li key={cause}>
                  {sentence} <span className={styles.how}>{WORDS.clears[clears]}</span>
                </li>
              ))}
            </ul>
            <a className={styles.link} href={`#/safety/${robot}`}>
              {WORDS.openSafety(robot)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
