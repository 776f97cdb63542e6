import { useLive } from "../../shared/hooks/useLive";
import { AgentSays } from "./AgentSays";
import { EvidenceChip } from "./EvidenceChip";
import styles from "./Evidence.module.css";
import type { Row } from "./transcript-rows";

/** A stored reply: its words, what they rest on, what it cost, and what the agent saw. */
export function AgentReply({ row }: { row: Extract<Row, { kind: "agent" }> }) {
  const model = useLive((store) => store.session?.model ?? null);
  return (
    <AgentSays text={row.text} at_ms={row.at_ms} model={model}>
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
