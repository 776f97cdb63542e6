import type { Host } from "../host/host";
import { causeSentence } from "../domain/stop/cause-sentences";
import { BlockerAct } from "./BlockerAct";
import styles from "./Blockers.module.css";
import type { Blocker } from "./stop-view";
import { words } from "./strings";

type BlockersProps = { host: Host; blockers: readonly Blocker[]; refusal: string | null; onLeave: () => void };

/** The causes that keep some robots from being released, what ends each, and the act that does. */
export function Blockers({ host, blockers, refusal, onLeave }: BlockersProps) {
  return (
    <div className={styles.blockers} data-testid="release-blockers">
      <p>{words().blockedWhy}</p>
      <ul>
        {blockers.map(({ robot, causes }) => (
          <li key={robot} className={styles.robot}>
            <strong>{robot}</strong>
            <ul className={styles.causes}>
              {causes.map((cause) => (
                <li key={cause.cause}>
                  {causeSentence(cause)} <span className={styles.how}>{words().clears[cause.clears]}</span>
                  <BlockerAct host={host} robot={robot} cause={cause} refusal={refusal} />
                </li>
              ))}
            </ul>
            <a className={styles.link} href={`#/safety/${robot}`} onClick={onLeave}>
              {words().openSafety(robot)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
