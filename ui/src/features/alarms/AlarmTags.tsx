import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { formatClock } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./AlarmTags.module.css";

/** Special properties of an alarm, each in a word. */
export function AlarmTags({ alarm }: { alarm: AlarmRow }) {
  const tags = tagsOf(alarm);
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags}>
      {tags.map((tag) => (
        <li key={tag} className={styles.tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}

function tagsOf({ count, flags, shelved, out_of_service, suppressed_by, hidden_under_it }: AlarmRow): string[] {
  return [
    ...(count > 1 ? [t("alarms.times", { times: count })] : []),
    ...(flags.chattering ? [t("alarms.chattering")] : []),
    ...(flags.rule_paused ? [t("alarms.rule_paused")] : []),
    ...(flags.rule_gone ? [t("alarms.rule_gone")] : []),
    ...(shelved ? [t("alarms.shelved_until", { time: formatClock(shelved.until_ms) })] : []),
    ...(out_of_service ? [t("alarms.out_of_service_by", { who: out_of_service.by })] : []),
    ...(suppressed_by === null ? [] : [t("alarms.suppressed")]),
    ...(hidden_under_it > 0 ? [t("alarms.hidden_under", { count: hidden_under_it })] : []),
  ];
}
