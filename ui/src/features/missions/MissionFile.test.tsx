import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { takeBack, toasts } from "../../design/components/toast-queue";
import { HostError } from "../../host/host";
import { DETAIL, GRAPH } from "../../testing/missions";
import { TagInvalidator } from "../../host/query";
import { fakeStation, renderWith } from "../../testing/station";
import { MissionFile } from "./MissionFile";
import { Missions } from "./Missions";
import { idOf } from "./NewMission";
import { inCalls, nextName } from "./useMissionImport";
import { useGraphHistory } from "./graph/useGraphHistory";
import { useMissionRemoval } from "./useMissionRemoval";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

function showFile(detail: Partial<MissionDetail>, answers: Record<string, unknown> = {}) {
  const mission = { id: "patrol", source: "# Patrol", hash: "h1", ...detail } as MissionDetail;
  renderWith(fakeStation(answers), <Shown mission={mission} />);
}

function Shown({ mission }: { mission: MissionDetail }) {
  return (
    <MissionFile
      mission={mission}
      place={null}
      history={useGraphHistory(() => undefined)}
      removal={useMissionRemoval()}
    />
  );
}

describe("mission files", () => {
  const EMPTY = {
    mission_graph: { nodes: [], edges: [], cycles: [], layout_hash: null, layout_problem: null, next: null },
    list_robots: [],
  };
  const file = (name: string, text: string) => new File([text], name, { type: "text/markdown" });

  it("ME-02 adds dropped files as drafts, and a file whose name is taken waits for a choice", async () => {
    const imports = vi.fn((input: unknown) => ({
      files: (input as { files: { name: string }[] }).files.map(({ name }) => ({
        name,
        mission_id: name.replace(".md", ""),
        outcome: name === "dock.md" ? "conflict" : "added",
        code: null,
        message: null,
      })),
    }));
    const station = fakeStation({ ...EMPTY, import_missions: imports });
    renderWith(station, <Missions id={undefined} tab={undefined} />);
    const dataTransfer = { types: ["Files"], items: [], files: [file("dock.md", "Mine."), file("yard.md", "# Yard")] };
    fireEvent.dragOver(screen.getByTestId("mission-drop"), { dataTransfer });
    fireEvent.drop(screen.getByTestId("mission-drop"), { dataTransfer });
    const list = await screen.findByTestId("mission-imports");
    await waitFor(() => expect(list.textContent).toContain("yard.md"));
    expect(imports.mock.calls[0]?.[0]).toMatchObject({
      files: [
        { name: "dock.md", bytes_base64: btoa("Mine.") },
        { name: "yard.md", bytes_base64: btoa("# Yard") },
      ],
      on_conflict: "ask",
    });
    fireEvent.click(screen.getByText("Keep both"));
    await waitFor(() => expect(list.textContent).toContain("dock-2.md"));
    expect(imports.mock.calls[1]?.[0]).toMatchObject({
      files: [{ name: "dock-2.md", bytes_base64: btoa("Mine.") }],
      on_conflict: "ask",
    });
    expect(list.querySelectorAll("li")).toHaveLength(2);
  });

  it("ME-05 a new mission has the id of its title and names its robot", async () => {
    const save = vi.fn(() => ({ hash: "h9", source: "text", problems: [] }));
    const station = fakeStation({ ...EMPTY, list_robots: [{ id: "rover-1" }], save_mission: save });
    renderWith(station, <Missions id={undefined} tab={undefined} />);
    fireEvent.click(await screen.findByTestId("mission-new"));
    expect(await screen.findByTestId("new-mission-create")).toHaveProperty("disabled", true);
    fireEvent.change(screen.getByTestId("new-mission-title"), { target: { value: "Übersicht: Dock 3" } });
    await screen.findByText("rover-1");
    fireEvent.change(screen.getByLabelText("Robot that it may command"), { target: { value: "rover-1" } });
    fireEvent.click(screen.getByTestId("new-mission-create"));
    await waitFor(() => expect(save).toHaveBeenCalled());
    const [input] = save.mock.calls[0] as unknown as [{ mission_id: string; base_hash: null; source: string }];
    expect(input).toMatchObject({ mission_id: "ubersicht-dock-3", base_hash: null });
    expect(input.source).toContain('title: "Übersicht: Dock 3"\nrobots: [rover-1]\n');
  });

  it("MO-12 removes the file of an ended mission, and offers no removal of one under way", async () => {
    const remove = vi.fn(() => ({ message: "The file of mission patrol was put away.", source: "x" }));
    showFile({ status: "completed" }, { remove_mission: remove });
    fireEvent.click(screen.getByTestId("mission-remove"));
    await waitFor(() =>
      expect(remove).toHaveBeenCalledWith(expect.objectContaining({ mission_id: "patrol", base_hash: "h1" })),
    );
  });

  it("MO-12 offers a removed file back, also if it is gone before the answer, and says if it cannot be", async () => {
    const ended: MissionDetail = { ...DETAIL, status: "completed", state: "completed", reason: null };
    let detail = ended;
    let answer: (value: unknown) => void = () => undefined;
    const answered = new Promise((done) => {
      answer = done;
    });
    const station = fakeStation({
      mission_graph: GRAPH,
      list_robots: [],
      get_mission: () => detail,
      remove_mission: () => {
        detail = { ...ended, source: null, hash: null };
        return answered;
      },
      save_mission: () => {
        throw new HostError("file_changed", "Another file has this name.");
      },
    });
    const { queries } = renderWith(station, <Missions id="patrol" tab="text" />);
    fireEvent.click(await screen.findByTestId("mission-remove"));
    await waitFor(() => expect(station.asked.some(({ name }) => name === "remove_mission")).toBe(true));
    act(() => new TagInvalidator(queries).invalidate(["mission:patrol"]));
    await waitFor(() => expect(screen.queryByTestId("mission-remove")).toBeNull());
    await act(async () => answer({ message: "The file of mission patrol was put away.", source: "x" }));
    const toast = () =>
      toasts.visibleToasts.find(({ content }) => content.text === "The file of mission patrol was put away.");
    await waitFor(() => expect(toast()?.content.undo).toBeTruthy());
    const undo = toast()?.content.undo;
    // Whoever has gone to another screen meanwhile takes it back all the same, and reads the refusal.
    cleanup();
    await act(async () => undo && takeBack(undo));
    const refusals = toasts.visibleToasts.filter(({ content }) => content.isRefusal === true);
    expect(refusals.map(({ content }) => content.text)).toEqual(["Another file has this name."]);
  });

  it.each([
    ["/missions/draft-1/text", "/missions/draft-1/text"],
    ["/missions/patrol", "/missions"],
  ])("MO-12 a late answer of a removal leads away from no other mission: from %s to %s", async (meanwhile, then) => {
    let answer: (value: unknown) => void = () => undefined;
    const answered = new Promise((done) => {
      answer = done;
    });
    const mission: MissionDetail = { ...DETAIL, status: "completed", state: "completed" };
    const station = fakeStation({ remove_mission: () => answered });
    const { hook, navigate, history } = memoryLocation({ path: "/missions/patrol/text", record: true });
    renderWith(
      station,
      <Router hook={hook}>
        <Shown mission={mission} />
      </Router>,
    );
    fireEvent.click(screen.getByTestId("mission-remove"));
    await waitFor(() => expect(station.asked.some(({ name }) => name === "remove_mission")).toBe(true));
    act(() => navigate(meanwhile));
    await act(async () => answer({ message: "The file was put away.", source: "x" }));
    await waitFor(() =>
      expect(toasts.visibleToasts.some(({ content }) => content.text === "The file was put away.")).toBe(true),
    );
    expect(history.at(-1)).toBe(then);
  });

  it("ME-08 makes a missing file again of the newest text that it had", async () => {
    const version = { seen_ms: null, author: null, activated_by: null, was_activated: false, is_draft: false };
    const missing = { ...DETAIL, source: null, hash: null, flags: ["file_missing"] };
    const save = vi.fn(() => ({ hash: "h7", source: "newest", problems: [] }));
    showFile(missing as MissionDetail, {
      mission_history: { steps: [], next: null, versions: ["h7", "h6"].map((hash) => ({ ...version, hash })) },
      get_mission: ({ version: asked }: { version?: string }) =>
        asked === "h7" ? { ...DETAIL, source: "newest", hash: "h7" } : missing,
      save_mission: save,
    });
    fireEvent.click(await screen.findByTestId("mission-restore-file"));
    await waitFor(() =>
      expect(save).toHaveBeenCalledWith(
        expect.objectContaining({ mission_id: "patrol", base_hash: null, source: "newest" }),
      ),
    );
  });

  it("ME-08 says what to do where no text of a missing file is kept, and restores none that cannot be read", async () => {
    const none = { mission_history: { steps: [], next: null, versions: [] } };
    showFile({ source: null, hash: null, flags: ["file_missing"] }, none);
    await screen.findByText(/No earlier text of it is kept/u);
    cleanup();
    showFile({ source: null, hash: null, flags: [] }, none);
    expect(screen.getByText("The file is missing or cannot be read.")).toBeTruthy();
    expect(screen.queryByTestId("mission-restore-file")).toBeNull();
  });

  it("MO-12 keeps the file of a mission that is under way", async () => {
    showFile({ status: "paused" });
    expect(screen.getByTestId("mission-remove")).toHaveProperty("disabled", true);
    expect(screen.getByTestId("mission-remove").title).toBe("Cancel the mission first.");
  });
});

it("a title gives a file name that its readers can read", () => {
  expect([idOf("Straße 5"), idOf("Prüfen & laden")]).toEqual(["strasse-5", "prufen-laden"]);
});

describe("files for a call", () => {
  it("MO-05 a call has at most 20 files and 700 KiB", () => {
    const read = (name: string, bytes: number) => ({ name, bytes_base64: "A".repeat((bytes * 4) / 3) });
    const many = Array.from({ length: 45 }, (_, at) => read(`m${at}.md`, 300));
    expect(inCalls(many).map((call) => call.length)).toEqual([20, 20, 5]);
    const long = Array.from({ length: 5 }, (_, at) => read(`m${at}.md`, 240 * 1024));
    expect(inCalls(long).map((call) => call.length)).toEqual([2, 2, 1]);
    expect([nextName("dock.md"), nextName("dock-2.md")]).toEqual(["dock-2.md", "dock-3.md"]);
  });
});
