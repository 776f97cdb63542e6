import { fireEvent, render, screen } from "@testing-library/react";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { expect, it } from "vitest";
import { AdminNav } from "./AdminNav";

function show() {
  const { hook, history } = memoryLocation({ path: "/admin/about", record: true });
  render(
    <Router hook={hook}>
      <AdminNav shown="about" />
    </Router>,
  );
  return { history, links: [...screen.getByTestId("admin-sections").querySelectorAll("a")] };
}

it("U-202 U-1901 a section is a link, marked where it is shown; the list is one stop of Tab", () => {
  const { history, links } = show();
  expect(links.filter(({ tabIndex }) => tabIndex === 0).map(({ textContent }) => textContent)).toEqual(["About"]);
  expect(screen.getByRole("link", { current: "page" }).textContent).toBe("About");
  fireEvent.click(screen.getByRole("link", { name: "Keys" }));
  expect(history.at(-1)).toBe("/admin/keys");
});

it("U-1901 arrows, Home and End go through the sections, and no other key", () => {
  const { links } = show();
  const after = (key: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    return document.activeElement?.textContent;
  };
  links.at(-1)?.focus();
  expect(["ArrowDown", "ArrowUp", "ArrowUp", "Home", "ArrowDown", "a", "End"].map(after)).toEqual([
    "Providers",
    "About",
    "Shortcuts",
    "Providers",
    "Keys",
    "Keys",
    "About",
  ]);
});

it("U-206 the sections are a choice as well, for where there is no room for a list", () => {
  const { history } = show();
  fireEvent.change(screen.getByLabelText("Section"), { target: { value: "audit" } });
  expect(history.at(-1)).toBe("/admin/audit");
});
