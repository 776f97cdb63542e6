import { Link } from "wouter";
import { InboxItem } from "../../design/components/InboxItem";
import { Rows } from "../../design/components/Rows";
import { Panel } from "../../design/layout/Panel";
import { isCleared } from "../../domain/alarm/alarm-state";
import { alarmTitle } from "../../domain/alarm/alarm-title";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
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
                  <InboxItem
                    priority={isCleared(alarm.state) ? undefined : alarm.priority}
                    symbol={<AlarmMark alarm={alarm} />}
                    title={alarmTitle(alarm)}
                    act={
                      <Link href={`/alarms/${alarm.id}`} className={styles.act}>
                        {t("overview.show")}
                      </Link>
                    }
                  >
                    {isCleared(alarm.state) ? t("overview.cleared") : alarm.response}
                  </InboxItem>
                </li>
              ))}
            </ul>
          );
        }}
      </Rows>
    </Panel>
  );
}
