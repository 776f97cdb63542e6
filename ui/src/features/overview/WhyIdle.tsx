import type { ReactNode } from "react";
import type { Blocker } from "../../generated/bindings/Blocker";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { hasStationWords, stationText } from "../../locales/station-words";
import styles from "./RobotTile.module.css";

/** The first blocker of a robot, how it ends, who may end it, and the count of others; `otherwise` before an answer. */
export function WhyIdle({ robot, otherwise }: { robot: RobotRow; otherwise: ReactNode }) {
  const why = useRows("robots", "why_idle", { robot: robot.id }).data?.rows;
  const lost = useLive((store) => store.time.lost);
  // An answer from before the silence says nothing about now.
  if (why === undefined || lost) return otherwise;
  const told = why.blockers.filter((blocker) => !isShown(blocker, robot));
  const first = worth(told);
  if (first === null) return null;
  const more = told.length - 1;
  const all = why.blockers.map((blocker) => `${sentenceOf(blocker)} ${remedy(blocker, robot)}.`);
  return (
    <small className={styles.refusal} data-testid={`why-idle-${robot.id}`} title={all.join("\n")}>
      <Sentence blocker={first} /> {remedy(first, robot)}
      {more > 0 && ` · ${t("robot.more_blockers", { count: more })}`}
    </small>
  );
}

/** True for what the tile says by itself: that the robot is disarmed, beside the button that arms it, and who has it. */
function isShown({ code }: Blocker, { state }: RobotRow): boolean {
  return state === "disarmed" && (code === "state" || code === "control");
}

/** Remedy of a blocker, and the role that may apply it: "Arm it (an operator)". */
function remedy({ code, cleared_by, who }: Blocker, { state }: RobotRow): string {
  const own = stationText("blocker_do", code === "state" ? `state_${state}` : code);
  return own ?? `${cleared_by.replace(/\.$/, "")} (${who})`;
}

/** The blocker that stands in the tile: the reason for the robot's state, where it has one, else the first. */
function worth(blockers: readonly Blocker[]): Blocker | null {
  return blockers.find(({ code }) => code === "link" || code === "cause" || code === "latch") ?? blockers[0] ?? null;
}

function sentenceOf({ code, cause, sentence }: Blocker): string {
  const own = cause === null ? stationText("blocker", code) : hasStationWords() ? t(`cause.${cause}`) : null;
  return own === null ? sentence : `${own}.`;
}

function Sentence({ blocker }: { blocker: Blocker }) {
  const { code, cause } = blocker;
  // The state and the link stand above in a word.
  if (code === "state" || code === "link") return null;
  return <strong>{cause === null ? sentenceOf(blocker) : `${t(`cause.${cause}`)}.`}</strong>;
}
