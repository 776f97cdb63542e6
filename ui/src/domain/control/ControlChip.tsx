import type { RobotRow } from "../../generated/bindings/RobotRow";
import { useLive } from "../station/useLive";
import styles from "./ControlChip.module.css";
import { holdingText } from "./holder";
import { useHolding } from "./useHolding";

/** Holder of control of a robot; hatched while it is unknown or the station is silent (U-701). */
export function ControlChip({ robot }: { robot: Pick<RobotRow, "id" | "control"> }) {
  const holding = useHolding(robot);
  const lost = useLive((store) => store.time.lost);
  return (
    <span
      className={styles.chip}
      data-testid={`control-${robot.id}`}
      data-by={holding.by}
      data-stale={lost || holding.by === "unknown"}
    >
      {holdingText(holding)}
    </span>
  );
}
