import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Verdict } from "../../bindings/Verdict";
import { itemRow } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { Denial } from "./Denial";

// The card reads these fields only; a whole verdict would hide that.
const VERDICT = { robot: "arm-1", frame: "base_link", set_version: 8, path_checked: "segment" } as Verdict;

it("U-1604 a denial leads to the limits of its robot", () => {
  renderWith(fakeStation(), <Denial sentence="Too fast." verdict={VERDICT} rows={[itemRow("max_velocity", { verdict: "deny" })]} />);
  expect(screen.getByText("Open limit").getAttribute("href")).toBe("/safety/arm-1");
});
