import { FilterField } from "../../design/fields/FilterField";
import { useState } from "react";
import type { EventRow } from "../../generated/bindings/EventRow";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatMoment } from "../../design/format/time";
import { useRows } from "../../domain/station/useRows";
import { codeText, t } from "../../locales/i18n";
import { hasStationWords, stationText } from "../../locales/station-words";
import styles from "./Events.module.css";

/** Events shown at first. */
const PAGE = 100;
/** All that a station keeps. */
const EVENTS_MAX = 1_000;

/** Events that need no answer, the newest first (U-105). The rail does not count them (U-1302). */
export function Events() {
  const [showsOlder, setShowsOlder] = useState(false);
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  // A filter looks through all of them: the words that somebody remembers are seldom on the first page.
  const wantsAll = showsOlder || wanted !== "";
  const newest = useRows("events", "list_events", { limit: PAGE });
  const all = useRows("events", "list_events", { limit: EVENTS_MAX }, wantsAll);
  const events = wantsAll && all.data !== undefined ? all : newest;
  return (
    <Panel
      title={t("events.title")}
      aside={<FilterField label={t("events.filter")} value={filter} testId="event-filter" onChange={setFilter} />}
    >
      <Rows query={events} what={t("events.title")}>
        {({ rows }) => {
          if (rows.length === 0) return <Notice title={t("events.none")} detail={t("events.none_detail")} />;
          const found = rows.filter(({ code, sentence }) =>
            `${code} ${eventText(code) ?? ""} ${sentence}`.toLowerCase().includes(wanted),
          );
          const older = events === newest && rows.length === PAGE;
          return (
            <div className={table.scroll} role="group" aria-label={t("events.title")} tabIndex={0}>
              {found.length === 0 ? (
                <Notice title={t("events.none_found")} detail={t("events.none_found_detail", { count: rows.length })} />
              ) : (
                <Table events={found} />
              )}
              {older && (
                <p className={styles.older}>
                  <Button data-testid="events-older" onClick={() => setShowsOlder(true)}>
                    {t("events.older")}
                  </Button>
                </p>
              )}
            </div>
          );
        }}
      </Rows>
    </Panel>
  );
}

/** The words of an event's code; a cause is one that may come and go. Null where the language has none. */
function eventText(code: string): string | null {
  return stationText("event", code) ?? (hasStationWords() ? causeText(code) : null);
}

function causeText(code: string): string | null {
  const text = codeText("cause", code, "");
  return text === "" ? null : text;
}

/** An event by its code, with the station's own sentence where the language has words for the code alone. */
export function EventSaid({ code, sentence }: Pick<EventRow, "code" | "sentence">) {
  const text = eventText(code);
  if (text === null) return sentence;
  return (
    <>
      {text}
      <small className={styles.more} lang="en">
        {sentence}
      </small>
    </>
  );
}

function Table({ events }: { events: readonly EventRow[] }) {
  return (
    <table className={table.table} data-testid="events">
      <thead>
        <tr>
          <th scope="col">{t("events.when")}</th>
          <th scope="col">{t("events.what")}</th>
          <th scope="col">{t("events.code")}</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ seq, agent, happened_at, code, sentence, count }) => (
          <tr key={seq} data-testid={`event-${seq}`}>
            <td className={table.muted}>
              <time dateTime={new Date(happened_at * 1_000).toISOString()}>{formatMoment(happened_at * 1_000)}</time>
            </td>
            <th scope="row" className={`${table.wrap} ${styles.what}`}>
              <EventSaid code={code} sentence={sentence} />
              {(count > 1 || agent !== null) && (
                <small className={styles.more}>
                  {[
                    ...(agent === null ? [] : [t("alarms.of_agent", { agent })]),
                    ...(count > 1 ? [t("alarms.times", { times: count })] : []),
                  ].join(" · ")}
                </small>
              )}
            </th>
            <td className={`${table.key} ${table.muted}`}>{code}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
