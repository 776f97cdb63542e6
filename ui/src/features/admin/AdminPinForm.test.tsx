import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { AdminPinForm } from "./AdminPinForm";

const refused = () => {
  throw new HostError("forbidden", "Not now.", null, 403);
};
const press = (testId: string) =>
  act(async () => {
    screen.getByTestId(testId).focus();
    fireEvent.click(screen.getByTestId(testId));
  });

function show(answers: Record<string, unknown>) {
  const station = fakeStation(answers, { role: "admin", has_admin_pin: true });
  renderWith(station, <AdminPinForm />);
  return station;
}

it("a PIN that was set is not said to be set beside the refusal of its removal", async () => {
  show({ set_admin_pin: {}, remove_admin_pin: refused });
  fireEvent.change(screen.getByTestId("pin-new"), { target: { value: "correct-horse" } });
  await press("pin-set");
  expect(screen.getByText("The PIN is set.")).toBeTruthy();
  await press("pin-remove");
  await press("pin-remove-yes");
  expect(await screen.findByText(/Not now/)).toBeTruthy();
  expect(screen.queryByText("The PIN is set.")).toBeNull();
});

it("the refusal of a PIN goes once the PIN is removed", async () => {
  show({ set_admin_pin: refused, remove_admin_pin: {} });
  fireEvent.change(screen.getByTestId("pin-new"), { target: { value: "correct-horse" } });
  await press("pin-set");
  expect(screen.getByText(/Not now/)).toBeTruthy();
  await press("pin-remove");
  await press("pin-remove-yes");
  await waitFor(() => expect(screen.getByText("A PIN is no longer asked for.")).toBeTruthy());
  expect(screen.queryByText(/Not now/)).toBeNull();
});

it("without a PIN the field is pointed at, and nothing is sent", async () => {
  const { asked } = show({ set_admin_pin: {} });
  await press("pin-set");
  expect([asked, document.activeElement]).toEqual([[], screen.getByTestId("pin-new")]);
});

it("a PIN is not removed by one press", async () => {
  const { asked } = show({ remove_admin_pin: {} });
  await press("pin-remove");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cancel" }));
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([asked, screen.queryByTestId("pin-remove-yes")]).toEqual([[], null]);
});
