import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { SetUpRobots } from "./SetUpRobots";

it("U-210 a screen that is empty for want of robots leads to where they are set up", async () => {
  renderWith(fakeStation({ list_robots: () => [] }), <SetUpRobots />);
  fireEvent.click(await screen.findByText("Set up robots"));
  expect(window.location.href).toContain("/overview");
});

it("U-210 a screen that is empty for another reason offers no robots", async () => {
  const { settled } = renderWith(fakeStation({ list_robots: () => [robotRow()] }), <SetUpRobots />);
  await settled();
  expect(screen.queryByText("Set up robots")).toBeNull();
});
