import { useState } from "react";
import type { EntryLine } from "../../generated/bindings/EntryLine";
import type { ModelCallRow } from "../../generated/bindings/ModelCallRow";
import { Button } from "../../design/components/Button";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Announcer } from "./Announcer";
import { goThroughEntries } from "./entry-keys";
import { LiveRow } from "./LiveRow";
import { OpenCallsContext, useOpenCalls } from "./open-calls";
import styles from "./Transcript.module.css";
import { TranscriptRow } from "./TranscriptRow";
import { type Row, toRows, withProposals } from "./transcript-rows";
import { answersOf } from "./turn-calls";
import { useFollow } from "./useFollow";

const NO_CALLS: readonly ModelCallRow[] = [];

type TranscriptProps = {
  session: string;
  entries: readonly EntryLine[];
  covered: string | null;
  onSaw: (turn: string) => void;
};

/** The conversation. `covered` is the turn that these entries hold to its end: it is not shown a second time. */
export function Transcript({ session, entries, covered, onSaw }: TranscriptProps) {
  const agent = useLive((store) => store.agent);
  const proposals = useRows("proposals", "list_proposals", {});
  const own = (proposals.data?.rows ?? []).filter((proposal) => proposal.agent === agent);
  const rows = withProposals(toRows(entries), own, session);
  const ledger = useRows("model_calls", "list_model_calls", { since: entries[0]?.at_ms ?? 0 }, entries.length > 0);
  const answers = answersOf(session, ledger.data?.rows.calls ?? NO_CALLS);
  const turn = useLive((store) => store.turn);
  const actor = useLive((store) => store.session?.actor);
  const own_words = rows.findLast((row) => row.kind === "operator" && row.who === actor)?.id ?? null;
  const { frame, content, away, toEnd } = useFollow(own_words);
  const openCalls = useOpenCalls();
  const [seen, setSeen] = useState(rows.length);
  if (!away && seen !== rows.length) setSeen(rows.length);

  return (
    <div className={styles.frame}>
      {/* The announcer tells new text a sentence at a time; the log itself would tell every piece. */}
      <div
        ref={frame}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={t("agent.transcript")}
        tabIndex={0}
        onKeyDown={goThroughEntries}
      >
        <div ref={content} className={styles.rows}>
          <OpenCallsContext value={openCalls}>
            {rows.map((row) => (
              <div key={keyOf(row)} className={styles.row} data-row={row.kind} tabIndex={-1}>
                <TranscriptRow row={row} answered={row.kind === "agent" ? answers(row) : null} onSaw={onSaw} />
              </div>
            ))}
            {turn !== null && turn.turn !== covered && <LiveRow turn={turn} stored={rows} />}
          </OpenCallsContext>
        </div>
      </div>
      <Announcer turn={turn} />
      {away && (
        <Button className={styles.pill} onClick={toEnd}>
          {rows.length > seen ? t("agent.new_entries", { count: rows.length - seen }) : t("agent.to_end")}
        </Button>
      )}
    </div>
  );
}

function keyOf(row: Row): string {
  return row.kind === "tool" ? row.call : `${row.kind} ${row.id}`;
}
