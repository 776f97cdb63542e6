import { useState } from "react";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import { formatNumber } from "../../design/format/numbers";
import { formatClock } from "../../design/format/time";
import { HistoryChart } from "../../domain/world/HistoryChart";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { Segments } from "../../design/components/Segments";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./EntryPanel.module.css";

/** Spans in minutes. */
const SPANS = ["5", "60", "1440"] as const;
/** A step of it is less than a pixel of the shortest span. */
const REDRAW_MS = 1_000;
/** As many as a wide screen has pixels. */
const POINTS_MAX = 1_000;

/** History of a key: drawn, and the same as a table. */
export function EntryHistory({ row }: { row: WorldRow }) {
  const [span, setSpan] = useState<(typeof SPANS)[number]>("5");
  // A step on, or the newest point would lie beyond the end.
  const now_ms = useTimeOfDay(REDRAW_MS) + REDRAW_MS;
  const from_ms = now_ms - Number(span) * 60_000;
  const history = useRows("world", "world_history", { key: row.key, max_points: POINTS_MAX });
  return (
    <section className={styles.part}>
      <div className={styles.heading}>
        <h3>{t("world.history")}</h3>
        <Segments
          label={t("entry.span")}
          value={span}
          options={SPANS.map((value) => ({ value, text: t(`entry.span_${value}`) }))}
          onChange={setSpan}
        />
      </div>
      <Rows query={history} what={t("world.history")}>
        {({ rows }) => (
          <>
            <HistoryChart history={rows} unit={row.unit} from_ms={from_ms} to_ms={now_ms} />
            <Cut history={rows} from_ms={from_ms} />
          </>
        )}
      </Rows>
    </section>
  );
}

/** Says so where the station sent no more than was asked for, and older points lie in the span, too. */
function Cut({ history, from_ms }: { history: readonly WorldPoint[]; from_ms: number }) {
  const [oldest] = history;
  if (history.length < POINTS_MAX || oldest === undefined || oldest.observed_ms <= from_ms) return null;
  const shown = formatNumber(POINTS_MAX, 0);
  return <p className={styles.muted}>{t("entry.history_cut", { shown, clock: formatClock(oldest.observed_ms) })}</p>;
}
