import type { ReactNode } from "react";
import type { Blocker } from "../../generated/bindings/Blocker";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./RobotTile.module.css";

/** The first blocker of a robot, how it ends, who may end it, and the count of others; `otherwise` before an answer. */
export function WhyIdle({ robot, otherwise }: { robot: RobotRow; otherwise: ReactNode }) {
  const why = useRows("robots", "why_idle", { robot: robot.id }).data?.rows;
  const lost = useLive((store) => store.time.lost);
  if (why === undefined || lost) return otherwise;
  const first = worth(why.blockers);
  if (first === null) return null;
  const more = why.blockers.length - 1;
  const all = why.blockers.map((blocker) => `${blocker.sentence} ${remedy(blocker)}.`);
  return (
    <small className={styles.refusal} data-testid={`why-idle-${robot.id}`} title={all.join("\n")}>
      <Sentence blocker={first} /> {remedy(first)}
      {more > 0 && ` · ${t("robot.more_blockers", { count: more })}`}
    </small>
  );
}

/** Remedy of a blocker, and the role that may apply it: "Arm it (an operator)". */
function remedy({ cleared_by, who }: Blocker): string {
  return `${cleared_by.replace(/\.$/, "")} (${who})`;
}

/** The blocker that stands in the tile: the reason for the robot's state, where it has one, else the first. */
function worth(blockers: readonly Blocker[]): Blocker | null {
  return blockers.find(({ code }) => code === "link" || code === "cause" || code === "latch") ?? blockers[0] ?? null;
}

function Sentence({ blocker: { code, cause, sentence } }: { blocker: Blocker }) {
  // The state stands above in a word.
  if (code === "state") return null;
  return <strong>{cause === null ? sentence : `${t(`cause.${cause}`)}.`}</strong>;
}
