import type { RobotRow } from "../../generated/bindings/RobotRow";
import table from "../../design/components/table.module.css";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { t } from "../../locales/i18n";
import { RobotTile } from "./RobotTile";
import styles from "./RobotTile.module.css";
import { useTroubles } from "./useTroubles";

/** One row per robot, abnormal ones on top; none moves while the hand is among their buttons. */
export function RobotTable({ robots }: { robots: readonly RobotRow[] }) {
  const { rows, handlers } = useHeldOrder(useTroubles(robots), ({ robot }) => robot.id);
  return (
    <div className={table.scroll} {...handlers}>
      <table className={`${table.table} ${styles.tiles}`}>
        <thead>
          <tr>
            <th scope="col">{t("robot.name")}</th>
            <th scope="col">{t("robot.state")}</th>
            <th scope="col">{t("control.column")}</th>
            <th scope="col">{t("robot.link")}</th>
            <th scope="col" className={table.number}>
              {t("robot.battery")}
            </th>
            <th scope="col" className={table.number}>
              {t("robot.speed")}
            </th>
            <th scope="col" className={table.number}>
              {t("robot.position")}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t("robot.action")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row: { robot, trouble }, gone }) => (
            <RobotTile key={robot.id} robot={robot} trouble={trouble} gone={gone} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
