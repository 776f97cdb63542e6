import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ScanReport } from "../../../generated/bindings/ScanReport";
import { later } from "../../../testing/later";
import { fakeStation, renderWith } from "../../../testing/station";
import { FindRobot } from "./FindRobot";

const cancelled = ({ asked }: ReturnType<typeof fakeStation>) => asked.some(({ name }) => name === "cancel_scan");

function show() {
  const report = later<ScanReport>();
  const station = fakeStation({ scan_robots: () => report.promise, cancel_scan: {} }, { role: "admin" });
  return { station, report, ...renderWith(station, <FindRobot />) };
}

it("a scan ends with the page that shows it", async () => {
  const { station, unmount } = show();
  await act(async () => void fireEvent.click(screen.getByTestId("scan-start")));
  expect(await screen.findByTestId("scan-cancel")).toBeTruthy();
  unmount();
  expect(cancelled(station)).toBe(true);
});

it("a page whose scan is over cancels none, which may be that of another desk", async () => {
  const { station, report, settled, unmount } = show();
  await act(async () => void fireEvent.click(screen.getByTestId("scan-start")));
  report.resolve({ finds: [], finds_left_out: 0, places: [] });
  await settled();
  unmount();
  expect(cancelled(station)).toBe(false);
});
