import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MissionChange } from "../../generated/bindings/MissionChange";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionDryRecord } from "../../generated/bindings/MissionDryRecord";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { proposal } from "../../testing/fixtures";
import { DETAIL } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { ProposalCard } from "./ProposalCard";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const change = (sentence: string, role_needed: "operator" | "admin" = "operator"): MissionChange => ({
  key: "goals",
  kind: "added",
  sentence,
  role_needed,
});
const WARNING: MissionProblem = {
  code: "hidden_text",
  severity: "warning",
  line: 4,
  column: 2,
  end_line: 4,
  end_column: 9,
  key: null,
  message: "A comment that no reader sees.",
  help: "",
  related: [],
};
const PATROL: MissionDetail = {
  ...DETAIL,
  activated_hash: null,
  changes: [change("Adds the step north gate: rover-1 to (6, 6, 0)."), change("Adds the robot rover-1.")],
};
const input = { mission_id: "patrol", hash: "h1", accept: [], grant: [], reason: null };

async function show(
  mission: Partial<MissionDetail> | (() => never),
  given: Record<string, unknown> = {},
  compact = false,
) {
  const answer = typeof mission === "function" ? mission : { ...PATROL, ...mission };
  const station = fakeStation({ get_mission: answer, approve_proposal: {} });
  const asks = { operation: "activate_mission", mission: "patrol", robot: null, preview: null, explanation: [] };
  const card = proposal({ ...asks, tier: "medium", agent: "night", input: { ...input, ...given } });
  renderWith(station, <ProposalCard proposal={card} asked_ms={0} compact={compact} />);
  await pass(2_000);
  return station;
}

const meaning = () => screen.getByTestId("activation-meaning").textContent;
const approve = () => screen.getByTestId<HTMLButtonElement>("approve");

describe("ME-13 the card of an activation that an agent proposes", () => {
  it("says what the mission would do, of the agent that asks, before anybody approves it", async () => {
    const station = await show({});
    expect(station.asked.find(({ name }) => name === "get_mission")?.input).toEqual({
      mission_id: "patrol",
      agent: "night",
    });
    expect(meaning()).toContain("Adds the step north gate: rover-1 to (6, 6, 0).");
    fireEvent.click(approve(), { detail: 1 });
    await pass(1);
    expect(station.asked.some(({ name }) => name === "approve_proposal")).toBe(true);
  });

  it("says which warnings it accepts and what it grants besides", async () => {
    const accept = [{ code: "hidden_text", line: 4 }];
    await show({ problems: [WARNING], envelope: ["rover-1 up to 0.2 m/s, 5 times"] }, { accept, grant: [1] });
    expect(screen.getByTestId("activation-card-warnings").textContent).toContain("A comment that no reader sees.");
    expect(screen.getByTestId("activation-card-grants").textContent).toContain("rover-1 up to 0.2 m/s, 5 times");
    expect(approve().disabled).toBe(false);
  });

  it.each<[string, Partial<MissionDetail>, string]>([
    ["another text in the file", { hash: "h2" }, "The file has another text by now"],
    ["a warning that it does not accept", { problems: [WARNING] }, "1 warning is not accepted."],
    ["a change that needs Admin", { role_needed: "admin" }, "This needs Admin."],
    ["a loosened limit without a reason", { reason_needed: true }, "Say why"],
  ])("cannot be approved with %s", async (_, mission, why) => {
    await show(mission);
    expect([approve().disabled, screen.getByTestId("decision").textContent?.includes(why)]).toEqual([true, true]);
  });

  it("MO-20 says whether its dry run still holds", async () => {
    const dry_run: MissionDryRecord = {
      id: "dry-1",
      hash: "h1",
      at_ms: 1,
      ok: true,
      sentence: "Every step would be allowed.",
    };
    await show({ dry_run: { ...dry_run, stale: [{ cause: "limits", robot: "rover-1" }] } });
    expect(meaning()).toContain("Dry run: Every step would be allowed.");
    expect(screen.getByTestId("dry-record-stale").textContent).toBe("rover-1 has other limits since.");
  });

  it("shows no sentence of a text that it is not about", async () => {
    await show({ hash: "h2" });
    expect(meaning()).not.toContain("Adds the step");
  });

  it("cannot be approved while nobody can read what it would do", async () => {
    await show(() => {
      throw new Error("no database");
    });
    expect(approve().disabled).toBe(true);
    expect(meaning()).toContain("cannot be read");
  });

  it("says in the dock how many sentences it leaves out, and leads to the mission of its own agent only", async () => {
    await show({ changes: Array.from({ length: 9 }, (_, at) => change(`Sentence ${at + 1}.`)) }, {}, true);
    expect(meaning()).toContain("Sentence 6.");
    expect(meaning()).toContain("3 more on the page of the mission.");
    expect(screen.queryByTestId("activation-mission")).toBeNull();
  });
});
