import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { ActivityRibbon } from "./ActivityRibbon";

const QUIET = "No stop, denial, approval or mission";

it("says that it was quiet once the records were read, not before", async () => {
  const record = { seq: 1, at_wall: Date.now() - 60_000, operation: "arm_robot", outcome: "ok", detail: "" };
  const { settled } = renderWith(fakeStation({ list_audit: [record] }), <ActivityRibbon />);
  expect(screen.queryByText(QUIET)).toBeNull();
  await settled();
  expect(screen.getByText(QUIET)).toBeTruthy();
});
