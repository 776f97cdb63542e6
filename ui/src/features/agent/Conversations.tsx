import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { SessionRow } from "../../generated/bindings/SessionRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { readable } from "../../design/format/readable";
import { formatMoment } from "../../design/format/time";
import { TextField } from "../../design/fields/TextField";
import { useStation } from "../../domain/station/station-context";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useRested } from "../../design/fields/useRested";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Segments } from "../../design/components/Segments";
import { ConversationActs } from "./ConversationActs";
import styles from "./Conversations.module.css";
import { roomNameOf } from "./room-rows";
import { chooseAnnouncing, useAnnouncing } from "./announcing";

/** Words that are half typed are not looked for. */
const REST_MS = 250;

/** Every conversation of the agent, found by its words, and the actions on each (U-910). */
export function Conversations({ onClose }: { onClose: () => void }) {
  const { store } = useStation();
  const shown = useLive((live) => live.conversation ?? live.session?.session ?? null);
  const refusal = useCommandRefusal();
  const [words, setWords] = useState("");
  const rested = useRested(words.trim(), REST_MS);
  const [wanted, setWanted] = useState("");
  // What was found stays until the next words rest: the whole list between two letters would be no help.
  if (rested !== null && rested !== wanted) setWanted(rested);
  const make = useOperation("new_session");
  const choose = (session: string) => {
    // The desk's own goes by no name: it is the one that follows when the station names another.
    store.chooseConversation(session === store.session?.session ? null : session);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <section
      className={styles.panel}
      aria-label={t("conversations.title")}
      onKeyDown={onKeyDown}
      data-testid="conversation-list"
    >
      <div className={styles.head}>
        <TextField
          label={t("conversations.search")}
          value={words}
          problem={null}
          testId="conversation-search"
          onChange={setWords}
        />
        <Button
          data-testid="conversation-new"
          disabled={refusal !== null || make.pending}
          onClick={() => make.run({}, ({ session }) => choose(session))}
        >
          {make.pending ? t("hold.sending") : t("conversations.new")}
        </Button>
      </div>
      <Refusal error={make.error} />
      {wanted === "" ? <All shown={shown} onChoose={choose} /> : <Found words={wanted} onChoose={choose} />}
      {shown !== null && <ConversationActs key={shown} session={shown} />}
      <AnnounceChoice />
    </section>
  );
}

function All({ shown, onChoose }: { shown: string | null; onChoose: (session: string) => void }) {
  const sessions = useRows("transcript", "list_sessions", {});
  const rooms = useRows("transcript", "list_rooms", {});
  const agent = useLive((live) => live.agent);
  return (
    <Rows query={sessions} what={t("conversations.title")}>
      {({ rows }) => {
        // A room in which the agent has not spoken yet has no conversation of its own, and is a place to speak all the
        // same.
        const silent = (rooms.data?.rows ?? []).filter(
          (room) => room.agent === agent && !rows.some(({ session }) => session === room.session),
        );
        return (
          <ul className={styles.list}>
            {rows.map((row) => (
              <Item
                key={row.session}
                title={titleOf(row)}
                current={row.session === shown}
                onChoose={() => onChoose(row.session)}
              >
                {row.pinned && `${t("conversations.pinned")} · `}
                {t("conversations.meta", {
                  count: row.messages,
                  when: row.last_ms === null ? t("conversations.never") : formatMoment(row.last_ms),
                })}
              </Item>
            ))}
            {silent.map(({ room, session }) => (
              <Item
                key={session}
                title={t("conversations.room", { room })}
                current={session === shown}
                onChoose={() => onChoose(session)}
              >
                {t("conversations.silent")}
              </Item>
            ))}
          </ul>
        );
      }}
    </Rows>
  );
}

type ItemProps = { title: string; current?: boolean; onChoose: () => void; children: ReactNode };

function Item({ title, current = false, onChoose, children }: ItemProps) {
  return (
    <li>
      <button type="button" className={styles.item} aria-current={current ? "true" : undefined} onClick={onChoose}>
        <span className={styles.title}>{title}</span>
        <small className={styles.meta}>{children}</small>
      </button>
    </li>
  );
}

function Found({ words, onChoose }: { words: string; onChoose: (session: string) => void }) {
  const found = useRows("transcript", "search_sessions", { query: words });
  return (
    <Rows query={found} what={t("conversations.title")}>
      {({ rows: { items } }) =>
        items.length === 0 ? (
          <p className={styles.meta}>{t("conversations.none", { words })}</p>
        ) : (
          <ul className={styles.list}>
            {items.map((hit) => (
              <Item
                key={`${hit.session} ${hit.entry}`}
                title={readable(hit.excerpt)}
                onChoose={() => onChoose(hit.session)}
              >
                {formatMoment(hit.at_ms)}
              </Item>
            ))}
          </ul>
        )
      }
    </Rows>
  );
}

/** Title of a conversation: by its channel, or by its beginning. */
function titleOf({ channel, title, session }: SessionRow): string {
  switch (channel) {
    case "autonomy":
      return t("conversations.autonomy");
    case "room":
      return t("conversations.room", { room: roomNameOf(session) });
    case "desk":
      return title ?? t("conversations.untitled");
  }
}

/** Choice of when a screen reader announces a reply. */
function AnnounceChoice() {
  const announcing = useAnnouncing();
  return (
    <div className={styles.announce}>
      <span className={styles.meta}>{t("announce.title")}</span>
      <Segments
        label={t("announce.title")}
        value={announcing}
        options={[
          { value: "sentences", text: t("announce.sentences") },
          { value: "replies", text: t("announce.replies") },
        ]}
        onChange={chooseAnnouncing}
      />
    </div>
  );
}
