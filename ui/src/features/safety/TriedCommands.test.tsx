import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ConstraintPreview } from "../../generated/bindings/ConstraintPreview";
import { TriedCommands } from "./TriedCommands";

it("a recorded command is told with its day: the last day is today and yesterday", () => {
  const row = {
    robot: "arm-1",
    command: "c-1",
    at: 1_772_990_120,
    sentence: "Denied.",
    verdict: { overall: "deny", items: [] },
  };
  const preview = {
    recorded: 1,
    deny_to_allow: [row],
    deny_to_allow_total: 1,
    allow_to_deny: [],
    allow_to_deny_total: 0,
  } as unknown as ConstraintPreview;
  render(<TriedCommands preview={preview} />);
  expect(screen.getByRole("listitem", { hidden: true }).textContent).toMatch(/Mar.*2026/u);
});
