import { Crosshair } from "lucide-react";
import { Link } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Panel } from "../../design/layout/Panel";
import { ControlActs } from "../../domain/control/ControlActs";
import { ControlChip } from "../../domain/control/ControlChip";
import type { Holding } from "../../domain/control/holder";
import { useHolding } from "../../domain/control/useHolding";
import { t } from "../../locales/i18n";
import styles from "./ControlSection.module.css";
import { DraftScene } from "./DraftScene";
import { JogPanel } from "./jog/JogPanel";

/**
 * Control of the robot: its holder and meaning, the actions of this desk, and driving by hand while this desk has it.
 * `map` is true where nothing else shows the robot among its limits.
 */
export function ControlSection({ robot, map }: { robot: RobotRow; map: boolean }) {
  const holding = useHolding(robot);
  return (
    <>
      <Panel title={t("control.title", { robot: robot.id })}>
        <div className={styles.control}>
          <p className={styles.who} role="status">
            <ControlChip robot={robot} /> <span>{t(`control.means_${meaningOf(holding)}`)}</span>
          </p>
          <ControlActs robot={robot} />
          {robot.actuators.some(({ motions }) => motions.includes("pose_goal")) && (
            <Link href={`/safety/${robot.id}/goal`} className={styles.goal} data-testid="open-goal">
              <Crosshair aria-hidden="true" /> {t("goal.open")}
            </Link>
          )}
        </div>
      </Panel>
      {/* Without control every command of the pad would be refused. */}
      {holding.by === "you" && (
        <JogPanel robot={robot} map={map ? <DraftScene robot={robot} limit={null} frame={null} /> : undefined} />
      )}
    </>
  );
}

function meaningOf(holding: Holding): Holding["by"] | "you_shared" {
  return holding.by === "you" && !holding.alone ? "you_shared" : holding.by;
}
