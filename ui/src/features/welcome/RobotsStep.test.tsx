import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { RobotsStep } from "./RobotsStep";

it("U-210 a station that listens nowhere itself says so", async () => {
  const station = fakeStation({ list_robots: [] }, { zenoh_endpoints: [] });
  const { settled } = renderWith(station, <RobotsStep onDone={() => undefined} />);
  await settled();
  fireEvent.click(screen.getByLabelText("On my network"));
  expect(screen.getByText("none")).toBeTruthy();
});
