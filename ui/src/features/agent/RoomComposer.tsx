import { type KeyboardEvent, useId } from "react";
import { COMPOSER_ID, saveDraft, useDraft } from "../../shared/agent/draft";
import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { useLive } from "../../shared/hooks/useLive";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import styles from "./Composer.module.css";

/** The longest message of a room (C-03). */
const CHARS_MAX = 4_000;
/** How much is left is said once it may matter. */
const SAID_FROM = 3_500;

/** Where something is said to a room. It goes out as it stands: no command of the desk is read here. */
export function RoomComposer({ room, problem }: { room: string; problem: string | null }) {
  const agent = useLive((store) => store.agent);
  const to = { agent, conversation: `room/${room}` };
  const text = useDraft(to);
  const post = useOperation("post_room");
  const commands = useCommandRefusal();
  const hint = useId();
  const refusal = problem ?? commands;
  const length = [...text.trim()].length;
  const ready = refusal === null && !post.pending && length > 0 && length <= CHARS_MAX;
  const send = () => ready && post.run({ room, text: text.trim() }, () => saveDraft(to, ""));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.shiftKey || event.key !== "Enter") return;
    event.preventDefault();
    send();
  };
  return (
    <div className={styles.composer}>
      <div className={styles.field}>
        <textarea
          id={COMPOSER_ID}
          data-testid="room-composer"
          className={styles.text}
          rows={2}
          aria-label={t("rooms.message")}
          aria-describedby={hint}
          placeholder={t("rooms.placeholder")}
          value={text}
          onChange={(event) => {
            post.forget();
            saveDraft(to, event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.bar}>
        <span id={hint} className={styles.hint}>
          {refusal ?? (length < SAID_FROM ? t("agent.enter_sends") : t("rooms.left", { count: CHARS_MAX - length }))}
        </span>
        <Button data-testid="room-post" disabled={!ready} onClick={send}>
          {post.pending ? t("hold.sending") : t("rooms.post")}
        </Button>
      </div>
      <Refusal error={post.error} />
    </div>
  );
}
