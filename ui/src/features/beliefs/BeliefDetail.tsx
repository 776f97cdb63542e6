import { useRef, useState } from "react";
import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import { Panel } from "../../design/layout/Panel";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { BeliefActs } from "./BeliefActs";
import { BeliefFacts } from "./BeliefFacts";
import styles from "./BeliefDetail.module.css";
import { BeliefStateMark } from "./BeliefStateMark";
import { marksOf } from "./belief-marks";
import { Evidence } from "./Evidence";
import { MarkTable } from "./MarkTable";
import { Timeline } from "./Timeline";

/** A line drawn once a second is as smooth as anybody sees. */
const REDRAW_MS = 1_000;

/** One belief: how sure, since when, why, and what can be done about it. */
export function BeliefDetail({
  history,
  onForgotten,
}: {
  history: BeliefHistory;
  onForgotten: (message: string) => void;
}) {
  const { belief } = history;
  const second = useTimeOfDay(REDRAW_MS) / 1_000;
  // The newest mark may be of this very second.
  const now = Math.max(second, history.rows.at(-1)?.at ?? 0);
  const marks = marksOf(history);
  const [chosen, setChosen] = useState<string | null>(null);
  const evidence = useRef<HTMLDivElement>(null);
  const selected = marks.find(({ id }) => id === chosen) ?? null;
  const silent = useSilence(belief.observes);
  const open = (id: string) => {
    setChosen(id);
    evidence.current?.focus();
  };
  return (
    <>
      <Panel
        title={`${belief.subject} · ${belief.predicate}`}
        aside={
          <span className={styles.state} data-testid="belief-state">
            <BeliefStateMark state={belief.state} word />
          </span>
        }
      >
        <BeliefFacts history={history} now={now} silent={silent} />
        <BeliefActs belief={belief} onForgotten={onForgotten} />
      </Panel>
      <Panel title={t("timeline.title")}>
        {history.left_out > 0 && <p className={styles.left}>{t("timeline.left_out", { count: history.left_out })}</p>}
        <Timeline
          history={history}
          marks={marks}
          now={now}
          silent={silent}
          selected={chosen}
          onSelect={setChosen}
          onOpen={() => evidence.current?.focus()}
        />
      </Panel>
      <div ref={evidence} tabIndex={-1} className={styles.evidence} data-testid="evidence">
        <Evidence mark={selected} />
      </div>
      <Panel title={t("timeline.table", { count: marks.length })}>
        <MarkTable marks={marks} selected={chosen} onOpen={open} />
      </Panel>
    </>
  );
}

/** True if the key that a belief rests on is stale or lost, so that nothing new is heard of it. */
function useSilence(key: string | null): boolean {
  const world = useRows("world", "list_world_state", { prefix: key ?? "", limit: KEYS_MAX }, key !== null);
  const row = world.data?.rows.find((row) => row.key === key);
  return row !== undefined && (row.freshness === "stale" || row.freshness === "lost");
}

/** Keys that begin like the one looked for. */
const KEYS_MAX = 20;
