import { type KeyboardEvent, useId } from "react";
import { COMPOSER_ID, endDraft, saveDraft, useDraft } from "../../domain/agent/draft";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Composer.module.css";
import { StopReply } from "./StopReply";

/** The longest message of a room (C-03). */
const CHARS_MAX = 4_000;
/** Length, in characters, from which the rest is counted on screen. */
const SAID_FROM = 3_500;

type RoomComposerProps = { room: string; session: string; problem: string | null; running: string | null };

/**
 * Message field of a room. A message goes out as it stands: no command of the desk is read here. While the agent
 * replies there, words can go to that reply alone, and it can be stopped.
 */
export function RoomComposer({ room, session, problem, running }: RoomComposerProps) {
  const agent = useLive((store) => store.agent);
  // The name of the conversation in the window: what other screens suggest is put there.
  const to = { agent, conversation: session };
  const text = useDraft(to);
  const sentAway = (input: { text: string }) => endDraft(to, input.text);
  const post = useOperation("post_room", sentAway);
  const steer = useOperation("turn_steer", sentAway);
  const commands = useCommandRefusal();
  const hint = useId();
  const refusal = problem ?? commands;
  const words = text.trim();
  // In code points, as the station counts: an emoji is one character there and two here.
  const length = [...words].length;
  const written = !post.pending && !steer.pending && length > 0 && length <= CHARS_MAX;
  const ready = refusal === null && written;
  const send = () => ready && post.run({ room, text: words });
  const onKeyDown = (event: KeyboardEvent) => {
    // While letters are composed, Enter takes the offered ones and posts nothing.
    if (event.nativeEvent.isComposing || event.shiftKey || event.key !== "Enter") return;
    event.preventDefault();
    send();
  };
  return (
    <div className={styles.composer}>
      <StopReply turn={running} />
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
            steer.forget();
            saveDraft(to, event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.bar}>
        <span id={hint} className={styles.hint}>
          {refusal ??
            (length >= SAID_FROM
              ? t("rooms.left", { count: CHARS_MAX - length })
              : t(running === null ? "agent.enter_sends" : "rooms.enter_posts"))}
        </span>
        <div className={styles.acts}>
          {running !== null && (
            <Button
              look="quiet"
              data-testid="room-steer"
              disabled={commands !== null || !written}
              onClick={() => steer.run({ turn: running, text: words })}
            >
              {steer.pending ? t("hold.sending") : t("agent.steer")}
            </Button>
          )}
          <Button data-testid="room-post" disabled={!ready} onClick={send}>
            {post.pending ? t("hold.sending") : t("rooms.post")}
          </Button>
        </div>
      </div>
      <Refusal error={post.error ?? steer.error} />
    </div>
  );
}
