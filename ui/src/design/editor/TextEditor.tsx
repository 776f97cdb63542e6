import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { styledRoot } from "./styled-root";

/** A range of the text that something is wrong with: lines and columns from 1. */
export type TextMark = {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  severity: "error" | "warning";
  message: string;
};

type TextEditorProps = {
  label: string;
  value: string;
  marks: readonly TextMark[];
  onChange: (value: string) => void;
  /** Ctrl+S. */
  onSave: () => void;
};

/** A text with line numbers, an undo history of its own, and marks where something is wrong. F8 goes to the next. */
export function TextEditor({ label, value, marks, onChange, onSave }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const newest = useRef({ value, onChange, onSave });
  useEffect(() => {
    newest.current = { value, onChange, onSave };
  });

  // The editor lives as long as its place in the page; its text follows `value` below.
  useEffect(() => {
    if (place.current === null) return;
    const root = place.current.shadowRoot ?? styledRoot(place.current);
    const made = new EditorView({ parent: root, root, state: stateOf(label, newest) });
    view.current = made;
    return () => made.destroy();
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const diagnostics = marks.map((mark): Diagnostic => {
      const from = offsetOf(doc, mark.line, mark.column);
      const { severity, message } = mark;
      return { from, to: Math.max(from, offsetOf(doc, mark.endLine, mark.endColumn)), severity, message };
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [marks]);

  return <div ref={place} data-testid="text-editor" />;
}

type Newest = { current: Pick<TextEditorProps, "value" | "onChange" | "onSave"> };

function stateOf(label: string, newest: Newest): EditorState {
  const save = () => {
    newest.current.onSave();
    return true;
  };
  return EditorState.create({
    doc: newest.current.value,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      lintGutter(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      keymap.of([
        { key: "Mod-s", run: save, preventDefault: true },
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) newest.current.onChange(update.state.doc.toString());
      }),
    ],
  });
}

/** Columns count Unicode scalar values, as the station's do; the text may have changed since. */
function offsetOf(doc: EditorState["doc"], line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  return from + [...text].slice(0, Math.max(0, column - 1)).join("").length;
}
