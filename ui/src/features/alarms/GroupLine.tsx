import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlarmState } from "../../generated/bindings/AlarmState";
import type { Group } from "../../generated/bindings/Group";
import { alarmMessage } from "../../domain/alarm/alarm-title";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
import table from "../../design/components/table.module.css";
import { t } from "../../locales/i18n";
import styles from "./GroupLine.module.css";
import line from "./AlarmLine.module.css";
import { whereText } from "./alarm-words";

type GroupLineProps = {
  group: Group;
  first: AlarmRow;
  /** The state that the mark shows. */
  state: AlarmState;
  open: boolean;
  onToggle: () => void;
};

/** In a flood: the alarms of one place behind the first of them, with their number and the worst priority. */
export function GroupLine({ group, first, state, open, onToggle }: GroupLineProps) {
  return (
    <tr className={line.line} data-testid={`group-${group.first_out}`}>
      <td className={line.mark}>
        <AlarmMark alarm={{ priority: group.worst, state }} />
      </td>
      <td className={table.wrap} colSpan={4}>
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={onToggle}>
          <span aria-hidden="true">{open ? "▾" : "▸"}</span>
          <strong>
            {t("alarms.group", { count: group.count, where: whereText(first)[0] ?? t("alarms.one_place") })}
          </strong>
          <span>{t("alarms.first_out", { message: alarmMessage(first) })}</span>
        </button>
      </td>
    </tr>
  );
}
