import { Link } from "wouter";
import type { RobotRow } from "../bindings/RobotRow";
import { RobotName } from "../shared/components/RobotName";
import { holdingOf, holdingWord } from "../shared/control/holder";
import { useHolding } from "../shared/control/useHolding";
import { useLive } from "../shared/hooks/useLive";
import { t } from "../shared/i18n";
import styles from "./RobotChips.module.css";

/** More chips than this do not fit the bar; abnormal robots come first, then those of this desk (U-207). */
const CHIPS_MAX = 4;
/** Beside an alarm there is room for as many. */
const CHIPS_BESIDE_ALARM = 2;

/** Each robot's name, its state or what is wrong with its link, and who has control. */
export function RobotChips({ robots, alarmed }: { robots: readonly RobotRow[]; alarmed: boolean }) {
  const links = useLive((store) => store.links);
  const abnormal = (robot: RobotRow) => (links.get(robot.id)?.link ?? robot.link) !== "live";
  const session = useLive((store) => store.session?.session_id);
  const safety = useLive((store) => store.safety);
  const own = (robot: RobotRow) => holdingOf(safety.get(robot.id)?.control ?? robot.control, session).by === "you";
  const ranked = robots.toSorted((a, b) => Number(abnormal(b)) - Number(abnormal(a)) || Number(own(b)) - Number(own(a)));
  const room = alarmed ? CHIPS_BESIDE_ALARM : CHIPS_MAX;
  const rest = ranked.length - room;
  return (
    <ul className={styles.chips}>
      {ranked.slice(0, room).map((robot) => (
        <li key={robot.id}>
          <Chip robot={robot} />
        </li>
      ))}
      {rest > 0 && <li className={styles.rest}>+{rest}</li>}
    </ul>
  );
}

function Chip({ robot }: { robot: RobotRow }) {
  const link = useLive((store) => store.links.get(robot.id)?.link ?? robot.link);
  const state = useLive((store) => store.safety.get(robot.id)?.state ?? robot.state);
  const lost = useLive((store) => store.time.lost);
  const holding = useHolding(robot);
  return (
    <Link href={`/world/${robot.id}`} className={styles.chip} data-stale={lost || link === "lost" || link === "never"}>
      <RobotName id={robot.id} simulated={robot.simulated} />
      <span className={styles.state}>{link === "live" ? t(`robot_state.${state}`) : t(`link.${link}`)}</span>
      {holding.by !== "nobody" && <span className={styles.holder}>{holdingWord(holding)}</span>}
    </Link>
  );
}
