import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AgentMode } from "../../generated/bindings/AgentMode";
import { fakeStation, renderWith } from "../../testing/station";
import { AgentStep } from "./AgentStep";

async function show(mode: AgentMode) {
  const model = { name: "small", kind: "language" };
  const station = fakeStation({ list_agents: [{ id: "main", session: "desk", model, mode, running: null }] });
  const { settled } = renderWith(station, <AgentStep onDone={() => undefined} />);
  const before = chosen();
  await settled();
  return { before, after: chosen() };
}
const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>("radio")
    .filter(({ checked }) => checked)
    .map(({ value }) => value);

it("U-1801 an agent's mode is chosen on the cards once it is known", async () => {
  expect(await show("assist")).toEqual({ before: [], after: ["assist"] });
});

it("U-1801 an agent that carries a mission out is not shown as one that asks", async () => {
  expect((await show("run:patrol")).after).toEqual([]);
  expect(screen.getByText(/patrol/u)).toBeTruthy();
});
