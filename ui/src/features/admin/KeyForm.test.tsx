import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { KeyForm } from "./KeyForm";

const press = () => act(async () => void fireEvent.click(screen.getByTestId("key-save")));

function show() {
  const station = fakeStation({ set_secret: {} }, { role: "admin" });
  renderWith(station, <KeyForm />);
  fireEvent.change(screen.getByTestId("key-name"), { target: { value: "box" } });
  return station;
}

it("a key for this session is not said to be saved", async () => {
  show();
  fireEvent.change(screen.getByTestId("key-value"), { target: { value: "sk-12345678" } });
  fireEvent.click(screen.getByTestId("key-session-only"));
  await press();
  expect(screen.getByTestId("key-kept").textContent).toBe("Key box is kept until the station ends, and saved nowhere.");
});

it("without a key the field is pointed at, and nothing is sent", async () => {
  const { asked } = show();
  await press();
  expect([asked, document.activeElement]).toEqual([[], screen.getByTestId("key-value")]);
});
