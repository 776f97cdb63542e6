import type { NoteRow } from "../../generated/bindings/NoteRow";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { formatMoment } from "../../design/format/time";
import { useRows } from "../../domain/station/useRows";
import { codeText, t } from "../../locales/i18n";
import styles from "./Memory.module.css";

/** Every note of the agent, kept in mind or looked up, with its author. */
export function NoteList() {
  const notes = useRows("reviews", "list_notes", {});
  return (
    <Panel title={t("note.list")}>
      <Rows query={notes} what={t("note.list")}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Notice title={t("note.none")} detail={t("note.none_detail")} />
          ) : (
            <ul className={styles.hits} data-testid="notes">
              {rows.map((note, place) => (
                <Note key={`${note.file} ${note.title} ${place}`} note={note} />
              ))}
            </ul>
          )
        }
      </Rows>
    </Panel>
  );
}

/** A note's words may be anybody's: plain text, never rendered (U-903). */
function Note({ note: { file, title, text, locked, from, at, trust } }: { note: NoteRow }) {
  return (
    <li className={styles.note}>
      <p className={styles.meta}>
        <span className={styles.role}>{title ?? t("note.always")}</span>
        <code>{file}</code>
        <span>{from ?? t("note.by_hand")}</span>
        {at !== null && <time dateTime={at}>{formatMoment(Date.parse(at))}</time>}
        {trust !== null && <span>{codeText("memory_trust", trust)}</span>}
        {locked && <strong>{t("note.locked")}</strong>}
      </p>
      <p className={styles.content}>{text}</p>
    </li>
  );
}
