import type { LiveCall, LiveTurn } from "../../host/live-turn";
import { t } from "../../shared/i18n";
import tool from "./ToolRow.module.css";
import styles from "./TranscriptRow.module.css";

/** The turn that is running, until the stored conversation holds it. */
export function LiveRow({ turn }: { turn: LiveTurn }) {
  return (
    <>
      {turn.calls.map((call) => (
        <p key={call.call} className={tool.tool}>
          <code>{call.name}</code>
          <span className={tool.outcome}>{outcomeOf(call)}</span>
        </p>
      ))}
      <div className={styles.agent}>
        <p className={styles.head}>{t("agent.agent")}</p>
        <p className={styles.text}>{turn.text === "" && !turn.ended ? t("agent.working") : turn.text}</p>
      </div>
    </>
  );
}

function outcomeOf({ state }: LiveCall): string {
  switch (state) {
    case "running":
      return t("tool.running");
    case "asked":
      return t("tool.asked");
    case "ok":
      return t("tool.done");
    case "failed":
      return t("tool.failed");
  }
}
