import { fireEvent, screen, waitFor } from "@testing-library/react";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { describe, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionGoal } from "../../generated/bindings/MissionGoal";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { HostError } from "../../host/host";
import type { NamedText } from "../../design/editor/TextCompare";
import type { Role } from "../../generated/bindings/Role";
import { DETAIL, GRAPH, LIVE, NO_PAST } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

// The library of the graph measures, which a page without a layout cannot; the browser tests have it.
vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

const WARNING: MissionProblem = {
  code: "no_effect",
  severity: "warning",
  line: 2,
  column: 5,
  end_line: 2,
  end_column: 9,
  key: "constraints[0]",
  message: "This limit is looser than one that binds already.",
  help: "Make it stricter, or remove it.",
  related: [],
};
const goal = (values: Partial<MissionGoal>): MissionGoal => ({
  text: "",
  state: "pending",
  since_ms: 1_772_990_000_000,
  proposal: null,
  detail: null,
  may_tick: false,
  ...values,
});
const HALTED = { message: "Mission patrol paused", changed: true, live: LIVE, still_moving: ["rover-1"] };

vi.mock("../../design/editor/TextCompare", () => ({
  TextCompare: ({ before, after }: Record<"before" | "after", NamedText>) => (
    <p>{[before.label, before.text, after.label, after.text].join("|")}</p>
  ),
}));

let settle: () => Promise<void>;

async function show({
  at = "/missions/patrol",
  role = "operator",
  detail = {},
  answers = {},
}: { at?: string; role?: Role; detail?: Partial<MissionDetail>; answers?: Record<string, unknown> } = {}) {
  const station = fakeStation(
    {
      mission_graph: GRAPH,
      mission_history: NO_PAST,
      get_mission: { ...DETAIL, ...detail },
      activate_mission: { message: "Mission patrol activated", activation_id: "a-1", state: "checking", reason: null },
      pause_mission: HALTED,
      resume_mission: { message: "Mission patrol resumed", changed: true, state: "active", reason: null },
      complete_mission: { message: "Goal 3 of mission patrol done", changed: true, state: "active", reason: null },
      cancel_mission: HALTED,
      pause_all_missions: { paused: ["patrol"] },
      ...answers,
    },
    { role },
  );
  const { hook } = memoryLocation({ path: at });
  ({ settled: settle } = renderWith(
    station,
    <Router hook={hook}>
      <Route path="/missions/:id?/:tab?">{({ id, tab }) => <Missions id={id} tab={tab} />}</Route>
    </Router>,
  ));
  await settle();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { asked };
}

const press = async (testId: string) => {
  fireEvent.click(screen.getByTestId(testId), { detail: 0 });
  await settle();
};

/** Presses the act of the dialog, once it takes a click. */
const confirm = async () => {
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("activation-yes").disabled).toBe(false));
  fireEvent.click(screen.getByTestId("activation-yes"), { detail: 1 });
  await settle();
};

describe("K-03 the budget of a mission", () => {
  const budget = { spent_microusd: 2_000_450, unknown_calls: 1, limit_microusd: 2_000_000 };

  it("is shown with what was spent of it, and a person adds to it", async () => {
    const { asked } = await show({ detail: { budget }, answers: { add_budget: {} } });
    const shown = screen.getByTestId("mission-budget").textContent;
    expect(shown).toContain("$2.00 of $2.00");
    expect(shown).toContain("1 call");
    await press("mission-budget-add");
    expect(asked("add_budget")).toEqual([{ meter: "mission", mission_id: "patrol", usd: 1, agent: "main" }]);
  });

  it("is not there for a mission without one, and a Viewer adds nothing", async () => {
    await show();
    expect(screen.queryByTestId("mission-budget")).toBeNull();
    await show({ role: "viewer", detail: { budget } });
    expect(screen.getByTestId<HTMLButtonElement>("mission-budget-add").disabled).toBe(true);
  });
});

describe("ME-13 the activation", () => {
  const changed: Partial<MissionDetail> = {
    status: "draft",
    state: "draft",
    problems: [WARNING],
    changes: [
      { key: "constraints", kind: "loosened", sentence: "Loosens a limit on rover-1.", role_needed: "admin" },
      { key: "goals", kind: "added", sentence: "Adds goal 1: <b>look</b>.", role_needed: "operator" },
    ],
    role_needed: "admin",
    reason_needed: true,
  };

  it("ML-25 has a box that nobody has ticked for each standing approval that the mission asks for", async () => {
    const envelope = ["5 motions of rover-1/base in 2 h", "1 motions of rover-1/base in 1 h"];
    const { asked } = await show({ detail: { status: "draft", state: "draft", envelope } });
    await press("activate_mission");
    expect(screen.getByTestId("activation-envelope").textContent).toContain("Grant 5 motions of rover-1/base in 2 h");
    expect(screen.getByTestId<HTMLInputElement>("grant-1").checked).toBe(false);
    await confirm();
    await press("activate_mission");
    fireEvent.click(screen.getByTestId("grant-2"));
    await confirm();
    expect(asked("activate_mission")).toEqual([
      { mission_id: "patrol", hash: "h1", agent: "main" },
      { mission_id: "patrol", hash: "h1", grant: [2], agent: "main" },
    ]);
  });

  it("tells what changes, and takes a box for each warning and a reason", async () => {
    const { asked } = await show({ role: "admin", detail: changed });
    await press("activate_mission");
    expect(screen.getByTestId("activation-changes").textContent).toContain(
      "loosened Loosens a limit on rover-1. (Admin)",
    );
    expect(screen.getByTestId("activation").querySelector("b")).toBeNull();
    expect(screen.getByTestId<HTMLButtonElement>("activation-yes").disabled).toBe(true);
    fireEvent.click(screen.getByTestId("accept-no_effect-2"));
    expect(screen.getByTestId("activation-closed").textContent).toBe("Say why: a limit is loosened or removed.");
    fireEvent.change(screen.getByTestId("activation-reason"), { target: { value: "new tool" } });
    await confirm();
    expect(asked("activate_mission")).toEqual([
      { mission_id: "patrol", hash: "h1", accept: [{ code: "no_effect", line: 2 }], reason: "new tool", agent: "main" },
    ]);
  });

  it("shows the text beside the one that runs, before anybody agrees", async () => {
    await show({ role: "admin", detail: { ...changed, activated_hash: "h0", activated_source: "# old" } });
    await press("activate_mission");
    const { textContent } = screen.getByTestId("activation-text");
    expect(textContent).toContain("Active version|# old|Text of patrol.md|");
    expect(textContent).toContain(DETAIL.source);
  });

  it("ME-09 shows a problem with its place, which leads to the line of the text", async () => {
    await show({ detail: { ...changed, problems: [{ ...WARNING, severity: "error" }] } });
    expect(screen.getByTestId<HTMLButtonElement>("activate_mission").disabled).toBe(true);
    fireEvent.click(screen.getByText("2:5"));
    await settle();
    expect(document.activeElement?.textContent).toBe("id: patrol\n");
    fireEvent.click(screen.getByRole("tab", { name: "Compiled" }));
    expect(screen.getByTestId("mission-meaning").textContent).toBe("Robot: rover-1.");
  });
});

describe("U-1009 one mission", () => {
  it("shows its text as it is, what it waits for, what of it lives and what it may command", async () => {
    await show();
    expect([
      screen.getByTestId("mission-depends").textContent,
      screen.getByTestId("mission-reason-now").textContent?.startsWith("Waiting: calibrate-arm"),
    ]).toEqual(["Comes after calibrate-arm (paused)", true]);
    for (const part of ["rover-1", "1 context, 2 rules, 1 job, 0 open commands", "by dana"])
      expect(screen.getByTestId("mission-facts").textContent).toContain(part);
    fireEvent.click(screen.getByRole("tab", { name: "Text" }));
    expect([
      screen.getByTestId("mission-text").textContent,
      document.querySelector("[data-testid=mission-text] b"),
    ]).toEqual([DETAIL.source, null]);
  });

  it("shows the text that runs beside a file that is another by now", async () => {
    await show({
      at: "/missions/patrol/text",
      detail: { flags: ["draft"], activated_source: "# old", activated_hash: "h0" },
    });
    expect([
      screen.getByTestId("mission-running-text").textContent,
      screen.getByTestId("activate_mission").tagName,
    ]).toEqual(["# old", "BUTTON"]);
  });

  it("ATT-02 says what the file hides, before anybody activates it", async () => {
    await show({
      detail: {
        hidden: [
          { line: 3, kind: "direction", text: "U+202E" },
          { line: 7, kind: "comment", text: "loosen the limits" },
        ],
      },
    });
    const { textContent } = screen.getByTestId("mission-hidden");
    expect(textContent).toContain("at 2 places");
    expect(textContent).toContain("line 3, reversed reading direction: U+202E");
    expect(textContent).toContain("line 7, a comment: loosen the limits");
  });

  it("is answered where it asks before it goes live", async () => {
    const { asked } = await show({ detail: { state: "checking", flags: ["asks"], answers: ["start", "check_again"] } });
    await press("check_again");
    expect(asked("resume_mission")).toEqual([{ mission_id: "patrol", answer: "check_again", agent: "main" }]);
  });

  it("activates exactly the text that was shown, with the reason", async () => {
    const { asked } = await show({ detail: { status: "draft", state: "draft" } });
    await press("activate_mission");
    fireEvent.change(screen.getByTestId("activation-reason"), { target: { value: " night shift " } });
    await confirm();
    expect(asked("activate_mission")).toEqual([
      { mission_id: "patrol", hash: "h1", reason: "night shift", agent: "main" },
    ]);
    expect(screen.getByTestId("mission-said").textContent).toBe("Mission patrol activated");
  });

  it("U-1010 shows the station's answer, and which robots still move", async () => {
    await show();
    await press("pause_mission");
    expect(screen.getByTestId("mission-said").textContent).toBe("Mission patrol paused Still moving: rover-1.");
  });

  it("ml_17 is answered where a goal has no clear end, and shows its goals with the card and the tick", async () => {
    const goals: MissionGoal[] = [
      goal({ text: "north gate", state: "done" }),
      goal({ text: "home", state: "proposed", proposal: "pr-1" }),
      goal({ text: "“Look”", state: "current", may_tick: true, detail: "nobody was there <b>" }),
    ];
    const { asked } = await show({ detail: { goals, answers: ["repeat_step", "step_done"] } });
    expect(screen.getByTestId("mission-goals").textContent).toContain("nobody was there <b>");
    expect(screen.getByTestId("goal-card-2").getAttribute("href")).toBe("/approvals/pr-1");
    await press("goal-done-3");
    expect(asked("complete_mission")).toEqual([{ mission_id: "patrol", goal: 3, agent: "main" }]);
    await press("step_done");
    expect(asked("resume_mission")).toEqual([{ mission_id: "patrol", answer: "step_done", agent: "main" }]);
    expect(screen.queryByTestId("step_failed")).toBeNull();
  });

  it("U-1010 cancel asks once, because it is final", async () => {
    const { asked } = await show({ role: "admin" });
    await press("cancel_mission");
    expect([asked("cancel_mission"), screen.getByTestId("mission-end-yes").tagName]).toEqual([[], "BUTTON"]);
  });

  it("U-1010 an Operator calls it done, asked once", async () => {
    const { asked } = await show();
    await press("complete_mission");
    expect([asked("complete_mission"), screen.getByTestId("mission-end-yes").textContent]).toEqual([
      [],
      "Complete missionClick, or hold Space",
    ]);
  });

  it("U-107 is closed to an Operator where it needs Admin, with the reason", async () => {
    await show();
    expect([
      screen.getByTestId<HTMLButtonElement>("cancel_mission").disabled,
      screen.getByText("Cancelling needs Admin.").tagName,
    ]).toEqual([true, "SPAN"]);
  });

  it("says why the station refuses", async () => {
    const refused = () => {
      throw new HostError("hash_changed", "The file is another now.", null, 409);
    };
    await show({ detail: { status: "draft" }, answers: { activate_mission: refused } });
    await press("activate_mission");
    await confirm();
    expect(screen.getByText("code hash_changed")).toBeTruthy();
  });
});
