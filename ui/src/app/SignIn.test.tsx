import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { SignIn } from "./SignIn";

it("says that the last token was refused, and takes another", () => {
  const onToken = vi.fn();
  render(<SignIn refused onToken={onToken} />);
  const field = screen.getByLabelText("Token");
  const alert = screen.getByRole("alert");
  expect([alert.textContent?.includes("refuses the token"), field.getAttribute("aria-describedby")]).toEqual([
    true,
    alert.id,
  ]);
  fireEvent.change(field, { target: { value: " fresh " } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(onToken).toHaveBeenCalledExactlyOnceWith("fresh");
});

it("says nothing of a refusal at the first visit", () => {
  render(<SignIn refused={false} onToken={() => undefined} />);
  expect(screen.queryByRole("alert")).toBeNull();
});
