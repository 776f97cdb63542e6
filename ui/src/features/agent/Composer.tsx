import { useState } from "react";
import type { HostError } from "../../host/host";
import { endDraft, saveDraft, useDraft } from "../../domain/agent/draft";
import { useSimulatedGoal } from "../../domain/agent/useSimulatedGoal";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Composer.module.css";
import { nearestKnown, offered } from "./grammar";
import { MessageField } from "./MessageField";
import { StopReply } from "./StopReply";
import { useRunningTurn } from "./useRunningTurn";

type ComposerProps = { running: string | null; sent: readonly string[]; empty: boolean };

/** The operator's message field. While a reply runs the words steer it: they join it, and abort nothing. */
export function Composer({ running, sent, empty }: ComposerProps) {
  const agent = useLive((store) => store.agent);
  const conversation = useLive((store) => store.conversation);
  const text = useDraft({ agent, conversation });
  // Sent words are no draft any more, even if the reader has gone to another conversation before the answer.
  const sentAway = (input: { text: string }) => endDraft({ agent, conversation }, input.text);
  const send = useOperation("send_message", sentAway);
  const steer = useOperation("turn_steer", sentAway);
  const refusal = useCommandRefusal();
  const turn = useRunningTurn(running);
  const blank = text.trim() === "";
  // A word that may still become a command is not refused while it is written.
  const nearest = offered(text).length > 0 ? null : nearestKnown(text);
  const idle = refusal === null && !send.pending && !steer.pending;
  const ready = idle && nearest === null;
  // A command is for the interpreter and starts a turn of its own (M-10).
  const steers = turn !== null && !text.trimStart().startsWith("/");

  const [said, setSaid] = useState<string | null>(null);
  const write = (next: string) => {
    send.forget();
    steer.forget();
    setSaid(null);
    saveDraft({ agent, conversation }, next);
  };
  const told = ({ message }: { message?: string }) => setSaid(message ?? null);
  const say = (words: string) => {
    if (idle && words.trim() !== "")
      send.run({ text: words.trim(), ...(conversation === null ? {} : { session: conversation }) }, told);
  };
  const submit = () => {
    if (!ready) return;
    if (!steers) say(text);
    else if (!blank) {
      // Words to a reply that has just ended are a message, as those are that it did not hear any more.
      steer.run({ turn, text: text.trim() }, told, (error) => {
        if (isTooLate(error)) say(text);
      });
    }
  };

  return (
    <div className={styles.composer}>
      {empty && <Examples disabled={!idle} onPick={say} />}
      <StopReply turn={turn} />
      <MessageField text={text} sent={sent} onText={write} onSend={submit} />
      <div className={styles.bar}>
        <span className={styles.hint} role={nearest === null ? undefined : "status"}>
          {refusal ??
            (nearest === null
              ? t(steers ? "agent.enter_steers" : "agent.enter_sends")
              : t("agent.unknown_command", { nearest }))}
        </span>
        <div className={styles.acts}>
          {steers && (
            <Button look="quiet" data-testid="send-after" disabled={!ready || blank} onClick={() => say(text)}>
              {t("agent.send_after")}
            </Button>
          )}
          <Button data-testid="send" disabled={!ready || blank} onClick={submit}>
            {send.pending || steer.pending ? t("hold.sending") : t(steers ? "agent.steer" : "agent.send")}
          </Button>
        </div>
      </div>
      {said !== null && (
        <p className={styles.hint} role="status" data-testid="desk-said">
          {said}
        </p>
      )}
      <Refusal error={send.error ?? (isTooLate(steer.error) ? null : steer.error)} />
    </div>
  );
}

/** The station's word for a turn that is over. */
function isTooLate(error: HostError | null): boolean {
  return error?.code === "turn_ended";
}

/** Sentences that the built-in command interpreter understands at every site (U-911). */
const EXAMPLES = ["what do you see", "status", "stop"] as const;

/** Examples of a first message. Coordinates are proposed for a simulated robot alone. */
function Examples({ disabled, onPick }: { disabled: boolean; onPick: (text: string) => void }) {
  const goal = useSimulatedGoal();
  return (
    <div className={styles.examples}>
      <p className={styles.title}>{t("agent.try")}</p>
      {(goal === null ? EXAMPLES : [goal, ...EXAMPLES]).map((example) => (
        <Button key={example} className={styles.example} disabled={disabled} onClick={() => onPick(example)}>
          {example}
        </Button>
      ))}
    </div>
  );
}
