import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { Notes } from "./Notes";

it("words written while a note is on its way stay", async () => {
  let take: (answer: unknown) => void = () => {};
  const taken = new Promise((resolve) => (take = resolve));
  renderWith(fakeStation({ remember_note: () => taken }), <Notes />);
  const text = screen.getByTestId<HTMLTextAreaElement>("note-text");
  fireEvent.change(text, { target: { value: "The oven is serviced on Mondays." } });
  await act(async () => void fireEvent.click(screen.getByTestId("note-submit")));
  fireEvent.change(text, { target: { value: "The gate opens at 7." } });
  await act(async () => take({ message: "Noted." }));
  expect([text.value, screen.getByTestId("noted").textContent]).toEqual(["The gate opens at 7.", "Noted."]);
});
