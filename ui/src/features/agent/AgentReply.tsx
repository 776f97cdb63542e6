import { formatUsd } from "../../design/format/money";
import { t } from "../../locales/i18n";
import { AgentSays } from "./AgentSays";
import styles from "./Evidence.module.css";
import { EvidenceChip } from "./EvidenceChip";
import { withoutListed } from "./evidence";
import type { Row } from "./transcript-rows";
import type { Answered } from "./turn-calls";

type AgentReplyProps = {
  row: Extract<Row, { kind: "agent" }>;
  answered: Answered | null;
  onSaw: (turn: string) => void;
};

/** A stored reply: its words, what they rest on, what answered, what the turn cost, and what the agent saw. */
export function AgentReply({ row, answered, onSaw }: AgentReplyProps) {
  return (
    <AgentSays
      text={withoutListed(row.text, row.evidence)}
      at_ms={row.at_ms}
      // The ledger knows it of lines from before they said it.
      model={row.model ?? answered?.model ?? null}
      foot={
        answered !== null && (
          <>
            {answered.cost_microusd !== 0 && <span>{formatUsd(answered.cost_microusd)}</span>}
            <button type="button" className={styles.saw} data-testid="saw" onClick={() => onSaw(answered.turn)}>
              {t("turn_view.open")}
            </button>
          </>
        )
      }
    >
      {row.evidence.length > 0 && (
        <ul className={styles.chips}>
          {row.evidence.map((fact) => (
            <li key={fact.key}>
              <EvidenceChip fact={fact} />
            </li>
          ))}
        </ul>
      )}
    </AgentSays>
  );
}
