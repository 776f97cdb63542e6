import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { FormPanel } from "./FormPanel";

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      <textarea aria-label="Message" onChange={() => setOpen(false)} />
      {open && (
        <FormPanel title="Limit" onSubmit={() => setOpen(false)} onClose={() => setOpen(false)}>
          <input aria-label="Speed" />
          <button type="submit">Save</button>
        </FormPanel>
      )}
    </>
  );
}

function opened() {
  render(<Page />);
  screen.getByText("Edit").focus();
  fireEvent.click(screen.getByText("Edit"));
  expect(document.activeElement).toBe(screen.getByLabelText("Speed"));
}

it("gives the focus back to what opened it", () => {
  opened();
  fireEvent.click(screen.getByText("Save"));
  expect(document.activeElement).toBe(screen.getByText("Edit"));
});

it("leaves the focus to somebody who writes elsewhere when it closes", () => {
  opened();
  const message = screen.getByLabelText("Message");
  message.focus();
  fireEvent.change(message, { target: { value: "Why?" } });
  expect([screen.queryByLabelText("Speed"), document.activeElement]).toEqual([null, message]);
});
