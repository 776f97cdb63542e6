import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { problemAt } from "../../design/fields/refusal";
import { TextField } from "../../design/fields/TextField";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { AreaField } from "./AreaField";
import styles from "./Memory.module.css";

/** Tells the agent something to keep in mind. */
export function Notes() {
  const [text, setText] = useState("");
  const [title, setTitle] = useState("");
  const [message, setMessage] = useState<string | null>(null);
  const remember = useOperation("remember_note");
  const refusal = useCommandRefusal();
  const changed = () => {
    remember.forget();
    setMessage(null);
  };
  return (
    <Panel title={t("note.heading")}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === "" || refusal !== null) return;
          remember.run({ text: text.trim(), ...(title.trim() === "" ? {} : { title: title.trim() }) }, (noted) => {
            setMessage(noted.message);
            // What was written while the note was on its way is the next one.
            setText((now) => (now === text ? "" : now));
            setTitle((now) => (now === title ? "" : now));
          });
        }}
      >
        <div className={styles.wide}>
          <TextField
            label={t("note.title")}
            value={title}
            problem={problemAt(remember.error, "title")?.message ?? null}
            testId="note-title"
            onChange={(next) => {
              setTitle(next);
              changed();
            }}
          />
        </div>
        <div className={styles.wide}>
          <AreaField
            label={t("note.text")}
            value={text}
            testId="note-text"
            onChange={(next) => {
              setText(next);
              changed();
            }}
          />
        </div>
        <Button
          type="submit"
          look="primary"
          data-testid="note-submit"
          disabled={text.trim() === "" || refusal !== null || remember.pending}
        >
          {remember.pending ? t("hold.sending") : t("note.remember")}
        </Button>
        <span className={styles.hint}>{refusal ?? t("note.means")}</span>
        <div className={styles.wide}>
          <Refusal error={remember.error} />
        </div>
        {message !== null && (
          <p className={styles.wide} role="status" data-testid="noted">
            {message}
          </p>
        )}
      </form>
    </Panel>
  );
}
