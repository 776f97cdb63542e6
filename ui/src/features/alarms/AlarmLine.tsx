import { Link } from "wouter";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
import { alarmDetail, alarmResponse, alarmTitle } from "../../domain/alarm/alarm-title";
import { isUnacknowledged } from "../../domain/alarm/alarm-state";
import table from "../../design/components/table.module.css";
import { formatClock, formatWholeAge } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./AlarmLine.module.css";
import { AlarmTags } from "./AlarmTags";
import { AlarmValue } from "./AlarmValue";
import { respondText, stateText, whereText } from "./alarm-words";
import { useTicked } from "../../domain/station/useTicked";

type AlarmLineProps = {
  alarm: AlarmRow;
  asked_ms: number;
  path: string;
  selected: boolean;
  inGroup: boolean;
  /** It has left the list. */
  gone: boolean;
};

/** One alarm: what happened, the response, the value against its limit now, since when, where it stands (U-1302). */
export function AlarmLine({ alarm, asked_ms, path, selected, inGroup, gone }: AlarmLineProps) {
  const where = whereText(alarm);
  const detail = alarmDetail(alarm);
  return (
    <tr
      className={styles.line}
      inert={gone}
      data-testid={`alarm-${alarm.id}`}
      data-state={alarm.state}
      data-selected={selected}
      data-in-group={inGroup}
    >
      <td className={styles.mark}>
        <AlarmMark alarm={alarm} />
      </td>
      <td className={`${table.wrap} ${styles.what}`}>
        <Link
          href={path}
          className={styles.message}
          data-unseen={isUnacknowledged(alarm.state)}
          data-alarm={alarm.id}
          aria-current={selected ? "true" : undefined}
        >
          {alarmTitle(alarm)}
        </Link>
        <p className={styles.response}>
          <span aria-hidden="true">→ </span>
          <span className="visually-hidden">{t("alarms.response")}: </span>
          {alarmResponse(alarm)}
        </p>
        {detail !== null && (
          <p className={styles.where} lang="en">
            {detail}
          </p>
        )}
        {where.length > 0 && <p className={styles.where}>{where.join(" · ")}</p>}
      </td>
      <td className={`${table.wrap} ${styles.now}`}>
        {alarm.values_now.map((value) => (
          <AlarmValue
            key={value.key}
            agent={alarm.agent}
            value={value}
            asked_ms={asked_ms}
            stale={alarm.flags.source_stale}
          />
        ))}
        {alarm.limit !== null && <code className={styles.limit}>{alarm.limit}</code>}
      </td>
      <td className={table.wrap}>
        <Since alarm={alarm} />
      </td>
      <td className={`${table.wrap} ${styles.state}`}>
        {stateText(alarm)}
        {alarm.acknowledged_by !== null && (
          <p className={styles.where}>{t("alarms.seen_by", { who: alarm.acknowledged_by })}</p>
        )}
        <AlarmTags alarm={alarm} />
      </td>
    </tr>
  );
}

function Since({ alarm }: { alarm: AlarmRow }) {
  const age = useTicked((now_ms) =>
    alarm.raised_at === null ? "" : formatWholeAge(Math.max(0, now_ms - alarm.raised_at * 1_000)),
  );
  const respond = useTicked((now_ms) => respondText(alarm, now_ms)?.text ?? null);
  const over = useTicked((now_ms) => respondText(alarm, now_ms)?.over ?? false);
  if (alarm.raised_at === null) return null;
  return (
    <>
      <time className={styles.time} dateTime={new Date(alarm.raised_at * 1_000).toISOString()}>
        {formatClock(alarm.raised_at * 1_000)}
      </time>
      <p className={styles.where}>{t("alarms.ago", { age })}</p>
      {respond !== null && (
        <p className={styles.respond} data-over={over}>
          {respond}
        </p>
      )}
    </>
  );
}
