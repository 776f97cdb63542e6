import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { AlarmShape } from "../../design/theme/icons/AlarmShape";
import { t } from "../../locales/i18n";
import styles from "./AlarmMark.module.css";
import { callsForSomebody } from "./alarm-state";

/**
 * An alarm's priority by shape, number and colour. It blinks while a first or second priority waits for somebody
 * (U-307).
 */
export function AlarmMark({ alarm }: { alarm: Pick<AlarmRow, "priority" | "state"> }) {
  return (
    <span className={styles.mark} data-calls={callsForSomebody(alarm)}>
      <AlarmShape priority={alarm.priority} />
      <span className="visually-hidden">{t(`alarm_priority.${alarm.priority}`)}</span>
    </span>
  );
}
