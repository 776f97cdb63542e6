import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionDryRun } from "../../../generated/bindings/MissionDryRun";
import type { MissionDryStep } from "../../../generated/bindings/MissionDryStep";
import type { Verdict } from "../../../generated/bindings/Verdict";
import { itemRow, proposal } from "../../../testing/fixtures";
import { fakeStation, renderWith } from "../../../testing/station";
import { leastRoom } from "./dry-run";
import { DryRun } from "./DryRun";

vi.mock("./DryWays", () => ({ DryWays: () => null }));
vi.mock("../../../domain/proposal/DecisionScene", () => ({
  DecisionScene: ({ later }: { later?: boolean }) => <div data-testid="scene" data-later={later} />,
}));

function motion(overall: "allow" | "deny", start: "measured" | "predicted"): MissionDryStep["motion"] {
  const { preview, explanation } = proposal();
  return {
    robot: "arm-1",
    actuator: "arm",
    verdict: { overall } as Verdict,
    explanation,
    sentence: overall === "allow" ? "Allowed." : "Denied: too near to the press.",
    start,
    preview,
  };
}

function step(goal: number, change: Partial<MissionDryStep>): MissionDryStep {
  return {
    goal,
    text: `step ${goal}`,
    kind: "motion",
    is_reached: true,
    is_denied: false,
    begins_s: 0,
    is_exact: true,
    takes_s: 2,
    parts: ["arm-1/body/arm"],
    locked: null,
    approval: { kind: "asked", tier: "high", tier_rule: "first_motion_since_arming" },
    motion: motion("allow", "measured"),
    ...change,
  };
}

const DRY: MissionDryRun = {
  id: "dry-1",
  mission_id: "across",
  hash: "h1",
  at_ms: 1_772_990_085_000,
  ok: false,
  sentence: "Goal 2 would be denied.",
  outcome: { code: "denied", goal: 2 },
  before: [
    { robot: "arm-1", sentence: "arm-1 is not armed.", why: { code: "blocked", blocker: "state", cause: null } },
  ],
  conflicts: [],
  steps: [
    step(1, {}),
    step(2, { is_denied: true, begins_s: 2, motion: motion("deny", "predicted") }),
    step(3, { kind: "wait", is_reached: false, approval: null, motion: null, takes_s: 5, text: "wait 5 s" }),
  ],
  denied: 1,
  asked: 1,
  takes_s: 9,
  is_exact: true,
  recorded: null,
  basis: [],
};

function show(hash: string, answers: Record<string, unknown>) {
  renderWith(fakeStation(answers), <DryRun mission={{ id: "across", hash } as MissionDetail} />);
}

describe("MO-18 MO-19 dry runs", () => {
  it("is made when it is asked for, and shows a decision, the room and the approval of each step", async () => {
    const run = vi.fn(() => DRY);
    show("h1", { dry_run_mission: run });
    expect(run).not.toHaveBeenCalled();
    fireEvent.click(screen.getByTestId("dry-run-start"));
    expect((await screen.findByTestId("dry-run-outcome")).textContent).toBe("Goal 2 would be denied.");
    expect(run).toHaveBeenCalledTimes(1);
    const row = (goal: number) => screen.getByTestId(`dry-step-${goal}-row`);
    expect(row(1).dataset).toMatchObject({ decision: "allow", reached: "true" });
    expect(row(1).textContent).toContain("Asks, high");
    expect(row(2).dataset).toMatchObject({ decision: "deny", reached: "true" });
    expect(row(3).dataset).toMatchObject({ reached: "false" });
    expect(screen.getByText("arm-1 is not armed.")).toBeTruthy();
    expect(screen.queryByTestId("dry-run-stale")).toBeNull();
  });

  it("opens a step with its scene as it would be then, and every limit", async () => {
    show("h1", { dry_run_mission: DRY });
    fireEvent.click(screen.getByTestId("dry-run-start"));
    fireEvent.click(await screen.findByTestId("dry-step-2-open"));
    const open = screen.getByTestId("dry-step-2");
    expect(open.textContent).toContain("Denied: too near to the press.");
    expect(screen.getByTestId("scene").dataset["later"]).toBe("true");
    fireEvent.click(screen.getByTestId("dry-step-2-open"));
    expect(screen.queryByTestId("dry-step-2")).toBeNull();
  });

  it("ML-24 says of a step that the activation approves it, and that no card waits", async () => {
    const approval = { kind: "activation", tier: "medium", tier_rule: "well_inside_limits" } as const;
    show("h1", { dry_run_mission: { ...DRY, steps: [step(1, { approval })], asked: 0 } });
    fireEvent.click(screen.getByTestId("dry-run-start"));
    expect((await screen.findByTestId("dry-step-1-row")).textContent).toContain("Activation");
    fireEvent.click(screen.getByTestId("dry-step-1-open"));
    expect(screen.getByTestId("dry-step-1").textContent).toContain("No card waits for it.");
  });

  it("MO-20 says that the limits of a robot are other ones by now, as the station tells", async () => {
    const stale = [{ cause: "limits", robot: "arm-1" }];
    const mission = { id: "across", hash: "h1", dry_run: { ...DRY, stale } } as unknown as MissionDetail;
    renderWith(fakeStation({ dry_run_mission: DRY }), <DryRun mission={mission} />);
    fireEvent.click(screen.getByTestId("dry-run-start"));
    expect((await screen.findByTestId("dry-run-stale")).textContent).toBe("arm-1 has other limits since.");
  });

  it("says that the file is another one by now", async () => {
    show("h2", { dry_run_mission: DRY });
    fireEvent.click(screen.getByTestId("dry-run-start"));
    await waitFor(() => expect(screen.getByTestId("dry-run-stale")).toBeTruthy());
  });

  it("shows the recorded commands that would be decided otherwise, each on the scene of its moment", async () => {
    const turned = motion("deny", "measured");
    if (turned === null) throw new Error("a motion");
    const recorded = { commands: 312, to_deny: 2, to_allow: 0, changed: [{ at_ms: DRY.at_ms, motion: turned }] };
    const asked: unknown[] = [];
    const run = (input: unknown) => {
      asked.push(input);
      return { ...DRY, recorded };
    };
    show("h1", { dry_run_mission: run });
    fireEvent.click(screen.getByTestId("dry-run-start"));
    const section = await screen.findByTestId("dry-run-recorded");
    expect(asked).toMatchObject([{ recorded: true }]);
    expect(section.textContent).toContain("312 recorded commands");
    expect(section.textContent).toContain("2 that were allowed would be denied");
    expect(section.textContent).toContain("1 more is not listed.");
    fireEvent.click(screen.getByTestId("dry-recorded-1-open"));
    expect(screen.getByTestId("dry-recorded-1").textContent).toContain("Denied: too near to the press.");
    expect(screen.getByTestId("scene").dataset["later"]).toBe("true");
  });

  it("says that nothing is on record to try the limits on", async () => {
    show("h1", { dry_run_mission: { ...DRY, recorded: { commands: 0, to_deny: 0, to_allow: 0, changed: [] } } });
    fireEvent.click(screen.getByTestId("dry-run-start"));
    expect((await screen.findByTestId("dry-run-recorded")).textContent).toContain("No command of the last 24 hours");
  });

  it("draws a violated limit beyond its end, and the tightest one of the others", () => {
    const held = itemRow("max_velocity", { constraint: "v", limit: 1, predicted: 0.5, margin: 0.5 });
    const broken = itemRow("max_force", { constraint: "f", limit: 10, predicted: 10, margin: 0, verdict: "deny" });
    expect(leastRoom([held])?.used).toBe(0.5);
    expect(leastRoom([held, broken])?.used).toBeGreaterThan(1);
    expect(leastRoom([])).toBeNull();
  });
});
