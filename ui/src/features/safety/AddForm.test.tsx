import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { AddForm } from "./AddForm";

// jsdom draws no canvas.
vi.mock("./DraftScene", () => ({ DraftScene: () => null }));

it("U-1610 numbers that another kind of limit took away come back", () => {
  renderWith(
    fakeStation({}, { role: "admin" }),
    <AddForm robot={robotRow()} drawn={null} onClose={() => undefined} onDone={() => undefined} />,
  );
  const kind = screen.getByLabelText<HTMLSelectElement>("Kind");
  const undo = screen.getByTestId<HTMLButtonElement>("undo-edit");
  expect(undo.disabled).toBe(true);
  fireEvent.change(kind, { target: { value: "forbidden_zone" } });
  const radius = () => screen.queryByRole<HTMLInputElement>("textbox", { name: "Radius" });
  fireEvent.change(radius() as HTMLInputElement, { target: { value: "0.25" } });
  fireEvent.change(kind, { target: { value: "max_velocity" } });
  expect(radius()).toBeNull();
  fireEvent.click(undo);
  expect([kind.value, radius()?.value]).toEqual(["forbidden_zone", "0.25"]);
});
