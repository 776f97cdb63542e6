import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from "@codemirror/commands";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { followed, followedLines } from "./followed-lines";
import { plainEnds } from "./line-ends";
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

/** Lines that somebody asked for, from 1. */
export type TextLines = { line: number; endLine: number };

/** Holds what an editor knew when it was closed: the next one that is given it can still undo what was written. */
export type EditorMemory = { state: unknown };

type TextEditorProps = {
  label: string;
  value: string;
  marks: readonly TextMark[];
  /** Selected and brought into sight, once for each object. */
  lines?: TextLines | null;
  /** The text after something was written into it, every line ended by LF. */
  onChange: (value: string) => void;
  /** Ctrl+S. */
  onSave: () => void;
  memory?: EditorMemory | undefined;
};

/** A change that follows `value`: nobody wrote it. */
const FOLLOWS = Annotation.define<true>();

/** A text with line numbers, an undo history, and marks where something is wrong. F8 goes to the next. */
export function TextEditor(props: TextEditorProps) {
  // With another label it is a new editor: the library takes no other name for one that is made.
  return <Editor key={props.label} {...props} />;
}

function Editor({ label, value, marks, lines = null, onChange, onSave, memory }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const newest = useRef({ value, onChange, onSave });
  // Synchronises with the handlers of the newest rendering, which the editor calls long after it was made.
  useEffect(() => {
    newest.current = { value, onChange, onSave };
  });

  // Synchronises with the editor, which lives as long as its place in the page; its text follows `value` below.
  useEffect(() => {
    if (place.current === null) return;
    const root = place.current.shadowRoot ?? styledRoot(place.current);
    const made = new EditorView({ parent: root, root, state: stateOf(label, newest, memory) });
    view.current = made;
    return () => {
      if (memory) memory.state = made.state.toJSON(KEPT_FIELDS);
      made.destroy();
    };
  }, [label, memory]);

  // Synchronises with the editor's text. Only what differs is replaced: the caret of the writer stays where it is.
  useEffect(() => {
    const editor = view.current;
    const change = editor && followed(editor.state, plainEnds(value));
    if (change) editor.dispatch({ ...change, annotations: FOLLOWS.of(true) });
  }, [value]);

  // Synchronises with the marks in the editor.
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

  // Synchronises with the lines that were asked for.
  useEffect(() => {
    const editor = view.current;
    if (editor === null || lines === null || shown.has(lines)) return;
    shown.add(lines);
    const { doc } = editor.state;
    const anchor = offsetOf(doc, lines.line, 1);
    const head = Math.max(anchor, offsetOf(doc, lines.endLine + 1, 1) - 1);
    editor.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [lines]);

  return <div ref={place} data-testid="text-editor" />;
}

/** Lines that have had the focus: an editor that is opened again does not take it from elsewhere. */
const shown = new WeakSet<TextLines>();

type Newest = { current: Pick<TextEditorProps, "value" | "onChange" | "onSave"> };

/** Parts of a state that outlive their editor. */
const KEPT_FIELDS = { history: historyField };

function stateOf(label: string, newest: Newest, memory: EditorMemory | undefined): EditorState {
  const extensions = extensionsOf(label, newest);
  return memory?.state === undefined
    ? EditorState.create({ doc: newest.current.value, extensions })
    : EditorState.fromJSON(memory.state, { extensions }, KEPT_FIELDS);
}

function extensionsOf(label: string, newest: Newest): Extension {
  const save = () => {
    newest.current.onSave();
    return true;
  };
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    lintGutter(),
    followedLines(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label }),
    keymap.of([
      { key: "Mod-s", run: save, preventDefault: true },
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      // No trap: after Escape the library lets the next Tab leave the editor.
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      const isWritten = !update.transactions.some((transaction) => transaction.annotation(FOLLOWS));
      if (update.docChanged && isWritten) newest.current.onChange(update.state.doc.toString());
    }),
  ];
}

/** Columns count Unicode scalar values, as the station's do; the text may have changed since. */
function offsetOf(doc: EditorState["doc"], line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  return from + [...text].slice(0, Math.max(0, column - 1)).join("").length;
}
