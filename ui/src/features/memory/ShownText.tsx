import { type HiddenMark, hiddenMarks, type MarkKind } from "../../design/editor/hidden-marks";
import { t } from "../../locales/i18n";
import styles from "./Memory.module.css";

/** Ways of hiding words from a reader; blanks of another kind and at the end of a line hide none. */
const HIDES: ReadonlySet<MarkKind> = new Set(["direction", "invisible", "control"]);

/** A text with the code of each character that nobody sees in its place. */
export function ShownText({ text }: { text: string }) {
  const marks = hiddenMarks(text, false).filter(({ kind }) => HIDES.has(kind));
  return (
    <span>
      {marks.map((mark, place) => (
        <span key={place}>
          {text.slice(marks[place - 1]?.to ?? 0, mark.from)}
          <Hidden mark={mark} />
        </span>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </span>
  );
}

function Hidden({ mark: { kind, shown } }: { mark: HiddenMark }) {
  const words = t("hidden_mark.spoken", { shown, kind: t(`hidden_mark.${kind}`) });
  return (
    <code role="img" aria-label={words} title={words} className={styles.hidden}>
      {shown}
    </code>
  );
}
