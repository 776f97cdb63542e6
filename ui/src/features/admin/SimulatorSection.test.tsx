import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { SimulatorState } from "../../generated/bindings/SimulatorState";
import { HostError } from "../../host/host";
import { stopNotice } from "../../domain/stop/stop-notice";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { AboutSection } from "./AboutSection";
import { SimulatorSection } from "./SimulatorSection";

async function show(simulator: SimulatorState, answers: Record<string, unknown> = {}) {
  const list_robots = [robotRow({ id: "arm-9", simulated: false }), robotRow({ id: "rover-1", simulated: true })];
  const station = fakeStation({ list_robots, inject_fault: {}, stop_simulator: {}, ...answers }, { simulator });
  const view = renderWith(station, <SimulatorSection />);
  await view.settled();
  return { station, ...view };
}

it("U-1706 FU-20 a fault of a simulated robot begins and ends, and no other robot is offered", async () => {
  const { station, settled } = await show("running");
  expect(screen.queryByText("arm-9")).toBeNull();
  fireEvent.click(screen.getByTestId("begin-drop_link"));
  await settled();
  fireEvent.click(screen.getByTestId("end-drop_link"));
  await settled();
  const input = { target: "rover-1", fault: "drop_link" };
  expect(station.asked.filter(({ name }) => name === "inject_fault").map((ask) => ask.input)).toEqual([
    { ...input, on: true },
    { ...input, on: false },
  ]);
});

it("U-1706 says at the fault why it was refused", async () => {
  const { settled } = await show("running", {
    inject_fault: () => {
      throw new HostError("simulator_stopped", "The simulator does not run.");
    },
  });
  fireEvent.click(screen.getByTestId("begin-nan_sample"));
  await settled();
  const row = screen.getByRole("row", { name: /Invalid pose/ });
  expect(within(row).getByText(/simulator_stopped/)).toBeTruthy();
});

it("FU-16 FU-20 the simulator is ended and started in Admin", async () => {
  const { station, settled } = await show("running");
  fireEvent.click(screen.getByTestId("stop-simulator"));
  await settled();
  expect(station.asked.some(({ name }) => name === "stop_simulator")).toBe(true);
});

it("U-612 FU-20 About carries the notice of STOP ALL word for word, and names program and station", () => {
  renderWith(fakeStation(), <AboutSection />);
  expect(screen.getByTestId("stop-notice").textContent).toBe(stopNotice());
  expect(screen.getByTestId("about").textContent).toContain("0.1.0");
});
