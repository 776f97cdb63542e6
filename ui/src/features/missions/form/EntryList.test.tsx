import { act, fireEvent, screen } from "@testing-library/react";
import { type ComponentProps, useState } from "react";
import { expect, it, vi } from "vitest";
import { fakeStation, renderWith } from "../../../testing/station";
import { EntryList } from "./EntryList";
import { type Settling, SettlingContext } from "./settling";

const SETTLED: Settling = { hash: "h0", unsettled: false, refused: false };
const SAVING: Settling = { hash: "h0", unsettled: true, refused: false };

type Shown = { values: readonly unknown[]; settling: Settling };
type Acts = Pick<ComponentProps<typeof EntryList>, "onInsert" | "onReplace" | "onRemove" | "onMove">;

/** Goals of a file that stays as it is until `becomes` says otherwise. */
function show(...values: unknown[]) {
  const acts = { onInsert: vi.fn(), onReplace: vi.fn(), onRemove: vi.fn(), onMove: vi.fn() } satisfies Acts;
  let becomes: (next: Shown) => void = () => undefined;
  function Form() {
    const [shown, setShown] = useState<Shown>({ values, settling: SETTLED });
    becomes = setShown;
    return (
      <SettlingContext value={shown.settling}>
        <EntryList list="goals" problem={null} disabled={false} {...shown} {...acts} />
      </SettlingContext>
    );
  }
  renderWith(fakeStation({ list_robots: [] }), <Form />);
  return { ...acts, becomes: (next: unknown[], settling = SETTLED) => act(() => becomes({ values: next, settling })) };
}

const goal = (number: number) => screen.getByTestId<HTMLInputElement>(`form-goals-${number}-goal`);
const goals = () => screen.getAllByTestId(/^form-goals-\d-goal$/u).map((field) => (field as HTMLInputElement).value);
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const enter = (field: HTMLElement) => fireEvent.keyDown(field, { key: "Enter" });

it("does not save what was typed over a goal that is another one by now, until it is asked for", () => {
  const { onReplace, becomes } = show("Look", "Wait", "Go home");
  type(goal(2), "Wait longer");
  becomes(["Knock", "Look", "Wait", "Go home"], { ...SETTLED, hash: "h9" });
  fireEvent.blur(goal(2));
  expect(onReplace).not.toHaveBeenCalled();
  expect(goal(2).value).toBe("Wait longer");
  expect(screen.getByTestId("form-goals-2-goal-problem").textContent).toContain("has changed here in the meantime");
  fireEvent.blur(goal(2));
  expect(onReplace).not.toHaveBeenCalled();
  enter(goal(2));
  expect(onReplace).toHaveBeenCalledWith(1, "Wait longer");
});

it("keeps a text whose change was refused in its field", () => {
  const { onReplace, becomes } = show("Look");
  type(goal(1), "Look twice");
  enter(goal(1));
  becomes(["Look"], SAVING);
  expect(goal(1).value).toBe("Look twice");
  becomes(["Look"], { ...SETTLED, refused: true });
  expect(goal(1).value).toBe("Look twice");
  becomes(["Look"]);
  enter(goal(1));
  expect(onReplace).toHaveBeenCalledTimes(2);
});

it("keeps JSON that is not whole yet in its field, with what is wrong", () => {
  const { onReplace } = show({ operation: "say", input: { text: "a" } });
  const input = screen.getByTestId<HTMLInputElement>("form-goals-1-input");
  type(input, '{"text": "b"');
  enter(input);
  expect([input.value, screen.getByTestId("form-goals-1-input-problem").textContent]).toEqual([
    '{"text": "b"',
    "Not valid JSON.",
  ]);
  type(input, '{"text": "b"}');
  enter(input);
  expect(onReplace).toHaveBeenCalledWith(0, { operation: "say", input: { text: "b" } });
});

it("takes one entry for a double click, and counts the next change in the list as it will be", () => {
  const { onRemove, onReplace, becomes } = show("Look", "Wait", "Go home");
  fireEvent.click(screen.getByTestId("form-goals-1-remove"));
  fireEvent.click(screen.getByTestId("form-goals-1-remove"));
  expect(onRemove.mock.calls).toEqual([[0, 3]]);
  becomes(["Look", "Wait", "Go home"], SAVING);
  expect(goals()).toEqual(["Wait", "Go home"]);
  type(goal(2), "Park");
  enter(goal(2));
  expect(onReplace).toHaveBeenCalledWith(1, "Park");
  becomes(["Wait", "Park"], { ...SETTLED, hash: "h2" });
  fireEvent.click(screen.getByTestId("form-goals-1-remove"));
  expect(onRemove).toHaveBeenCalledTimes(2);
});

it("takes no entry for another one because the file has its keys in another order", () => {
  const { onReplace, becomes } = show({ goal: "Look", done_when: "gate = 1" });
  type(goal(1), "Look twice");
  becomes([{ done_when: "gate = 1", goal: "Look" }], { ...SETTLED, hash: "h1" });
  fireEvent.blur(goal(1));
  expect(onReplace).toHaveBeenCalledWith(0, { goal: "Look twice", done_when: "gate = 1" });
});

it("lets a text be typed on while it is on its way", () => {
  const { onReplace, becomes } = show("Look");
  type(goal(1), "Look tw");
  enter(goal(1));
  type(goal(1), "Look twice");
  becomes(["Look tw"], { ...SETTLED, hash: "h1" });
  fireEvent.blur(goal(1));
  expect(onReplace.mock.calls).toEqual([
    [0, "Look tw"],
    [0, "Look twice"],
  ]);
});

it("counts an entry that is on its way when it is removed", () => {
  const { onRemove } = show();
  fireEvent.click(screen.getByTestId("form-goals-add"));
  fireEvent.click(screen.getByTestId("form-goals-1-remove"));
  expect(onRemove.mock.calls).toEqual([[0, 1]]);
});

it("takes an entry that is dropped on a field for an entry, and no file for one", () => {
  const { onMove } = show("Look", "Wait");
  const dataTransfer = { setData: vi.fn(), effectAllowed: "" };
  const isLeft = () => fireEvent.drop(goal(2), { dataTransfer });
  expect(isLeft()).toBe(true);
  fireEvent.dragStart(screen.getByTestId("form-goals-1-move"), { dataTransfer });
  expect(isLeft()).toBe(false);
  expect(onMove.mock.calls).toEqual([[0, 1]]);
});
