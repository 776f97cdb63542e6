import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { styledRoot } from "./styled-root";

/** A text with the name it is read by. */
type NamedText = { label: string; text: string };

/** Two texts side by side, each line that differs marked; neither can be changed. */
export function TextCompare({ before, after }: { before: NamedText; after: NamedText }) {
  const place = useRef<HTMLDivElement>(null);
  const [beforeLabel, beforeText, afterLabel, afterText] = [before.label, before.text, after.label, after.text];
  useEffect(() => {
    if (place.current === null) return;
    const root = place.current.shadowRoot ?? styledRoot(place.current);
    const made = new MergeView({
      a: sideOf(beforeLabel, beforeText),
      b: sideOf(afterLabel, afterText),
      parent: root,
      root,
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 8 },
    });
    return () => made.destroy();
  }, [beforeLabel, beforeText, afterLabel, afterText]);
  return <div ref={place} data-testid="text-compare" />;
}

function sideOf(label: string, doc: string) {
  return {
    doc,
    extensions: [
      lineNumbers(),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    ],
  };
}
