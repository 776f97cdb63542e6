import { EditorView } from "@codemirror/view";
import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type TextMark, TextEditor } from "./TextEditor";

// The browser of the tests adopts no sheets.
vi.mock("./styled-root", () => ({ styledRoot: (place: HTMLElement) => place.attachShadow({ mode: "open" }) }));

const MARK: TextMark = { line: 1, column: 1, endLine: 1, endColumn: 4, severity: "error", message: "No goal." };

function show(value: string) {
  const onChange = vi.fn<(text: string) => void>();
  const page = (text: string, label = "Text of a") => (
    <TextEditor label={label} value={text} marks={[MARK]} onChange={onChange} onSave={() => undefined} />
  );
  const { rerender } = render(page(value));
  const editor = () => {
    const view = EditorView.findFromDOM(
      screen.getByTestId("text-editor").shadowRoot?.querySelector<HTMLElement>(".cm-editor") ?? document.body,
    );
    if (view === null) throw new Error("no editor");
    return view;
  };
  return { editor, onChange, follow: (text: string, label?: string) => rerender(page(text, label)) };
}

const write = (editor: EditorView, at: number, insert: string) =>
  act(() => editor.dispatch({ changes: { from: at, insert } }));

it.each(["one\r\ntwo\r\n", "one\r\ntwo\n"])("a text that is only opened stays as it is: %j", (text) => {
  const { onChange, follow } = show(text);
  follow(`${text}three`);
  expect(onChange).not.toHaveBeenCalled();
});

it("what is written into a text has the ends of its lines", () => {
  const { editor, onChange } = show("one\r\ntwo\r\n");
  write(editor(), 3, "\nand a half");
  expect(onChange.mock.lastCall).toEqual(["one\r\nand a half\r\ntwo\r\n"]);
});

it("a text that changes elsewhere leaves the caret at the words it stands in", () => {
  const { editor, follow } = show("one\ntwo\nthree");
  act(() => editor().dispatch({ selection: { anchor: 6 } }));
  follow("zero\none\ntwo\nthree");
  expect([editor().state.doc.toString(), editor().state.selection.main.head]).toEqual(["zero\none\ntwo\nthree", 11]);
});

it("marks what is wrong under another label too", () => {
  const { editor, follow } = show("one");
  const marked = () => editor().contentDOM.querySelector(".cm-lintRange-error")?.textContent;
  expect(marked()).toBe("one");
  follow("one", "Text von a");
  expect(marked()).toBe("one");
});
