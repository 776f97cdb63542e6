import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { HostError } from "../host/host";
import { openStopSheet } from "../host/stop-sheet";
import { type FakeStation, fakeStation } from "../testing/station";
import { causeRow, frame, robotSafety, stop, stopRobot } from "../testing/fixtures";
import { StopRoot } from "./StopRoot";
import { stopNotice } from "../domain/stop/stop-notice";

function show(station: FakeStation) {
  render(<StopRoot host={station.host} store={station.store} />);
  return screen.getByTestId("stop-all");
}

function report(station: FakeStation, reported: ReturnType<typeof stop>) {
  act(() => station.store.applyFrame(frame({ facts: [{ kind: "stop", stop: reported }] }), performance.now()));
}

const stops = (station: FakeStation) => station.asked.filter(({ name }) => name === "stop_all").length;

describe("STOP ALL", () => {
  it("U-602 acts on pointer-down, not on its end", () => {
    const station = fakeStation({ stop_all: {} });
    fireEvent.pointerDown(show(station), { button: 0 });
    expect(stops(station)).toBe(1);
  });

  it.each(["Enter", " "])("U-602 acts on key-down of %j and not on its repeat", (key) => {
    const station = fakeStation({ stop_all: {} });
    const button = show(station);
    fireEvent.keyDown(button, { key });
    fireEvent.keyDown(button, { key, repeat: true });
    expect(stops(station)).toBe(1);
  });

  it("U-603 acts on Ctrl+. before any other handler sees it", () => {
    const station = fakeStation({ stop_all: {} });
    show(station);
    const seen: string[] = [];
    const watch = (event: KeyboardEvent) => seen.push(event.key);
    document.body.addEventListener("keydown", watch);
    fireEvent.keyDown(document.body, { key: ".", ctrlKey: true });
    document.body.removeEventListener("keydown", watch);
    expect([stops(station), seen]).toEqual([1, []]);
  });

  it("U-607 shows what each robot reported, commanded and observed apart", () => {
    const station = fakeStation();
    show(station);
    report(
      station,
      stop(41, [stopRobot("arm-1", { acked_after_ms: 12, speed_mps: 0, standstill: true }), stopRobot("gate-1")]),
    );
    expect(screen.getByTestId("stop-all").textContent).toContain("STOPPING 1/2");
    expect(screen.getByTestId("stop-robot-arm-1").dataset["acked"]).toBe("true");
    expect(screen.getByTestId("stop-robot-gate-1").dataset["acked"]).toBe("false");
    expect(screen.getByTestId("stop-robot-gate-1").textContent).toContain("no motion data");
    expect(screen.getByTestId("stop-panel").textContent).toContain(stopNotice());
  });

  it("U-610 tells what was done since the stop, before anything is released", async () => {
    const done = { at_wall: 1_000, actor: "station", operation: "proposal", outcome: "voided" };
    const station = fakeStation({ list_audit: [done, { ...done, at_wall: 999 }] });
    show(station);
    report(station, stop(41, [stopRobot("arm-1")], { at: 1_000 }));
    const since = screen.getByTestId("since-stop");
    await waitFor(() => expect(since.textContent).toContain("proposal: voided by station"));
    expect(
      since.compareDocumentPosition(screen.getByTestId("release")) & Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy();
  });

  it("U-608 names the hardware E-stop of a robot that did not confirm", () => {
    const station = fakeStation();
    show(station);
    report(station, stop(41, [stopRobot("arm-1", { not_confirmed: true })]));
    expect(screen.getByTestId("stop-all").textContent).toContain("1 NOT CONFIRMED");
    expect(screen.getByTestId("stop-robot-arm-1").textContent).toContain(
      "NOT CONFIRMED – use the hardware E-stop: button on arm-1",
    );
  });

  it("says so when the station did not take the stop", async () => {
    const station = fakeStation({
      stop_all: () => {
        throw new HostError("unreachable", "The station could not be reached.");
      },
    });
    fireEvent.pointerDown(show(station), { button: 0 });
    const panel = await screen.findByTestId("stop-panel");
    expect(await within(panel).findByText(/could not be reached/)).toBeTruthy();
    expect(screen.getByTestId("stop-all").dataset["state"]).toBe("failed");
  });

  it("U-610 offers release only to a role that may, with a reason", () => {
    const station = fakeStation({}, { role: "viewer" });
    show(station);
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 12 })]));
    fireEvent.change(screen.getByTestId("release-reason"), { target: { value: "checked" } });
    expect(screen.getByTestId<HTMLButtonElement>("release").disabled).toBe(true);
    expect(screen.getByTestId("stop-panel").textContent).toContain("Needs Operator");
  });

  it("U-614 a locked desk releases nothing, and says what to do about it", () => {
    const station = fakeStation({}, { locked: true });
    show(station);
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 12 })]));
    fireEvent.change(screen.getByTestId("release-reason"), { target: { value: "checked" } });
    expect(screen.getByTestId<HTMLButtonElement>("release").disabled).toBe(true);
    expect(screen.getByTestId("release").textContent).toContain("This desk is locked. Unlock it to release.");
  });

  it("U-607 names the robots that may move while nobody looks, and counts over all of them", () => {
    const station = fakeStation();
    show(station);
    const facts = [
      robotSafety({ robot: "arm-1", supervision: "unattended" }),
      robotSafety({ robot: "rover-1" }),
      robotSafety({ robot: "rover-2" }),
    ].map((safety) => ({ kind: "robot_safety", safety }) as const);
    act(() => station.store.applyFrame(frame({ facts }), performance.now()));
    const acked = { acked_after_ms: 12 };
    report(station, stop(41, [stopRobot("arm-1", acked), stopRobot("rover-1", acked)]));
    expect(screen.getByTestId("stop-robot-arm-1").textContent).toContain("unattended");
    expect(screen.getByTestId("stop-robot-rover-1").textContent).not.toContain("unattended");
    expect(screen.getByRole("alert").textContent).toBe("2 of 3 stopped");
  });

  it("U-610 keeps a robot out of the release until its other causes have ended, and says what ends them", () => {
    const station = fakeStation();
    show(station);
    const safety = robotSafety({
      robot: "rover-2",
      state: "safe_stop",
      causes: [
        causeRow({ cause: "stop_unconfirmed", clears: "on_disarm", sentence: "The robot did not confirm a stop." }),
      ],
    });
    act(() => station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now()));
    report(
      station,
      stop(41, [stopRobot("arm-1", { acked_after_ms: 12 }), stopRobot("rover-2", { not_confirmed: true })]),
    );
    expect(screen.getByText("Enables commands for arm-1, moves nothing.")).toBeTruthy();
    fireEvent.click(screen.getByTestId("release-choose"));
    expect(
      screen
        .getAllByRole<HTMLInputElement>("checkbox", { name: /^(arm-1|rover-2)(?! is inspected)/ })
        .map(({ checked, disabled }) => [checked, disabled]),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(screen.getByTestId("release-blockers").textContent).toContain(
      "rover-2The robot did not confirm a stop. Inspect the robot, then disarm it.",
    );
    expect(screen.getByText("Open Safety of rover-2").getAttribute("href")).toBe("#/safety/rover-2");
  });

  it("U-610 acknowledges a cause where it stands, with a reason, once it is over", async () => {
    const station = fakeStation({ acknowledge_cause: {}, disarm_robot: {} });
    show(station);
    const told = (present: boolean) => {
      const causes = [
        causeRow({ cause: "breach", clears: "on_acknowledge", present, sentence: "It left its workspace." }),
        causeRow({ cause: "stop_unconfirmed", clears: "on_disarm", present }),
      ];
      act(() =>
        station.store.applyFrame(
          frame({
            facts: [{ kind: "robot_safety", safety: robotSafety({ robot: "arm-1", state: "safe_stop", causes }) }],
          }),
          performance.now(),
        ),
      );
    };
    told(true);
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 12 })]));
    fireEvent.change(screen.getByTestId("stop-reason-arm-1-breach"), { target: { value: "moved back by hand" } });
    expect(screen.getByTestId<HTMLButtonElement>("stop-act-arm-1-breach").disabled).toBe(true);
    told(false);
    fireEvent.click(screen.getByTestId("stop-act-arm-1-breach"));
    fireEvent.click(screen.getByTestId("stop-look-arm-1"));
    fireEvent.click(screen.getByTestId("stop-act-arm-1-stop_unconfirmed"));
    await waitFor(() =>
      expect(
        station.asked
          .filter(({ name }) => name === "acknowledge_cause" || name === "disarm_robot")
          .map(({ input }) => input),
      ).toEqual([
        { robot: "arm-1", cause: "breach", reason: "moved back by hand" },
        { robot: "arm-1", looked: true },
      ]),
    );
  });

  it("is opened without a press, takes the focus, and gives it back on Escape", async () => {
    const station = fakeStation();
    show(station);
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 12 })]));
    fireEvent.keyDown(screen.getByTestId("stop-panel"), { key: "Escape" });
    expect(screen.queryByTestId("stop-panel")).toBeNull();
    const entry = document.body.appendChild(document.createElement("button"));
    entry.focus();
    act(openStopSheet);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("stop-panel")));
    fireEvent.keyDown(screen.getByTestId("stop-panel"), { key: "Escape" });
    expect([screen.queryByTestId("stop-panel"), document.activeElement, stops(station)]).toEqual([null, entry, 0]);
    entry.remove();
  });

  it("steps aside for a page that it leads to", () => {
    const station = fakeStation();
    show(station);
    const safety = robotSafety({ robot: "arm-1", causes: [causeRow({ cause: "breach", clears: "on_acknowledge" })] });
    act(() => station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now()));
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 12 })]));
    fireEvent.click(screen.getByText("Open Safety of arm-1"));
    expect(screen.queryByTestId("stop-panel")).toBeNull();
    report(station, stop(42, [stopRobot("arm-1")]));
    expect(screen.queryByTestId("stop-panel")).toBeNull();
    report(station, stop(43, [stopRobot("rover-1")]));
    expect(screen.queryByTestId("stop-panel")).not.toBeNull();
  });
});
