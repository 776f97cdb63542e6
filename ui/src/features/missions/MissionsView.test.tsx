import { act, fireEvent, screen } from "@testing-library/react";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { describe, expect, it, vi } from "vitest";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { toasts } from "../../design/components/toast-queue";
import { TagInvalidator } from "../../host/query";
import { DETAIL, GRAPH, NODE } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

async function show(answers: Record<string, unknown> = {}) {
  const station = fakeStation({
    mission_graph: GRAPH,
    get_mission: DETAIL,
    pause_all_missions: { paused: ["patrol"] },
    ...answers,
  });
  const { hook } = memoryLocation({ path: "/missions" });
  const { settled, queries } = renderWith(
    station,
    <Router hook={hook}>
      <Route path="/missions/:id?/:tab?">{({ id, tab }) => <Missions id={id} tab={tab} />}</Route>
    </Router>,
  );
  await settled();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  const outdate = async () => {
    act(() => new TagInvalidator(queries).invalidate(["missions"]));
    await settled();
  };
  return { asked, settled, outdate };
}

describe("U-1002 the list", () => {
  it("ME-12 says how far each is and has the keys of the graph: open, close, connect", async () => {
    await show();
    const row = screen.getByTestId("mission-patrol");
    expect(row.textContent).toContain("Night patrolwaiting");
    expect(row.getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByTestId("mission-draft-1").getAttribute("aria-level")).toBe("2");
    expect(screen.getByTestId("mission-draft-1").textContent).toContain("1 error");
    row.focus();
    fireEvent.keyDown(row, { key: "ArrowLeft" });
    expect(screen.queryByTestId("mission-draft-1")).toBeNull();
    fireEvent.keyDown(row, { key: "ArrowRight" });
    fireEvent.keyDown(row, { key: "ArrowRight" });
    expect(document.activeElement).toBe(screen.getByTestId("mission-draft-1"));
    fireEvent.keyDown(screen.getByTestId("mission-draft-1"), { key: "l" });
    expect(screen.getByTestId("link-patrol")).toHaveProperty("disabled", true);
    expect(screen.getByTestId("link-patrol").textContent).toContain("It waits for it already.");
  });

  it("pauses all that are active, also where those are of another agent, and says which", async () => {
    const none = { ...GRAPH, nodes: GRAPH.nodes.filter(({ status }) => status !== "active") };
    const { asked, settled } = await show({ mission_graph: none });
    fireEvent.click(screen.getByTestId("pause-all"));
    await settled();
    expect(asked("pause_all_missions")).toEqual([{}]);
    expect(toasts.visibleToasts.map(({ content }) => content.text)).toContain("Paused: patrol.");
  });
});

describe("ME-09 the problems of all files", () => {
  const problem = (line: number): MissionProblem => ({
    code: "no_effect",
    severity: "warning",
    line,
    column: 1,
    end_line: line,
    end_column: 2,
    key: null,
    message: `In line ${line}.`,
    help: "",
    related: [],
  });
  const graph = (...lines: number[]) => ({ ...GRAPH, nodes: [{ ...NODE, problems: lines.map(problem) }] });
  const current = () => document.querySelector("[data-testid=problem-list] [aria-current=true]")?.textContent;
  const next = async (settled: () => Promise<void>) => {
    fireEvent.keyDown(document.body, { key: "F8" });
    await settled();
  };

  it("marks the one that was gone to while others come and go, and skips none after it is mended", async () => {
    let told = graph(1, 2, 3);
    const { settled, outdate } = await show({ mission_graph: () => told });
    await next(settled);
    await next(settled);
    expect(current()).toContain("patrol 2:1");
    told = graph(2, 3);
    await outdate();
    expect(current()).toContain("patrol 2:1");
    told = graph(3);
    await outdate();
    expect(current()).toBeUndefined();
    await next(settled);
    expect(current()).toContain("patrol 3:1");
  });

  it("lists those of one mission, severity or code, and the keys lead through these alone", async () => {
    const yard = { ...problem(7), code: "unknown_robot" as const, severity: "error" as const };
    let told = {
      ...GRAPH,
      nodes: [
        { ...NODE, problems: [problem(1), yard] },
        { ...NODE, id: "yard", problems: [yard] },
      ],
    };
    const { settled, outdate } = await show({ mission_graph: () => told });
    const rows = () =>
      [...screen.getByTestId("problem-list").querySelectorAll("li")].map(({ textContent }) => textContent?.slice(-10));
    const want = (part: string, value: string) =>
      fireEvent.change(screen.getByTestId(`problems-${part}`), { target: { value } });
    expect(rows()).toHaveLength(3);
    want("severity", "error");
    expect(rows()).toHaveLength(2);
    expect(screen.getByTestId("problem-list").textContent).toContain("2 of 3 shown");
    want("mission", "patrol");
    await next(settled);
    await next(settled);
    expect(current()).toContain("patrol 7:1");
    want("code", "no_effect");
    expect(screen.getByText("No problem matches these choices.")).toBeTruthy();
    want("severity", "");
    expect(rows()).toEqual([expect.stringContaining("patrol 1:1")]);
    told = { ...GRAPH, nodes: [{ ...NODE, id: "yard", problems: [yard] }] };
    await outdate();
    expect(screen.getByTestId<HTMLSelectElement>("problems-mission").value).toBe("patrol");
    fireEvent.click(screen.getByTestId("problems-all"));
    expect(rows()).toEqual([expect.stringContaining("yard 7:1")]);
  });

  it("offers no filter where there is one problem or none", async () => {
    await show({ mission_graph: graph(1) });
    expect(screen.queryByTestId("problems-code")).toBeNull();
  });

  it("goes on and back from the line that a key has led to, round the ends", async () => {
    const { settled } = await show({ mission_graph: graph(1, 2, 3) });
    const press = async (shiftKey: boolean) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key: "F8", shiftKey });
      await settled();
    };
    await press(false);
    expect(document.activeElement?.getAttribute("data-line")).toBe("1");
    await press(false);
    expect(current()).toContain("patrol 2:1");
    await press(true);
    await press(true);
    expect(current()).toContain("patrol 3:1");
    expect(document.activeElement?.getAttribute("data-line")).toBe("3");
  });

  it("draws the first of very many, and says how many more there are", async () => {
    await show({ mission_graph: graph(...Array.from({ length: 203 }, (_, at) => at + 1)) });
    const rows = screen.getByTestId("problem-list").querySelectorAll("button");
    expect([rows.length, screen.getByText("3 more problems are not listed.").tagName]).toEqual([200, "LI"]);
  });

  it("leaves the focus on the tabs when somebody comes back to the text by their keys", async () => {
    const { settled } = await show({ mission_graph: graph(1) });
    await next(settled);
    expect(document.activeElement?.getAttribute("data-line")).toBe("1");
    fireEvent.click(screen.getByRole("tab", { name: "Now" }));
    const tab = screen.getByRole("tab", { name: "Text" });
    tab.focus();
    fireEvent.click(tab);
    await settled();
    expect(screen.getByTestId("mission-text")).toBeTruthy();
    expect(document.activeElement).toBe(tab);
  });
});
