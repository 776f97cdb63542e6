import { expect, it } from "vitest";
import type { CommandOutcome } from "../../generated/bindings/CommandOutcome";
import { itemRow, proposal } from "../../testing/fixtures";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { EditDenied } from "./EditDenied";
import { numbersIn } from "./input-numbers";

const OUTCOME = {
  state: "denied",
  sentence: "Denied: too fast.",
  verdict: { ...proposal().verdict, overall: "deny", violations_total: 1 },
  explanation: [itemRow("max_velocity", { verdict: "deny", limit: 0.2, predicted: 0.5, margin: -0.3, unit: "mps" })],
} as unknown as CommandOutcome;

inGerman();

it("U-2006 a denial of edited numbers, and the numbers, are in the language of the window", () => {
  const { container } = renderWith(fakeStation(), <EditDenied outcome={OUTCOME} />);
  expect(container.textContent).not.toContain("Denied: too fast.");
  expect(container.textContent).toContain("Die Karte wartet unverändert.");
  expect(numbersIn({ motion: { pose_goal: { position_m: [1], speed_mps: 1 } } }).map(({ label }) => label)).toEqual([
    "Position x",
    "Geschwindigkeit",
  ]);
});
