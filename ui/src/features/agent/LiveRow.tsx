import type { LiveCall, LiveTurn } from "../../host/live-turn";
import { t } from "../../locales/i18n";
import { AgentSays } from "./AgentSays";
import { ArgTree } from "./ArgTree";
import { callOutcome } from "./call-outcome";
import { ToolLine } from "./ToolLine";
import { readArgs, targetOf, verbOf } from "./tool-words";
import styles from "./TranscriptRow.module.css";
import type { Row } from "./transcript-rows";
import thinking from "./LiveRow.module.css";

/** The turn that is running, until the stored conversation holds it. What is stored of it already is left out. */
export function LiveRow({ turn, stored }: { turn: LiveTurn; stored: readonly Row[] }) {
  const calls = turn.calls.filter(({ call }) => !stored.some((row) => row.kind === "tool" && row.call === call));
  const own = stored.flatMap((row) => (row.kind === "agent" && row.turn === turn.turn ? [row.text] : []));
  const { said, isStored } = unstored(turn, own);
  const delivered = isStored || stored.some((row) => row.kind === "agent" && row.id === turn.delivered);
  return (
    // The announcer tells of it by sentences; as a live region every piece would be read aloud.
    <div className={styles.live} aria-live="off">
      {said.map((text, place) => (
        <AgentSays key={place} text={text} at_ms={null} model={turn.model} />
      ))}
      {calls.map((call) => (
        <LiveTool key={call.call} call={call} />
      ))}
      {!delivered && (
        <AgentSays text={turn.text} at_ms={null} model={turn.model} streaming={!turn.ended && turn.text !== ""}>
          <Thinking text={turn.thinking} running={!turn.ended && turn.text === ""} />
          <p className={styles.waiting}>{waitingFor(turn)}</p>
        </AgentSays>
      )}
    </div>
  );
}

/**
 * Texts of the turn that are in none of its stored rows, which can be on screen before the event that tells of them. Each
 * row stands for one text: a second one that begins like the first is another.
 */
function unstored(turn: LiveTurn, rows: readonly string[]): { said: string[]; isStored: boolean } {
  let next = 0;
  const said = turn.said.filter((text) => {
    const words = text.trim();
    // No row is stored of blanks.
    if (words === "") return false;
    // The beginning of a text is missing where the window joined in the middle of it.
    const at = rows.findIndex((row, place) => place >= next && row.includes(words));
    if (at >= 0) next = at + 1;
    return at < 0;
  });
  const words = turn.text.trim();
  return { said, isStored: words !== "" && rows.slice(next).some((row) => row.startsWith(words)) };
}

function LiveTool({ call }: { call: LiveCall }) {
  return (
    <ToolLine
      call={call.call}
      verb={verbOf(call.name)}
      target={targetOf(call.args)}
      outcome={callOutcome(call)}
      began_ms={call.state === "running" ? call.began_ms : null}
    >
      <ArgTree value={readArgs(call.args)} />
    </ToolLine>
  );
}

/** Reason that there are no more words yet; empty while they come. */
function waitingFor(turn: LiveTurn): string {
  if (turn.ended) return "";
  if (turn.restart !== null) return t("agent.restart", { reason: turn.restart });
  if (turn.calls.some(({ state }) => state === "asked")) return t("agent.asked");
  return turn.text === "" ? t("agent.working") : "";
}

/** Thinking of a model, folded: it is no answer, and nothing in it is checked. */
function Thinking({ text, running }: { text: string; running: boolean }) {
  if (text === "") return null;
  return (
    <details className={thinking.thinking} data-testid="thinking">
      <summary>{t(running ? "agent.thinking" : "agent.thought")}</summary>
      <p className={thinking.text}>{text}</p>
    </details>
  );
}
