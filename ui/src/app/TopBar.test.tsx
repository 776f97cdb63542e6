import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../host/host";
import { alarmRow } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { TopBar } from "./TopBar";

const refuse = () => {
  throw new HostError("bad_answer", "The station answered with status 500.");
};

it("does not take lists that could not be read for empty ones", async () => {
  const station = fakeStation({ list_robots: [], list_proposals: refuse, list_alarms: refuse });
  const { settled } = renderWith(station, <TopBar />);
  await settled();
  expect([screen.queryByText("0 approvals"), screen.queryByText("Alarms not known") !== null]).toEqual([null, true]);
});

it("counts what was read, and says nothing of alarms that are not there", async () => {
  const station = fakeStation({ list_robots: [], list_proposals: [], list_alarms: [] });
  const { settled } = renderWith(station, <TopBar />);
  await settled();
  expect([screen.queryByText("0 approvals") !== null, screen.queryByText("Alarms not known")]).toEqual([true, null]);
});

it("speaks an alarm from outside of what one column takes off the screen", async () => {
  const station = fakeStation({
    list_robots: [],
    list_proposals: [],
    list_alarms: [alarmRow("am-1", { message: "Smoke" })],
  });
  const { settled } = renderWith(station, <TopBar />);
  await settled();
  const spoken = screen.getByRole("alert");
  expect([spoken.textContent?.includes("Smoke"), spoken.parentElement]).toEqual([true, screen.getByRole("banner")]);
});
