import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { AlarmReport } from "../../generated/bindings/AlarmReport";
import type { WorstSource } from "../../generated/bindings/WorstSource";
import { Segments } from "../../design/components/Segments";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatNumber } from "../../design/format/numbers";
import { useRows } from "../../domain/station/useRows";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { alarmMessage } from "../../domain/alarm/alarm-title";
import { t } from "../../locales/i18n";
import styles from "./Figures.module.css";
import { listPath } from "./alarm-place";

/** Spans in seconds, by name. */
const SPANS = { hour: 3_600, shift: 28_800, day: 86_400, week: 604_800 } as const;
/** The beginning of a span moves on in steps of this. */
const STEP_MS = 60_000;
type Span = keyof typeof SPANS;

/** Performance of the alarms: the number an operator gets, and the ones that make the noise (AL-11). */
export function Figures() {
  const [span, setSpan] = useState<Span>("shift");
  // The station's own end of the span is now; its beginning moves on, or the last hour would become a shift.
  const now_s = useTimeOfDay(STEP_MS) / 1_000;
  const figures = useKept(useRows("alarms", "alarm_figures", { from: now_s - SPANS[span] }), span);
  return (
    <Panel
      title={t("figures.title")}
      aside={
        <Segments
          label={t("figures.span")}
          value={span}
          options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, text: t(`figures.${value}`) }))}
          onChange={setSpan}
        />
      }
    >
      <Rows query={figures} what={t("figures.title")}>
        {({ rows }) => <Sheet figures={rows} />}
      </Rows>
    </Panel>
  );
}

/** The answer before stays until the one of the next minute is here: nothing flickers. */
function useKept<Data>(query: UseQueryResult<Data>, about: string): UseQueryResult<Data> {
  const { data } = query;
  const [kept, setKept] = useState({ about, data });
  if (data !== undefined && (kept.data !== data || kept.about !== about)) setKept({ about, data });
  if (data !== undefined || query.isError || kept.data === undefined || kept.about !== about) return query;
  return { ...query, data: kept.data } as UseQueryResult<Data>;
}

function Sheet({ figures }: { figures: AlarmReport }) {
  return (
    <div className={styles.sheet} data-testid="alarm-figures">
      <dl className={styles.numbers}>
        <Figure name={t("figures.alarms")} value={formatNumber(figures.alarms, 0)} good={null} />
        <Figure
          name={t("figures.per_10_min")}
          value={formatNumber(figures.per_10_min, 2)}
          good={t("figures.good_per_10_min")}
        />
        <Figure
          name={t("figures.per_10_min_max")}
          value={formatNumber(figures.per_10_min_max, 0)}
          good={t("figures.good_max")}
        />
        <Figure
          name={t("figures.flood_share")}
          value={percent(figures.flood_share, 1)}
          good={t("figures.good_flood")}
        />
        <Figure
          name={t("figures.chattering")}
          value={formatNumber(figures.chattering.length, 0)}
          good={t("figures.good_none")}
        />
        <Figure
          name={t("figures.standing")}
          value={formatNumber(figures.standing.length, 0)}
          good={t("figures.good_none")}
        />
      </dl>
      <Split figures={figures} />
      <Sources title={t("figures.worst")} rows={figures.worst} empty={t("figures.no_alarm")} />
      {figures.chattering.length > 0 && <Sources title={t("figures.chattering")} rows={figures.chattering} empty="" />}
    </div>
  );
}

function Figure({ name, value, good }: { name: string; value: string; good: string | null }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        <strong className={styles.value}>{value}</strong>
        {good !== null && <small>{good}</small>}
      </dd>
    </div>
  );
}

/** Bars are neutral: the colours of alarms are for alarms (U-302). */
function Split({ figures }: { figures: AlarmReport }) {
  return (
    <section className={styles.part}>
      <h3>{t("figures.split")}</h3>
      <table className={table.table}>
        <tbody>
          {figures.by_priority.map(({ priority, count, share }) => (
            <tr key={priority}>
              <th scope="row" className={styles.name}>
                {t(`alarm_priority.${priority}`)}
              </th>
              <td className={styles.barCell}>
                <span className={styles.bar} style={{ inlineSize: `${share * 100}%` }} />
              </td>
              <td className={table.number}>{formatNumber(count, 0)}</td>
              <td className={table.number}>{percent(share, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.none}>{t("figures.good_split")}</p>
    </section>
  );
}

function Sources({ title, rows, empty }: { title: string; rows: readonly WorstSource[]; empty: string }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className={styles.none}>{empty}</p>
      ) : (
        <table className={table.table}>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className={table.wrap}>
                  <Link href={listPath("all", row.id)}>{alarmMessage(row)}</Link>
                </td>
                <td className={`${table.key} ${table.muted}`}>{row.source}</td>
                <td className={table.number}>
                  {t("figures.times", { count: row.count, times: formatNumber(row.count, 0) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function percent(share: number, digits: number): string {
  return `${formatNumber(share * 100, digits)} %`;
}
