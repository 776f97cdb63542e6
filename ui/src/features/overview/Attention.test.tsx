import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SimulatorState } from "../../generated/bindings/SimulatorState";
import { HostError } from "../../host/host";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Attention } from "./Attention";

const show = (simulator: SimulatorState, simulated: boolean, answers: Record<string, unknown> = {}) => {
  const station = fakeStation(
    { list_proposals: [], list_alarms: [], start_simulator: { message: "" }, ...answers },
    { simulator },
  );
  return { station, ...renderWith(station, <Attention robots={[robotRow({ simulated })]} />) };
};

describe("FU-16 a simulator that has ended is started again where its robots are missed", () => {
  it("says what is the matter and starts it", async () => {
    const { station, settled } = show("stopped", true);
    expect(await screen.findByText("The simulator has ended")).toBeTruthy();
    expect(screen.queryByText(/^Nothing\./)).toBeNull();
    fireEvent.click(screen.getByTestId("restart-simulator"));
    await settled();
    expect(station.asked).toContainEqual({ name: "start_simulator", input: { agent: "main" } });
  });

  it("waits while it starts", () => {
    show("starting", true);
    expect(screen.getByTestId<HTMLButtonElement>("restart-simulator").disabled).toBe(true);
  });

  it("says nothing while it runs, nor to robots of their own", () => {
    show("running", true);
    show("stopped", false);
    expect(screen.queryByTestId("restart-simulator")).toBeNull();
  });
});

describe("that nothing waits for the operator", () => {
  it("is said once it is known", async () => {
    const { settled } = show("running", true);
    expect(screen.queryByText(/^Nothing\./)).toBeNull();
    await settled();
    expect(screen.getByText(/^Nothing\./)).toBeTruthy();
  });

  it("is not said of what could not be read; the failure is", async () => {
    const list_proposals = () => {
      throw new HostError("no_answer", "The station did not answer in time.");
    };
    show("running", true, { list_proposals });
    expect(await screen.findByText("The station did not answer in time.")).toBeTruthy();
    expect(screen.queryByText(/^Nothing\./)).toBeNull();
  });
});
