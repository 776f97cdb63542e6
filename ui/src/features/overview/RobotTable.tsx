import type { RobotRow } from "../../generated/bindings/RobotRow";
import { commonFrame } from "../../domain/scene/flat/scene-model";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { t } from "../../locales/i18n";
import { RobotTile } from "./RobotTile";
import styles from "./RobotTile.module.css";
import { useTroubles } from "./useTroubles";

type RobotTableProps = {
  robots: readonly RobotRow[];
  /** The robot that is marked in the scene beside it. */
  chosen: string | null;
  onChoose: (robot: string) => void;
};

/** One row per robot, abnormal ones on top; none moves while the hand is among their buttons. */
export function RobotTable({ robots, chosen, onChoose }: RobotTableProps) {
  const frame = commonFrame(robots);
  const { rows, handlers } = useHeldOrder(useTroubles(robots), ({ robot }) => robot.id);
  return (
    <div {...handlers}>
      <table className={styles.tiles}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t("robot.glyph")}</th>
            <th scope="col">{t("robot.name")}</th>
            <th scope="col">{t("robot.state")}</th>
            <th scope="col">{t("control.column")}</th>
            <th scope="col">{t("robot.doing")}</th>
            <th scope="col">{t("robot.figures")}</th>
            <th scope="col">{t("robot.action")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row: { robot, trouble }, gone }) => (
            <RobotTile
              key={robot.id}
              robot={robot}
              frame={frame}
              trouble={trouble}
              gone={gone}
              chosen={robot.id === chosen}
              onChoose={() => onChoose(robot.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
