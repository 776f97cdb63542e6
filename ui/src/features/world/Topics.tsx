import { useState } from "react";
import { Link } from "wouter";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatNumber, formatQuantity } from "../../design/format/numbers";
import { formatAge } from "../../design/format/time";
import { ageMs } from "../../design/format/freshness";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { RowGap } from "../../design/layout/RowGap";
import { useRowWindow } from "../../design/layout/useRowWindow";
import { t } from "../../locales/i18n";
import filter from "./StatePanel.module.css";
import row from "./StateRow.module.css";
import styles from "./Topics.module.css";
import { ListenForm } from "./ListenForm";
import { TopicPanel } from "./TopicPanel";
import { rosTopic } from "./ros-topic";
import { useRefreshed } from "./useRefreshed";
import { topicPath } from "./world-place";

/** Everything that is published and heard here: how often, how much, how long ago, and what is in it (U-1105). */
export function Topics({ topic }: { topic: string | null }) {
  const topics = useRefreshed(useRows("world", "list_topics", {}));
  const [wanted, setWanted] = useState("");
  const opened = topics.data?.rows.find(({ key_expr }) => key_expr === topic);
  return (
    <div className={styles.columns} data-opened={topic !== null}>
      <Panel
        title={t("topics.title")}
        aside={
          <>
            <ListenForm />
            <input
              type="search"
              data-search
              className={filter.filter}
              placeholder={t("world.filter")}
              aria-label={t("world.filter")}
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          </>
        }
      >
        <Rows query={topics} what={t("topics.title")}>
          {({ rows, asked_ms }) =>
            rows.length === 0 ? (
              <Notice title={t("topics.empty")} detail={t("topics.empty_detail")} />
            ) : (
              <TopicTable
                rows={rows.filter(({ key_expr }) => isFound(key_expr, wanted))}
                asked_ms={asked_ms}
                opened={topic}
              />
            )
          }
        </Rows>
      </Panel>
      {opened && <TopicPanel key={opened.key_expr} topic={opened} />}
      {topic !== null && !opened && topics.isSuccess && <Notice title={t("topics.gone", { topic })} />}
    </div>
  );
}

function TopicTable({
  rows,
  asked_ms,
  opened,
}: {
  rows: readonly TopicRow[];
  asked_ms: number;
  opened: string | null;
}) {
  const { scroller, from, to, before_px, after_px } = useRowWindow(rows.length);
  return (
    <div ref={scroller} className={table.scroll}>
      <table className={table.table} data-testid="topics" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("topics.key_expr")}</th>
            <th scope="col" className={table.number}>
              {t("topics.rate")}
            </th>
            <th scope="col" className={table.number}>
              {t("topics.bytes")}
            </th>
            <th scope="col" className={table.number}>
              {t("world.age")}
            </th>
            <th scope="col">{t("topics.encoding")}</th>
          </tr>
        </thead>
        <tbody>
          <RowGap height_px={before_px} columns={5} />
          {rows.slice(from, to).map((topic, place) => (
            <Line
              key={topic.key_expr}
              topic={topic}
              asked_ms={asked_ms}
              index={from + place + 2}
              selected={topic.key_expr === opened}
            />
          ))}
          <RowGap height_px={after_px} columns={5} />
        </tbody>
      </table>
    </div>
  );
}

type LineProps = { topic: TopicRow; asked_ms: number; index: number; selected: boolean };

function Line({ topic, asked_ms, index, selected }: LineProps) {
  const age = useLive(({ time }) => formatAge(Math.floor((topic.age_ms + ageMs(asked_ms, time.local_ms)) / 100) * 100));
  const ros = rosTopic(topic.key_expr);
  return (
    <tr className={row.row} data-selected={selected} aria-rowindex={index}>
      <th scope="row" className={table.key}>
        <Link
          href={topicPath(topic.key_expr)}
          className={`${row.key} ${styles.link}`}
          title={topic.key_expr}
          aria-current={selected ? "true" : undefined}
        >
          {ros?.name ?? topic.key_expr}
        </Link>
        {ros && <span className={styles.message}>{ros.message}</span>}
      </th>
      <td className={table.number}>{formatQuantity(topic.rate_hz, 1, "Hz")}</td>
      <td className={table.number}>{formatNumber(topic.bytes_per_s, 0)} B/s</td>
      <td className={`${table.number} ${table.muted}`}>{age}</td>
      <td className={table.muted}>{encodingOf(topic)}</td>
    </tr>
  );
}

function isFound(keyExpr: string, wanted: string): boolean {
  const ros = rosTopic(keyExpr);
  const names = ros ? [keyExpr, ros.name, ros.message] : [keyExpr];
  return names.some((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
}

function encodingOf({ encoding, form }: TopicRow): string {
  if (form === "ros2") return t("topics.ros2");
  return encoding === "" ? t("entry.no_encoding") : encoding;
}
