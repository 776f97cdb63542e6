import { Link } from "wouter";
import type { RobotRow } from "../generated/bindings/RobotRow";
import type { RobotStateName } from "../generated/bindings/RobotStateName";
import { RobotGlyph } from "../domain/robot/RobotGlyph";
import { shapeOf } from "../domain/robot/robot-look";
import { useRobotLook } from "../domain/robot/useRobotLook";
import { RobotName } from "../domain/robot/RobotName";
import { holdingOf, holdingWord } from "../domain/control/holder";
import { useHolding } from "../domain/control/useHolding";
import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
import styles from "./RobotChips.module.css";
import { useFitting } from "./useFitting";

/** More chips than this are too many to read; abnormal robots come first, then those of this desk (U-207). */
const CHIPS_MAX = 4;
/** Beside an alarm there is room for as many at most. */
const CHIPS_BESIDE_ALARM = 2;

/** Each robot's name, its state or what is wrong with its link, and who has control. */
export function RobotChips({ robots, alarmed }: { robots: readonly RobotRow[]; alarmed: boolean }) {
  const links = useLive((store) => store.links);
  const safety = useLive((store) => store.safety);
  const abnormal = (robot: RobotRow) =>
    (links.get(robot.id)?.link ?? robot.link) !== "live" || ABNORMAL.has(safety.get(robot.id)?.state ?? robot.state);
  const session = useLive((store) => store.session?.session_id);
  const own = (robot: RobotRow) => holdingOf(safety.get(robot.id)?.control ?? robot.control, session).by === "you";
  const ranked = robots.toSorted(
    (a, b) => Number(abnormal(b)) - Number(abnormal(a)) || Number(own(b)) - Number(own(a)),
  );
  const tried = ranked.slice(0, alarmed ? CHIPS_BESIDE_ALARM : CHIPS_MAX);
  const { list, fitting } = useFitting();
  const rest = ranked.slice(Math.min(fitting, tried.length));
  return (
    <ul ref={list} className={styles.chips}>
      {tried.slice(0, fitting).map((robot) => (
        <li key={robot.id} data-fits="true">
          <Chip robot={robot} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className={styles.rest}>
          <Link href="/overview" title={rest.map(({ id }) => id).join(", ")} data-testid="more-robots">
            +{rest.length}
          </Link>
        </li>
      )}
      {tried.slice(fitting).map((robot) => (
        <li key={robot.id} data-fits="false">
          <Chip robot={robot} />
        </li>
      ))}
    </ul>
  );
}

/** States in which a chip stands out, and comes before those of robots that work. */
const ABNORMAL: ReadonlySet<RobotStateName> = new Set(["hold", "safe_stop", "lockout"]);

function Chip({ robot }: { robot: RobotRow }) {
  const link = useLive((store) => store.links.get(robot.id)?.link ?? robot.link);
  const state = useLive((store) => store.safety.get(robot.id)?.state ?? robot.state);
  const lost = useLive((store) => store.time.lost);
  const holding = useHolding(robot);
  const look = useRobotLook(robot);
  const silent = lost || link === "lost" || link === "never";
  return (
    <Link
      href={`/world/${robot.id}`}
      className={styles.chip}
      data-stale={silent}
      data-abnormal={silent || link === "late" || ABNORMAL.has(state)}
    >
      <RobotGlyph shape={shapeOf(robot)} look={look} />
      <span className={styles.who}>
        <RobotName id={robot.id} simulated={robot.simulated} />
        <span className={styles.state}>
          {link === "live" ? t(`robot_state.${state}`) : t(`link.${link}`)}
          {holding.by !== "nobody" && `, ${holdingWord(holding)}`}
        </span>
      </span>
    </Link>
  );
}
