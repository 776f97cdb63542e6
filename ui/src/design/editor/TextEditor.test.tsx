import { undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { act, render, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { type EditorMemory, type TextMark, TextEditor } from "./TextEditor";

// The browser of the tests adopts no sheets.
vi.mock("./styled-root", () => ({ styledRoot: (place: HTMLElement) => place.attachShadow({ mode: "open" }) }));

const MARK: TextMark = { line: 1, column: 1, endLine: 1, endColumn: 4, severity: "error", message: "No goal." };

function show(value: string, memory?: EditorMemory) {
  const onChange = vi.fn<(text: string) => void>();
  const page = (text: string, label = "Text of a") => (
    <TextEditor
      label={label}
      value={text}
      marks={[MARK]}
      onChange={onChange}
      onSave={() => undefined}
      memory={memory}
    />
  );
  const { rerender, unmount } = render(page(value));
  const editor = () => {
    const view = EditorView.findFromDOM(
      screen.getByTestId("text-editor").shadowRoot?.querySelector<HTMLElement>(".cm-editor") ?? document.body,
    );
    if (view === null) throw new Error("no editor");
    return view;
  };
  return { editor, onChange, unmount, follow: (text: string, label?: string) => rerender(page(text, label)) };
}

const write = (editor: EditorView, at: number, insert: string) =>
  act(() => editor.dispatch({ changes: { from: at, insert } }));

it.each(["one\r\ntwo\r\n", "one\r\ntwo\n"])("a text that is only opened stays as it is: %j", (text) => {
  const { onChange, follow } = show(text);
  follow(`${text}three`);
  expect(onChange).not.toHaveBeenCalled();
});

it("what is written is told with one kind of line ends, whatever those of the text are", () => {
  const { editor, onChange } = show("one\r\ntwo\r\n");
  write(editor(), 3, "\nand a half");
  expect(onChange.mock.lastCall).toEqual(["one\nand a half\ntwo\n"]);
});

it("undoes what was written in an editor that was closed since, and nothing without its memory", () => {
  const memory: EditorMemory = { state: undefined };
  const first = show("one", memory);
  write(first.editor(), 3, " two");
  first.unmount();
  const second = show("one two", memory);
  act(() => void undo(second.editor()));
  expect(second.onChange.mock.lastCall).toEqual(["one"]);
  second.unmount();
  expect(undo(show("one two").editor())).toBe(false);
});

it("shows the text of now in an editor that is opened again", () => {
  const memory: EditorMemory = { state: undefined };
  show("one", memory).unmount();
  expect(show("zero", memory).editor().state.doc.toString()).toBe("zero");
});

it("a text that changes elsewhere leaves the caret at the words it stands in", () => {
  const { editor, follow } = show("one\ntwo\nthree");
  act(() => editor().dispatch({ selection: { anchor: 6 } }));
  follow("zero\none\ntwo\nthree");
  expect([editor().state.doc.toString(), editor().state.selection.main.head]).toEqual(["zero\none\ntwo\nthree", 11]);
});

it("a caret between two places that change elsewhere stays where it is", () => {
  const { editor, follow } = show("one\ntwo\nthree");
  act(() => editor().dispatch({ selection: { anchor: 6 } }));
  follow("One\ntwo\nThree");
  expect([editor().state.doc.toString(), editor().state.selection.main.head]).toEqual(["One\ntwo\nThree", 6]);
});

it("ME-08 outlines for two seconds what changed elsewhere, and nothing that is written here", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { editor, follow } = show("one\ntwo\nthree\nfour");
  const outlined = () =>
    [...editor().contentDOM.querySelectorAll(".cm-followed")].map((line) => [
      line.textContent,
      line.classList.contains("cm-followed-first"),
      line.classList.contains("cm-followed-last"),
    ]);
  write(editor(), 0, "here ");
  expect(outlined()).toEqual([]);
  follow("here one\nTWO\nand a half\nthree\nfour");
  const lines = [
    ["TWO", true, false],
    ["and a half", false, true],
  ];
  expect(outlined()).toEqual(lines);
  act(() => void vi.advanceTimersByTime(1_900));
  expect(outlined()).toEqual(lines);
  act(() => void vi.advanceTimersByTime(100));
  expect(outlined()).toEqual([]);
});

it("marks what is wrong under another label too", () => {
  const { editor, follow } = show("one");
  const marked = () => editor().contentDOM.querySelector(".cm-lintRange-error")?.textContent;
  expect(marked()).toBe("one");
  follow("one", "Text von a");
  expect(marked()).toBe("one");
});
