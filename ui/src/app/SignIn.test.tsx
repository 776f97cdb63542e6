import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { SignIn } from "./SignIn";

it("says that the last token was refused, and takes another", () => {
  const onToken = vi.fn();
  render(<SignIn refused onToken={onToken} />);
  const field = screen.getByLabelText("Token");
  const alert = screen.getByRole("alert");
  const about = () => field.getAttribute("aria-describedby");
  expect(alert.textContent).toContain("refuses the token");
  expect([field.getAttribute("aria-invalid"), about()]).toEqual(["true", `${alert.id} token-hint`]);
  fireEvent.change(field, { target: { value: " fresh " } });
  expect([field.getAttribute("aria-invalid"), about()]).toEqual(["false", "token-hint"]);
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(onToken).toHaveBeenCalledExactlyOnceWith("fresh");
});

it("says nothing of a refusal at the first visit", () => {
  render(<SignIn refused={false} onToken={() => undefined} />);
  expect(screen.queryByRole("alert")).toBeNull();
});
