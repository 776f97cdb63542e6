import type { ReactNode } from "react";
import { Link } from "wouter";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { alarmMessage } from "../../domain/alarm/alarm-title";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
import { Rows } from "../../design/components/Rows";
import { formatNumber } from "../../design/format/numbers";
import { formatClock } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { recordText } from "../../domain/audit/record-text";
import { sentenceOf } from "../../domain/stop/record-words";
import { t } from "../../locales/i18n";
import styles from "./AlarmDetail.module.css";
import { listPath } from "./alarm-place";
import { EventSaid } from "./Events";
import { alarmsAround, beginOf, beliefsAbout, eventsAround, mayMiss, recordsAround } from "./related";

/** Lines of each list; what an alarm is about is among the nearest. */
const LINES_MAX = 8;
/** Rows that are looked through: more than ten busy minutes make. */
const RECORDS = 1_000;

/** Other alarms, events and recorded actions around the time of an alarm, and beliefs about its keys and robot. */
export function AlarmRelated({ alarm }: { alarm: AlarmRow }) {
  const agent = useLive((store) => store.agent);
  const believes = (alarm.agent === agent && alarm.values_now.length > 0) || alarm.robot !== null;
  return (
    <div className={styles.related} data-testid="alarm-related">
      <Alarms alarm={alarm} />
      <Events alarm={alarm} />
      {(alarm.robot !== null || alarm.mission !== null) && <Records alarm={alarm} />}
      {believes && <Beliefs alarm={alarm} />}
    </div>
  );
}

function Alarms({ alarm }: { alarm: AlarmRow }) {
  const query = useRows("alarms", "list_alarms", { preset: "all" });
  return (
    <List title={t("alarms.related_alarms")}>
      <Rows query={query} what={t("nav.alarms")}>
        {({ rows }) =>
          lines(alarmsAround(alarm, rows), false, (row) => (
            <li key={row.id}>
              <AlarmMark alarm={row} /> <Link href={listPath("active", row.id)}>{alarmMessage(row)}</Link>{" "}
              <small>{row.raised_at !== null && formatClock(row.raised_at * 1_000)}</small>
            </li>
          ))
        }
      </Rows>
    </List>
  );
}

function Events({ alarm }: { alarm: AlarmRow }) {
  const query = useRows("events", "list_events", { limit: RECORDS });
  return (
    <List title={t("alarms.related_events")}>
      <Rows query={query} what={t("events.title")}>
        {({ rows }) => {
          const times_ms = rows.map(({ happened_at }) => happened_at * 1_000);
          const missing =
            mayMiss(alarm, times_ms, RECORDS) && t("alarms.related_beyond", { number: formatNumber(RECORDS, 0) });
          return lines(eventsAround(alarm, rows), missing, ({ seq, happened_at, code, sentence }) => (
            <li key={seq}>
              <small>{formatClock(happened_at * 1_000)}</small> <EventSaid code={code} sentence={sentence} />
            </li>
          ));
        }}
      </Rows>
    </List>
  );
}

/** Read again with the alarms: records come without an end and have no tag of their own. */
function Records({ alarm }: { alarm: AlarmRow }) {
  const query = useRows("alarms", "list_audit", { from_ms: beginOf(alarm), limit: RECORDS });
  return (
    <List title={t("alarms.related_acts")}>
      <Rows query={query} what={t("alarms.related_acts")}>
        {({ rows }) => {
          const missing = rows.length >= RECORDS && t("alarms.related_many", { number: formatNumber(RECORDS, 0) });
          return lines(recordsAround(alarm, rows), missing, (record) => (
            <li key={record.seq}>
              <small>{formatClock(record.at_wall)}</small> {sentenceOf(record) ?? recordText(record)}{" "}
              <small>
                {record.actor} · {record.detail}
              </small>
            </li>
          ));
        }}
      </Rows>
    </List>
  );
}

function Beliefs({ alarm }: { alarm: AlarmRow }) {
  const query = useRows("beliefs", "list_beliefs", { limit: RECORDS });
  return (
    <List title={t("alarms.related_beliefs")}>
      <Rows query={query} what={t("nav.beliefs")}>
        {({ rows }) =>
          lines(beliefsAbout(alarm, rows), false, ({ id, subject, predicate, value, confidence }) => (
            <li key={id}>
              <Link href={`/beliefs/${id}`}>
                {t("alarms.related_belief", { name: `${subject} ${predicate}`, value })}
              </Link>{" "}
              <small>{formatNumber(confidence, 2)}</small>
            </li>
          ))
        }
      </Rows>
    </List>
  );
}

function List({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A list of what was found; `missing` says why "none" would not be true. */
function lines<Row>(rows: readonly Row[], missing: string | false, line: (row: Row) => ReactNode): ReactNode {
  if (rows.length === 0) return <p>{missing === false ? t("alarms.related_none") : missing}</p>;
  const more = rows.length - LINES_MAX;
  return (
    <ul>
      {rows.slice(0, LINES_MAX).map(line)}
      {more > 0 && (
        <li>
          <small>{t("alarms.related_more", { count: more })}</small>
        </li>
      )}
    </ul>
  );
}
