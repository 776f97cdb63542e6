import { act, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { frame, stop, stopRobot } from "../testing/fixtures";
import { type FakeStation, fakeStation } from "../testing/station";
import { StopWindow } from "./StopWindow";

function show(station: FakeStation) {
  render(<StopWindow host={station.host} store={station.store} />);
  return screen.getByTestId("stop-all");
}

describe("U-604 the small stop window", () => {
  it("acts on pointer-down and shows what the robots answered", () => {
    const station = fakeStation({ stop_all: {} });
    const button = show(station);
    fireEvent.pointerDown(button, { button: 0 });
    const stopped = stop(41, [stopRobot("arm-1", { acked_after_ms: 12 })]);
    act(() => station.store.applyFrame(frame({ facts: [{ kind: "stop", stop: stopped }] }), performance.now()));
    expect([station.asked.map(({ name }) => name), button.dataset["state"]]).toEqual([["stop_all"], "stopped"]);
  });

  it("stops on the keys of STOP ALL", () => {
    const station = fakeStation({ stop_all: {} });
    show(station);
    fireEvent.keyDown(document.body, { key: ".", ctrlKey: true });
    expect(station.asked.map(({ name }) => name)).toEqual(["stop_all"]);
  });

  it("offers nothing but STOP ALL", () => {
    show(fakeStation());
    expect(screen.getAllByRole("button")).toHaveLength(1);
  });
});
