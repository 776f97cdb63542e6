import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AlarmRow } from "../generated/bindings/AlarmRow";
import { alarmRow } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { AlarmBadge, AlarmSpoken } from "./AlarmBadge";

function show(alarms: readonly AlarmRow[]) {
  renderWith(
    fakeStation(),
    <>
      <AlarmBadge alarms={alarms} />
      <AlarmSpoken alarms={alarms} />
    </>,
  );
  return [screen.queryByTestId("alarm-badge")?.textContent ?? null, screen.getByRole("alert").textContent];
}

describe("U-1305 the worst alarm in the top bar", () => {
  const low = alarmRow("am-3", { priority: 4, message: "Model offline" });
  it("is named with how many more there are, and spoken", () =>
    expect(show([alarmRow("am-1", { message: "Smoke" }), low])).toEqual([
      "2priority 2, highSmoke+1",
      "Alarm, priority 2, high: Smoke",
    ]));
  it("has its whole title as a tip, of which two lines are in sight", () => {
    const message = "Die Temperatur des Ofens ist höher als vorgesehen, und niemand hat ihn ausgeschaltet";
    show([alarmRow("am-1", { message })]);
    expect(screen.getByTestId("alarm-badge").title).toContain(message);
  });
  it("is not spoken if it is not urgent", () => expect(show([low])).toEqual(["4priority 4, lowModel offline", ""]));
  it("is none once somebody saw all", () =>
    expect(show([alarmRow("am-1", { state: "ack_active" })])).toEqual([null, ""]));
});
