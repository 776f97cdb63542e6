import { fireEvent, screen } from "@testing-library/react";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { MissionDrafted } from "../../generated/bindings/MissionDrafted";
import { toasts } from "../../design/components/toast-queue";
import { COMPOSER_ID } from "../../domain/agent/draft";
import { HostError } from "../../host/host";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";
import type { Template } from "./templates";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

const DRAFTED: MissionDrafted = {
  message: "Draft yard is saved. Nobody has activated it.",
  mission_id: "yard",
  title: "Yard",
  hash: "h1",
  ok: true,
  meaning: [],
  notes: [],
  problems: [],
  problems_unlisted: 0,
};
const NO_AREA = "The site plan has no area `yard`. The draft visits the points of its template.";

beforeEach(() => localStorage.clear());

async function show(answers: Record<string, unknown> = {}, role: "operator" | "viewer" = "operator") {
  const graph = { nodes: [], edges: [], cycles: [], layout_hash: null, layout_problem: null, next: null };
  const station = fakeStation({ mission_graph: graph, list_robots: [], draft_mission: DRAFTED, ...answers }, { role });
  const { hook, history } = memoryLocation({ path: "/missions", record: true });
  const { settled } = renderWith(
    station,
    <Router hook={hook}>
      <Route path="/missions/:id?/:tab?">{({ id, tab }) => <Missions id={id} tab={tab} />}</Route>
      <textarea id={COMPOSER_ID} />
    </Router>,
  );
  await settled();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { asked, settled, history };
}

/** Opens the dialog and chooses a template. */
function choose(template: Template, label = "Begin with"): void {
  fireEvent.click(screen.getByTestId("mission-new"));
  fireEvent.change(screen.getByLabelText(label), { target: { value: template } });
}

const write = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } });

describe("U-1003 ME-05 a new mission from a template", () => {
  it("has the title, the file and the place that were typed, and its form is opened", async () => {
    const { asked, settled, history } = await show();
    choose("patrol");
    write("new-mission-title", "Patrol of the yard");
    write("new-mission-place", " yard ");
    fireEvent.click(screen.getByTestId("new-mission-create"));
    await settled();
    expect(asked("draft_mission")).toEqual([
      {
        template: "security-patrol",
        title: "Patrol of the yard",
        mission_id: "patrol-of-the-yard",
        place: "yard",
        agent: "main",
      },
    ]);
    expect(asked("save_mission")).toEqual([]);
    expect(history.at(-1)).toBe("/missions/yard/form");
    expect(screen.queryByTestId("new-mission")).toBeNull();
  });

  it("needs no title, and sends no place that was typed for another template", async () => {
    const { asked, settled } = await show();
    choose("patrol");
    write("new-mission-place", "yard");
    fireEvent.change(screen.getByLabelText("Begin with"), { target: { value: "dog" } });
    expect(screen.getByText("Without a title it has that of the template.")).toBeTruthy();
    fireEvent.click(screen.getByTestId("new-mission-create"));
    await settled();
    const [input] = asked("draft_mission");
    expect(input).toEqual({ template: "dog-monitor", title: null, mission_id: null, place: null, agent: "main" });
  });

  it("stays open with what was typed where the station refuses it", async () => {
    const taken = () => {
      throw new HostError("mission_exists", "A mission yard exists.");
    };
    const { settled } = await show({ draft_mission: taken });
    choose("home");
    write("new-mission-title", "Yard");
    fireEvent.click(screen.getByTestId("new-mission-create"));
    await settled();
    expect(screen.getByTestId("new-mission").textContent).toContain("A mission yard exists.");
    expect(screen.getByTestId<HTMLInputElement>("new-mission-title").value).toBe("Yard");
  });
});

describe("a station without missions", () => {
  it("asks the agent for a draft: a sentence in its field, where the focus is, and nothing is sent", async () => {
    const { asked } = await show();
    fireEvent.click(screen.getByTestId("mission-ask-agent"));
    expect(document.activeElement?.id).toBe(COMPOSER_ID);
    expect(Object.values({ ...localStorage })).toContain("patrol the loading dock every evening at ten until friday");
    expect(asked("draft_mission")).toEqual([]);
  });

  it("offers it to nobody who may change nothing", async () => {
    await show({}, "viewer");
    expect(screen.getByTestId("mission-ask-agent")).toHaveProperty("disabled", true);
  });
});

describe("in German", () => {
  inGerman();

  it("a wish that the draft does not follow is told in the window's language", async () => {
    const told = { ...DRAFTED, notes: [NO_AREA], note_kinds: [{ code: "no_area", place: "yard" }] };
    const { settled } = await show({ draft_mission: told });
    choose("patrol", "Beginnen mit");
    fireEvent.click(screen.getByTestId("new-mission-create"));
    await settled();
    expect(toasts.visibleToasts.map(({ content }) => content.text)).toContainEqual(
      expect.stringContaining("Der Lageplan hat keinen Bereich „yard“."),
    );
  });
});
