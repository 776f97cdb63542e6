import { SetUpRobots } from "../../domain/robot/SetUpRobots";
import { Link } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Notice } from "../../design/components/Notice";
import { RobotName } from "../../domain/robot/RobotName";
import table from "../../design/components/table.module.css";
import { ControlChip } from "../../domain/control/ControlChip";
import { NO_NUMBER } from "../../design/format/numbers";
import { behaviourOf } from "../../domain/stop/stop-behaviour";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { Behind } from "../../design/layout/Behind";
import styles from "./StateSection.module.css";
import { useSafetyState } from "./useSafetyState";

/** Every robot: its state, what keeps it from arming, its set, and what stops it. */
export function RobotsTable({ robots }: { robots: readonly RobotRow[] }) {
  const { rows, behind, letIn, handlers } = useHeldOrder(robots, ({ id }) => id);
  if (robots.length === 0)
    return (
      <Notice title={t("overview.empty")} detail={t("safety.no_robots")}>
        <SetUpRobots />
      </Notice>
    );
  return (
    <div className={table.scroll} {...handlers}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("robot.name")}</th>
            <th scope="col">{t("robot.state")}</th>
            <th scope="col">{t("control.column")}</th>
            <th scope="col" className={table.number}>
              {t("safety.set_version")}
            </th>
            <th scope="col">{t("safety.stop_behaviour")}</th>
            <th scope="col">{t("safety.hardware_estop")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row: robot, gone }) => (
            <RobotLine key={robot.id} robot={robot} gone={gone} />
          ))}
        </tbody>
      </table>
      <Behind count={behind} onLetIn={letIn} />
    </div>
  );
}

function RobotLine({ robot, gone }: { robot: RobotRow; gone: boolean }) {
  const { state, problem, unreachable } = useSafetyState(robot);
  const version = useLive((store) => store.safety.get(robot.id)?.set_version ?? null);
  const { words, category } = behaviourOf(robot.stop_behaviour);
  return (
    <tr className={styles.robot} data-lost={unreachable} inert={gone}>
      <th scope="row">
        <Link href={`/safety/${robot.id}`}>
          <RobotName id={robot.id} simulated={robot.simulated} />
        </Link>
      </th>
      <td className={table.wrap}>
        {t(`robot_state.${state}`)}
        {problem !== null && <small className={styles.problem}>{problem.text}</small>}
      </td>
      <td className={`${table.wrap} ${styles.control}`}>
        <ControlChip robot={robot} />
      </td>
      <td className={table.number}>{version ?? NO_NUMBER}</td>
      <td className={table.wrap}>
        {words} <span className={styles.whole}>({category})</span>
      </td>
      <td className={table.wrap}>{robot.hardware_estop}</td>
    </tr>
  );
}
