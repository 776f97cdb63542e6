import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { say } from "./toast-queue";
import { Toasts } from "./Toasts";

it("a way back that is refused is said in its place, and stays until it is closed", async () => {
  render(<Toasts />);
  act(() => say({ text: "Shift report deleted", undo: async () => "Another file has this name." }));
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Another file has this name.");
  expect(screen.queryByText("Shift report deleted")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByText("Another file has this name.")).toBeNull());
});

it("a way back that fails is said too", async () => {
  render(<Toasts />);
  act(() => say({ text: "Shift report deleted", undo: () => Promise.reject(new Error("connection reset")) }));
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("The station cannot be reached.");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
});
