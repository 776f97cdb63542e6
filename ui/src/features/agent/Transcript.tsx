import { useLayoutEffect, useRef, useState } from "react";
import type { EntryLine } from "../../bindings/EntryLine";
import { Button } from "../../shared/components/Button";
import { useLive } from "../../shared/hooks/useLive";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import { LiveRow } from "./LiveRow";
import styles from "./Transcript.module.css";
import { TranscriptRow } from "./TranscriptRow";
import { toRows, withProposals } from "./transcript-rows";

/** A reader this close to the end follows it. */
const FOLLOW_PX = 48;

/** The conversation; it never jumps while the reader is scrolled up (U-909). */
export function Transcript({ entries }: { entries: readonly EntryLine[] }) {
  const agent = useLive((store) => store.agent);
  const proposals = useRows("proposals", "list_proposals", {});
  const own = (proposals.data?.rows ?? []).filter((proposal) => proposal.agent === agent);
  const rows = withProposals(toRows(entries), own);
  const turn = useLive((store) => store.turn);
  const log = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [seen, setSeen] = useState(rows.length);

  // Synchronises with the scroll position, before anything new is painted; text of a running turn grows without a row.
  const live = turn?.text.length ?? 0;
  useLayoutEffect(() => {
    // `live` is read so that a longer text scrolls as well.
    if (!following.current || !log.current || live < 0) return;
    log.current.scrollTop = log.current.scrollHeight;
    setSeen(rows.length);
  }, [rows.length, live]);

  const onScroll = () => {
    if (!log.current) return;
    following.current = log.current.scrollHeight - log.current.scrollTop - log.current.clientHeight < FOLLOW_PX;
    if (following.current) setSeen(rows.length);
  };
  const toEnd = () => log.current?.scrollTo({ top: log.current.scrollHeight });

  return (
    <div className={styles.frame}>
      <div ref={log} className={styles.log} role="log" aria-label={t("agent.transcript")} tabIndex={0} onScroll={onScroll}>
        {rows.map((row) => (
          <TranscriptRow key={row.kind === "tool" ? row.call : `${row.kind} ${row.id}`} row={row} />
        ))}
        {turn && <LiveRow turn={turn} stored={rows} />}
      </div>
      {rows.length > seen && (
        <Button className={styles.pill} onClick={toEnd}>
          {t("agent.new_entries", { count: rows.length - seen })}
        </Button>
      )}
    </div>
  );
}
