import { formatClock } from "../../shared/format/time";
import { t } from "../../shared/i18n";
import { ChatProposal } from "./ChatProposal";
import { ToolRow } from "./ToolRow";
import styles from "./TranscriptRow.module.css";
import type { Row } from "./transcript-rows";

/** One row of the conversation. Text from elsewhere is quoted and never rendered (U-903). */
export function TranscriptRow({ row }: { row: Row }) {
  switch (row.kind) {
    case "operator":
      return (
        <div className={styles.operator}>
          <Head who={t("agent.you")} at_ms={row.at_ms} />
          <p className={styles.text}>{row.text}</p>
        </div>
      );
    case "agent":
      return (
        <div className={styles.agent}>
          <Head who={t("agent.agent")} at_ms={row.at_ms} />
          <p className={styles.text}>{row.text}</p>
        </div>
      );
    case "quoted":
      return (
        <div className={styles.agent}>
          <Head who={row.source} at_ms={row.at_ms} />
          <pre className={styles.quoted}>{row.text}</pre>
        </div>
      );
    case "system":
      return <p className={styles.system}>{row.text}</p>;
    case "proposal":
      return <ChatProposal id={row.id} />;
    case "tool":
      return <ToolRow row={row} />;
  }
}

function Head({ who, at_ms }: { who: string; at_ms: number }) {
  return (
    <p className={styles.head}>
      <span>{who}</span>
      <time>{formatClock(at_ms)}</time>
    </p>
  );
}
