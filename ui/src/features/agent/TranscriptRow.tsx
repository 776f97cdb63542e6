import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { Quote } from "../../design/components/Quote";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { ProposalCard } from "../../domain/proposal/ProposalCard";
import { AgentReply } from "./AgentReply";
import { RowHead } from "./RowHead";
import { Summary } from "./Summary";
import { ToolRow } from "./ToolRow";
import styles from "./TranscriptRow.module.css";
import type { Row } from "./transcript-rows";
import type { Answered } from "./turn-calls";

type TranscriptRowProps = {
  row: Row;
  /** The model behind an agent's row, with its turn and cost. */
  answered: Answered | null;
  onSaw: (turn: string) => void;
};

/** One row of the conversation. Text from elsewhere is quoted and never rendered (U-903). */
export function TranscriptRow({ row, answered, onSaw }: TranscriptRowProps) {
  switch (row.kind) {
    case "operator":
      return <Operator row={row} />;
    case "agent":
      return <AgentReply row={row} answered={answered} onSaw={onSaw} />;
    case "quoted":
      return (
        <div className={styles.agent} data-testid="quoted">
          <RowHead who={t("agent.read")} at_ms={row.at_ms} />
          <Quote source={t("agent.quoted", { source: row.source })} text={row.text} />
        </div>
      );
    case "system":
      return row.more === null ? (
        <p className={styles.system}>{row.text}</p>
      ) : (
        <details className={styles.system} data-testid="system-more">
          <summary>{row.text}</summary>
          <p className={styles.text}>{row.more}</p>
        </details>
      );
    case "summary":
      return <Summary row={row} />;
    case "proposal":
      return <ChatProposal id={row.id} />;
    case "tool":
      return <ToolRow row={row} />;
  }
}

function Operator({ row }: { row: Extract<Row, { kind: "operator" }> }) {
  const own = useLive((store) => store.session?.actor === row.who);
  return (
    <div className={styles.operator}>
      <RowHead who={own ? t("agent.you") : row.who} at_ms={row.at_ms} />
      <p className={styles.text}>{row.text}</p>
    </div>
  );
}

/** The same card as in Approvals, where the agent asked. */
function ChatProposal({ id }: { id: string }) {
  const proposals = useRows("proposals", "list_proposals", {});
  return (
    <Rows query={proposals} what={t("nav.approvals")}>
      {({ rows, asked_ms }) => {
        const proposal = rows.find((candidate) => candidate.id === id);
        return proposal ? (
          <ProposalCard proposal={proposal} asked_ms={asked_ms} compact />
        ) : (
          <p>{t("agent.proposal_gone")}</p>
        );
      }}
    </Rows>
  );
}
