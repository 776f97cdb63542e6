import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { t } from "../../locales/i18n";
import { type HiddenMark, hiddenMarks, lineEndsDiffer } from "./hidden-marks";
import { showMarks } from "./mark-widget";
import styles from "./TextCompare.module.css";
import { styledRoot } from "./styled-root";

/** A text with the name it is read by. */
export type NamedText = { label: string; text: string };

type Texts = { before: NamedText; after: NamedText };

/**
 * Two texts side by side, each line that differs marked, and in each what nobody sees: neither can be changed. Ends of
 * lines are part of what differs.
 */
export function TextCompare({ before, after }: Texts) {
  return (
    <>
      <Editors before={before} after={after} />
      <Legend marks={sidesOf(before.text, after.text).flatMap(({ marks }) => marks)} />
    </>
  );
}

function Editors({ before, after }: Texts) {
  const place = useRef<HTMLDivElement>(null);
  const [beforeLabel, beforeText, afterLabel, afterText] = [before.label, before.text, after.label, after.text];
  // Synchronises with the two editors, which are made anew for other texts.
  useEffect(() => {
    if (place.current === null) return;
    const root = place.current.shadowRoot ?? styledRoot(place.current);
    const [a, b] = sidesOf(beforeText, afterText);
    const made = new MergeView({
      a: stateOf(beforeLabel, a),
      b: stateOf(afterLabel, b),
      parent: root,
      root,
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 8 },
    });
    return () => made.destroy();
  }, [beforeLabel, beforeText, afterLabel, afterText]);
  return <div ref={place} data-testid="text-compare" />;
}

/** The kinds of marks in the texts, each with the first of its codes. */
function Legend({ marks }: { marks: readonly HiddenMark[] }) {
  const kinds = [...new Map(marks.toReversed().map((mark) => [mark.kind, mark.shown])).entries()].toReversed();
  if (kinds.length === 0) return null;
  return (
    <div className={styles.legend} role="note" data-testid="compare-hidden">
      <span>{t("hidden_mark.legend")}</span>
      <ul className={styles.kinds}>
        {kinds.map(([kind, shown]) => (
          <li key={kind}>
            <code className={styles.mark}>{shown}</code> {t(`hidden_mark.${kind}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Side = { doc: string; marks: readonly HiddenMark[] };

/** Both texts with their marks. Where every line of both ends alike, its end is no part of what is compared. */
function sidesOf(before: string, after: string): [Side, Side] {
  const showLineEnds = lineEndsDiffer(before, after);
  const side = (text: string): Side => {
    const doc = showLineEnds ? text : text.replaceAll("\r\n", "\n");
    return { doc, marks: hiddenMarks(doc, showLineEnds) };
  };
  return [side(before), side(after)];
}

function stateOf(label: string, { doc, marks }: Side) {
  return {
    doc,
    extensions: [
      // The library takes a CR for the end of a line, and would not tell it from a LF.
      EditorState.lineSeparator.of("\n"),
      lineNumbers(),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      showMarks(marks),
    ],
  };
}
