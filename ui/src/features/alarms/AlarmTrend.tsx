import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { HistoryChart } from "../../domain/world/HistoryChart";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { Rows } from "../../design/components/Rows";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./AlarmDetail.module.css";
import { AROUND_MS } from "./related";

/** A step of it is a pixel or two. */
const REDRAW_MS = 1_000;

/** History of the rule's keys around the moment of the alarm; only for the agent that this window shows. */
export function AlarmTrend({ alarm }: { alarm: AlarmRow }) {
  const agent = useLive((store) => store.agent);
  if (alarm.raised_at === null || alarm.agent !== agent) return null;
  const raised_ms = alarm.raised_at * 1_000;
  return alarm.values_now.map(({ key }) => <Trend key={key} entry={key} raised_ms={raised_ms} />);
}

function Trend({ entry, raised_ms }: { entry: string; raised_ms: number }) {
  const from_ms = raised_ms - AROUND_MS;
  const end_ms = raised_ms + AROUND_MS;
  // Nobody knows what comes: the line ends now, and no earlier than the mark.
  const to_ms = Math.max(raised_ms, Math.min(end_ms, useTimeOfDay(REDRAW_MS)));
  const unit = useLive((store) => store.signal(`world/${store.agent ?? ""}/${entry}`)?.unit ?? null);
  const history = useRows("world", "world_history", { key: entry, to: end_ms / 1_000, max_points: 1_000 });
  return (
    <section className={styles.trend}>
      <h3>
        {t("alarms.trend")} <code>{entry}</code>
      </h3>
      <Rows query={history} what={t("alarms.trend")}>
        {({ rows }) => <HistoryChart history={rows} unit={unit} from_ms={from_ms} to_ms={to_ms} mark_ms={raised_ms} />}
      </Rows>
    </section>
  );
}
