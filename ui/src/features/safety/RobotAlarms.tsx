import { Rows } from "../../design/components/Rows";
import { Panel } from "../../design/layout/Panel";
import { AlarmItem } from "../../domain/alarm/AlarmItem";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./RobotAlarms.module.css";

/** The alarms of one robot, the worst first, each with what to do. */
export function RobotAlarms({ robot }: { robot: string }) {
  const query = useRows("alarms", "list_alarms", { preset: "active" });
  return (
    <Panel title={t("safety.alarms_of", { robot })}>
      <Rows query={query} what={t("nav.alarms")}>
        {({ rows }) => {
          const own = rows.filter((alarm) => alarm.robot === robot);
          if (own.length === 0) return <p className={styles.none}>{t("safety.no_alarms")}</p>;
          return (
            <ul className={styles.list} data-testid="robot-alarms">
              {own.map((alarm) => (
                <li key={alarm.id}>
                  <AlarmItem alarm={alarm} linkClass={styles.act} />
                </li>
              ))}
            </ul>
          );
        }}
      </Rows>
    </Panel>
  );
}
