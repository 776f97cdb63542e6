import { useEffect, useId, useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Summary.module.css";
import type { Row } from "./transcript-rows";

/** The longest summary the station takes. */
const CHARS_MAX = 32_000;
/** Lines in sight while it is written. */
const LINES = 8;

/** Summary of the older part of a conversation. The one the agent is shown can be put in other words (V-04). */
export function Summary({ row }: { row: Extract<Row, { kind: "summary" }> }) {
  const [editing, setEditing] = useState(false);
  const [edited, setEdited] = useState(false);
  const refusal = useCommandRefusal();
  const end = () => {
    setEditing(false);
    setEdited(true);
  };
  return (
    <details className={styles.summary} data-testid={row.shown ? "summary" : undefined}>
      <summary>{t(row.shown ? "agent.summary" : "agent.summary_old")}</summary>
      {editing ? (
        <EditSummary entry={row.id} text={row.text} onEnd={end} />
      ) : (
        <>
          <p className={styles.text}>{row.text}</p>
          {row.shown && (
            <Button
              // The form takes the focus with it.
              ref={edited ? focus : null}
              look="quiet"
              data-testid="summary-edit"
              disabled={refusal !== null}
              title={refusal ?? undefined}
              onClick={() => setEditing(true)}
            >
              {t("agent.summary_edit")}
            </Button>
          )}
        </>
      )}
    </details>
  );
}

function focus(button: HTMLButtonElement | null): void {
  // It went away with the form. Anywhere else somebody is at work, and keeps it.
  if (document.activeElement === document.body) button?.focus();
}

function EditSummary({ entry, text, onEnd }: { entry: number; text: string; onEnd: () => void }) {
  const field = useId();
  const conversation = useLive((store) => store.conversation);
  const [words, setWords] = useState(text);
  const edit = useOperation("edit_summary");
  const changed = words.trim() !== "" && words !== text;

  // Synchronises with the focus of the window: whoever opened the form wants to write.
  useEffect(() => document.getElementById(field)?.focus(), [field]);

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed)
          edit.run({ entry, text: words, ...(conversation === null ? {} : { session: conversation }) }, onEnd);
      }}
    >
      <label htmlFor={field}>{t("agent.summary_words")}</label>
      <textarea
        id={field}
        rows={LINES}
        maxLength={CHARS_MAX}
        className={styles.field}
        data-testid="summary-text"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          edit.forget();
        }}
      />
      <span className={styles.acts}>
        <Button type="submit" look="primary" data-testid="summary-save" disabled={!changed || edit.pending}>
          {edit.pending ? t("hold.sending") : t("agent.summary_save")}
        </Button>
        <Button look="quiet" onClick={onEnd}>
          {t("agent.summary_keep")}
        </Button>
      </span>
      <Refusal error={edit.error} />
    </form>
  );
}
