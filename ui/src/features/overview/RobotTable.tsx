import type { RobotRow } from "../../bindings/RobotRow";
import table from "../../shared/components/table.module.css";
import { t } from "../../shared/i18n";
import { RobotTile } from "./RobotTile";
import styles from "./RobotTile.module.css";
import { useTroubles } from "./useTroubles";

/** One row per robot, abnormal ones on top. */
export function RobotTable({ robots }: { robots: readonly RobotRow[] }) {
  const rows = useTroubles(robots);
  return (
    <div className={table.scroll}>
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
          {rows.map(({ robot, trouble }) => (
            <RobotTile key={robot.id} robot={robot} trouble={trouble} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
