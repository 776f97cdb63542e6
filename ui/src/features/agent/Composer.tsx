import type { KeyboardEvent } from "react";
import { COMPOSER_ID, saveDraft, useDraft } from "../../shared/agent/draft";
import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { useLive } from "../../shared/hooks/useLive";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import styles from "./Composer.module.css";
import { Examples } from "./Examples";
import { StopReply } from "./StopReply";

/** Where the operator writes. Enter sends, Shift+Enter breaks the line (U-907). */
export function Composer({ running, empty }: { running: string | null; empty: boolean }) {
  const agent = useLive((store) => store.agent);
  const text = useDraft(agent);
  const send = useOperation("send_message");
  const refusal = useCommandRefusal();
  const live = useLive((store) => (store.turn && !store.turn.ended ? store.turn.turn : null));
  const ready = refusal === null && !send.pending;

  const submit = (message: string) => {
    if (!ready || message.trim() === "") return;
    send.run({ text: message.trim() }, () => saveDraft(agent, ""));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit(text);
  };

  return (
    <div className={styles.composer}>
      {empty && <Examples disabled={!ready} onPick={submit} />}
      <StopReply turn={live ?? running} />
      <textarea
        data-testid="composer"
        id={COMPOSER_ID}
        className={styles.text}
        rows={2}
        aria-label={t("agent.message")}
        placeholder={t("agent.placeholder")}
        value={text}
        onChange={(event) => saveDraft(agent, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.bar}>
        <span className={styles.hint}>{refusal ?? t("agent.enter_sends")}</span>
        <Button data-testid="send" disabled={!ready || text.trim() === ""} onClick={() => submit(text)}>
          {send.pending ? t("hold.sending") : t("agent.send")}
        </Button>
      </div>
      <Refusal error={send.error} />
    </div>
  );
}
