import type { RobotRow } from "../../generated/bindings/RobotRow";
import { useLive } from "../station/useLive";
import styles from "./ControlChip.module.css";
import { holdingText, holdingWord } from "./holder";
import { useHolding } from "./useHolding";

/** `brief` says it in a word, where there is no room for more. */
type ControlChipProps = { robot: Pick<RobotRow, "id" | "control">; brief?: boolean };

/** Holder of control of a robot; hatched while it is unknown or the station is silent (U-701). */
export function ControlChip({ robot, brief = false }: ControlChipProps) {
  const holding = useHolding(robot);
  const lost = useLive((store) => store.time.lost);
  return (
    <span
      className={styles.chip}
      data-testid={`control-${robot.id}`}
      data-by={holding.by}
      title={brief ? holdingText(holding) : undefined}
      data-stale={lost || holding.by === "unknown"}
    >
      {brief ? holdingWord(holding) : holdingText(holding)}
    </span>
  );
}
