import type { LiveCall, LiveTurn } from "../../host/live-turn";
import { t } from "../../shared/i18n";
import { callOutcome } from "./call-outcome";
import tool from "./ToolRow.module.css";
import styles from "./TranscriptRow.module.css";
import type { Row } from "./transcript-rows";

/** The turn that is running, until the stored conversation holds it. */
export function LiveRow({ turn, stored }: { turn: LiveTurn; stored: readonly Row[] }) {
  const isStored = ({ call }: LiveCall) => stored.some((row) => row.kind === "tool" && row.call === call);
  const asked = turn.calls.some(({ state }) => state === "asked");
  const waiting = turn.ended ? "" : t(asked ? "agent.asked" : "agent.working");
  return (
    <>
      {turn.calls.filter((call) => !isStored(call)).map((call) => (
        <p key={call.call} className={tool.tool}>
          <code>{call.name}</code>
          <span className={tool.outcome}>{callOutcome(call)}</span>
        </p>
      ))}
      <div className={styles.agent}>
        <p className={styles.head}>{t("agent.agent")}</p>
        <p className={styles.text}>{turn.text === "" ? waiting : turn.text}</p>
      </div>
    </>
  );
}
