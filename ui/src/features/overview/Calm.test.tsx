import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { alarmRow, frame, poseSignal, robotRow, stop, stopRobot } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Calm } from "./Calm";

function show(list_alarms: unknown) {
  const station = fakeStation({ list_alarms });
  const view = renderWith(station, <Calm robots={[robotRow({ link: "live" })]} />);
  const report = (change: Parameters<typeof frame>[0] = {}) =>
    act(() => station.store.applyFrame(frame(change), performance.now()));
  report({ signals: [poseSignal("arm-1", [0, 0, 0])] });
  return { ...view, report };
}

const title = () => screen.getByRole("heading").textContent;

describe("U-804 all normal", () => {
  it("is said once the alarms are known and there are none", async () => {
    const { settled } = show([]);
    expect(title()).toBe("Checking…");
    await settled();
    expect([title(), screen.getByTestId("calm").dataset["calm"]]).toEqual(["All normal", "true"]);
  });

  it("is never said of alarms that could not be read", async () => {
    show(() => {
      throw new HostError("no_answer", "");
    });
    await waitFor(() => expect(title()).toBe("Alarms could not be read"));
    expect(screen.getByTestId("calm").dataset["calm"]).toBe("false");
  });

  it("is never said while a stop is open, whatever state its robots report", async () => {
    const { report, settled } = show([]);
    await settled();
    const robots = [stopRobot("arm-1", { acked_after_ms: null, not_confirmed: true })];
    report({ facts: [{ kind: "stop", stop: stop(1, robots) }] });
    expect(title()).toBe("Stop not confirmed: 1 of 1 robot");
  });

  it("names the alarms", async () => {
    const { settled } = show([alarmRow("a-1")]);
    await settled();
    expect(title()).toBe("1 alarm active");
  });
});
