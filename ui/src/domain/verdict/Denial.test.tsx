import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { Verdict } from "../../generated/bindings/Verdict";
import { itemRow, robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Denial } from "./Denial";

// jsdom draws no canvas; what a scene holds is tested with its model.
vi.mock("../scene/flat/Scene", () => ({ Scene: () => null }));

// The card reads these fields only; a whole verdict would hide that.
const VERDICT = {
  id: "v-1",
  at_mono_ms: 9_000,
  robot: "arm-1",
  frame: "base_link",
  set_version: 8,
  set_hash: "9f86",
  path_checked: "segment",
  speed_allowed_mps: null,
} as Verdict;
const COMMAND: RawCommand = {
  robot: "arm-1",
  actuator: "arm",
  motion: { pose_goal: { position_m: [2, 0, 1], speed_mps: 0.2 } },
};
const OVER = itemRow("workspace", {
  verdict: "deny",
  predicted: 2,
  margin: -1.09,
  at_path_m: 0.62,
  point_m: [2, 0, 1],
  nearest_allowed_m: [0.91, 0, 1],
});

function show(rows: readonly ItemRow[] = [itemRow("goal_jump"), OVER]) {
  const replanned: string[] = [];
  const station = fakeStation({
    list_robots: [robotRow()],
    list_constraints: [],
    check_command: { verdict: { ...VERDICT, overall: "allow" }, explanation: [], sentence: "" },
  });
  renderWith(
    station,
    <Denial
      sentence="Too far."
      verdict={VERDICT}
      rows={rows}
      command={COMMAND}
      onReplan={(text) => replanned.push(text)}
    />,
  );
  return replanned;
}

describe("U-1604 a denial", () => {
  it("leads to the limit that was violated", () => {
    show();
    expect(screen.getByText("Open limit").getAttribute("href")).toBe("/safety/arm-1/manifest-workspace");
  });

  it("says where it is wrong, by how much, and what would be right", () => {
    show();
    const facts = [...screen.getByTestId("denial-facts").children].map((fact) =>
      [...fact.children].map((part) => part.textContent),
    );
    expect(facts).toEqual([
      ["Worst point", "(2.00, 0.00, 1.00) m"],
      ["Beyond the limit by", "1.09 m"],
      ["First violated", "after 0.62 m of the path"],
      ["Nearest allowed", "(0.910, 0.000, 1.000) m"],
    ]);
  });

  it("lists every limit, the one with the least room first", () => {
    show([itemRow("goal_jump", { margin: 0.9 }), itemRow("max_force", { margin: 0.1 }), OVER]);
    expect([...document.querySelectorAll("tbody tr td:nth-child(2)")].map((cell) => cell.textContent)).toEqual([
      "Workspace",
      "Force",
      "Goal jump",
    ]);
  });

  it("U-1606 is drawn where it has a place", async () => {
    show();
    expect(await screen.findByTestId("denial-scene")).toBeTruthy();
  });

  it("puts a ready sentence into the draft and sends nothing", async () => {
    const replanned = show();
    fireEvent.click(screen.getByTestId("replan"));
    await waitFor(() => expect(replanned).toEqual(["move arm-1 to 0.91 0 1 in base_link at 0.2 m/s"]));
  });

  it("is saved with its inputs", async () => {
    const saved: Blob[] = [];
    vi.stubGlobal("URL", {
      createObjectURL: (blob: Blob) => (saved.push(blob), "blob:case"),
      revokeObjectURL: () => undefined,
    });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    show();
    fireEvent.click(screen.getByTestId("save-case"));
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    const test = JSON.parse((await saved[0]?.text()) ?? "null");
    expect([test.command, test.verdict.id, test.explanation.length, test.set_version, test.set_hash]).toEqual([
      COMMAND,
      "v-1",
      2,
      8,
      "9f86",
    ]);
  });
});
