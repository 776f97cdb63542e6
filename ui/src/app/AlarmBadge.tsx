import { Link } from "wouter";
import type { AlarmRow } from "../generated/bindings/AlarmRow";
import { AlarmMark } from "../domain/alarm/AlarmMark";
import { alarmMessage, alarmTitle } from "../domain/alarm/alarm-title";
import { callsForSomebody, isUnacknowledged, worstUnacknowledged } from "../domain/alarm/alarm-state";
import { t } from "../locales/i18n";
import styles from "./AlarmBadge.module.css";

/** The worst alarm that nobody has seen, as text, and how many more there are (U-1305). */
export function AlarmBadge({ alarms }: { alarms: readonly AlarmRow[] }) {
  const worst = worstUnacknowledged(alarms);
  if (worst === null) return null;
  const more = alarms.filter(({ state }) => isUnacknowledged(state)).length - 1;
  return (
    <Link href={`/alarms/${worst.id}`} className={styles.badge} title={alarmTitle(worst)} data-testid="alarm-badge">
      <AlarmMark alarm={worst} />
      <span className={styles.message}>{alarmTitle(worst)}</span>
      {more > 0 && <strong>{t("alarms.more", { count: more })}</strong>}
    </Link>
  );
}

/** The same for whoever listens. It stands where no form of the window hides it, which would silence it. */
export function AlarmSpoken({ alarms }: { alarms: readonly AlarmRow[] }) {
  const worst = worstUnacknowledged(alarms);
  return (
    <span className="visually-hidden" role="alert">
      {worst && callsForSomebody(worst)
        ? t("alarms.spoken", { priority: t(`alarm_priority.${worst.priority}`), message: alarmMessage(worst) })
        : ""}
    </span>
  );
}
