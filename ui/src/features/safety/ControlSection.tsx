import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Panel } from "../../shared/components/Panel";
import { ControlActs } from "../../shared/control/ControlActs";
import { ControlChip } from "../../shared/control/ControlChip";
import type { Holding } from "../../shared/control/holder";
import { useHolding } from "../../shared/control/useHolding";
import { t } from "../../shared/i18n";
import styles from "./ControlSection.module.css";
import { JogPanel } from "./jog/JogPanel";

/**
 * Who has control of the robot, what that means, what this desk can do about it, and driving by hand while it has it.
 */
export function ControlSection({ robot }: { robot: RobotRow }) {
  const holding = useHolding(robot);
  return (
    <>
      <Panel title={t("control.title", { robot: robot.id })}>
        <div className={styles.control}>
          <p className={styles.who} role="status">
            <ControlChip robot={robot} /> <span>{t(`control.means_${meaningOf(holding)}`)}</span>
          </p>
          <ControlActs robot={robot} />
        </div>
      </Panel>
      {holding.by === "you" && <JogPanel robot={robot} />}
    </>
  );
}

function meaningOf(holding: Holding): Holding["by"] | "you_shared" {
  return holding.by === "you" && !holding.alone ? "you_shared" : holding.by;
}
