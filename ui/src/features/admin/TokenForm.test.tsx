import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { TokenCreated } from "../../generated/bindings/TokenCreated";
import { fakeStation, renderWith } from "../../testing/station";
import { TokenForm } from "./TokenForm";

const created = (number: number): TokenCreated => ({
  token: `qd_${number}_secret`,
  row: {
    id: `t-${number}`,
    label: `Tablet ${number}`,
    kind: "person",
    role: "operator",
    only_stops: false,
    made_by: "dana",
    made_ms: 1,
    expires_ms: 2,
    expired: false,
    used_ms: null,
  },
});

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)));
const write = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });
const made = () => screen.queryByTestId("token-made")?.textContent ?? null;

function show() {
  let number = 0;
  const station = fakeStation({ create_token: () => created((number += 1)) }, { role: "admin" });
  renderWith(station, <TokenForm />);
  return station;
}

async function make() {
  write(screen.getByTestId("token-label"), "Tablet");
  await press("token-make");
}

afterEach(() => vi.unstubAllGlobals());

it("a second token is not said to be copied because the first one was", async () => {
  const copied: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  show();
  await make();
  await press("token-copy");
  expect([copied, screen.getByTestId("token-copy").textContent]).toEqual([["qd_1_secret"], "Copied"]);
  await make();
  expect(screen.getByTestId("token-text").textContent).toBe("qd_2_secret");
  expect(screen.getByTestId("token-copy").textContent).toBe("Copy token");
});

it("a token that could not be copied says so, also where a page has no clipboard", async () => {
  vi.stubGlobal("navigator", {});
  show();
  await make();
  await press("token-copy");
  expect(made()).toContain("Copying failed. Select the text and copy it yourself.");
});

it.each([
  ["the desk is locked", { locked: true }],
  ["nobody acts as Admin any more", { role: "operator" }],
] as const)("a token leaves the screen once %s, and does not come back", async (_, change) => {
  const { store } = show();
  await make();
  const { session } = store;
  if (session === null) throw new Error("nobody is signed in");
  await act(async () => store.applySession({ ...session, ...change }));
  expect(made()).toBeNull();
  await act(async () => store.applySession(session));
  expect(document.documentElement.outerHTML).not.toContain("qd_1_secret");
});

it("a token is valid for the whole days that were typed, and for nothing near them", async () => {
  const { asked } = show();
  write(screen.getByTestId("token-label"), "Tablet");
  write(screen.getByLabelText("Valid for"), "1.5");
  expect(screen.getByTestId<HTMLButtonElement>("token-make").disabled).toBe(true);
  expect(screen.getByText("A whole number of days.")).toBeTruthy();
  write(screen.getByLabelText("Valid for"), "2");
  await press("token-make");
  expect(asked.map(({ input }) => input)).toMatchObject([{ days: 2 }]);
});
