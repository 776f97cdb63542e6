import { Link } from "wouter";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { InboxItem } from "../../design/components/InboxItem";
import { t } from "../../locales/i18n";
import { isCleared } from "./alarm-state";
import { alarmDetail, alarmResponse, alarmTitle } from "./alarm-title";
import { AlarmMark } from "./AlarmMark";

/** An alarm in a list of what needs somebody: what it is, what to do, and the way to it. */
export function AlarmItem({ alarm, linkClass }: { alarm: AlarmRow; linkClass: string | undefined }) {
  // Whoever has to act at once has to know where: the station's sentence names the place.
  const detail = alarm.priority === 1 ? alarmDetail(alarm) : null;
  return (
    <InboxItem
      priority={isCleared(alarm.state) ? undefined : alarm.priority}
      symbol={<AlarmMark alarm={alarm} />}
      title={alarmTitle(alarm)}
      act={
        <Link href={`/alarms/${alarm.id}`} className={linkClass}>
          {t("overview.show")}
        </Link>
      }
    >
      {isCleared(alarm.state) ? t("overview.cleared") : alarmResponse(alarm)}
      {detail !== null && <small lang="en"> {detail}</small>}
    </InboxItem>
  );
}
