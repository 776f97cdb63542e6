import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { HostError } from "../../host/host";
import { DETAIL, GRAPH } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { bufferKey, editorMemory, setBuffer } from "./mission-buffers";
import { MissionFile } from "./MissionFile";
import { Missions } from "./Missions";
import { type GraphHistory, useGraphHistory } from "./graph/useGraphHistory";
import { useMissionRemoval } from "./useMissionRemoval";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));
type EditorProps = { value: string; lines: { line: number } | null; onChange: (value: string) => void };

// CodeMirror measures; a text area has its line ends too.
vi.mock("../../design/editor/TextEditor", () => ({
  TextEditor: ({ value, lines, onChange }: EditorProps) => (
    <textarea
      data-testid="editor"
      data-line={lines?.line}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  ),
}));

afterEach(() => {
  for (const agent of ["main", "other"]) setBuffer(bufferKey(agent, "patrol"), null);
});

type File = { source: string | null; hash: string | null };

/** The file of a mission as it stands in the folder, until it is another. */
async function show(first: File, answers: Record<string, unknown> = {}) {
  let becomes: (file: File) => void = () => undefined;
  let history: GraphHistory | null = null;
  function Shown() {
    const [file, setFile] = useState(first);
    becomes = setFile;
    const mission = { ...DETAIL, status: "completed", ...file } as MissionDetail;
    history = useGraphHistory(() => undefined);
    return <MissionFile mission={mission} place={null} history={history} removal={useMissionRemoval()} />;
  }
  const station = fakeStation({ validate_mission: { problems: [] }, ...answers });
  const { settled } = renderWith(station, <Shown />);
  fireEvent.click(screen.getByTestId("mission-edit"));
  await settled();
  const press = async (testId: string) => {
    fireEvent.click(screen.getByTestId(testId));
    await settled();
  };
  const undo = async () => {
    act(() => history?.undo());
    await settled();
  };
  const asked = (name: string) => station.asked.filter((one) => one.name === name).map(({ input }) => input);
  return { station, asked, press, undo, becomes: (file: File) => act(() => becomes(file)) };
}

// The library of the comparison measures too.
vi.mock("../../design/editor/TextCompare", () => ({
  TextCompare: ({ before, after }: Record<"before" | "after", { label: string; text: string }>) => (
    <p data-testid="compared">{`${before.label}: ${before.text} | ${after.label}: ${after.text}`}</p>
  ),
}));

const editor = () => screen.getByTestId<HTMLTextAreaElement>("editor");
const type = (value: string) => fireEvent.change(editor(), { target: { value } });

it("MI-04 keeps the line ends of a file", async () => {
  const save = vi.fn<(input: unknown) => unknown>(() => ({ hash: "h2", source: "a\r\nB\r\n", problems: [] }));
  const { press } = await show({ source: "a\r\nb\r\n", hash: "h1" }, { save_mission: save });
  expect(screen.getByRole("status").textContent).toBe("Saved.");
  type("a\nB\n");
  await press("mission-save");
  expect(save.mock.calls[0]?.[0]).toMatchObject({ base_hash: "h1", source: "a\r\nB\r\n" });
});

it("ME-08 follows a file that somebody has put back to a text of this window", async () => {
  const save = { hash: "h2", source: "new", problems: [] };
  const { press, becomes } = await show({ source: "old", hash: "h1" }, { save_mission: save });
  type("new");
  await press("mission-save");
  expect(editor().value).toBe("new");
  becomes({ source: "new", hash: "h2" });
  becomes({ source: "old", hash: "h1" });
  await waitFor(() => expect(editor().value).toBe("old"));
});

it("ME-06 a text that was saved is undone like any change", async () => {
  const save = vi.fn(({ source }: { source: string }) => ({ hash: `h-${source}`, source, problems: [] }));
  const { press, undo, asked } = await show({ source: "old", hash: "h1" }, { save_mission: save });
  type("new");
  await press("mission-save");
  await undo();
  expect(asked("save_mission")[1]).toMatchObject({ mission_id: "patrol", base_hash: "h-new", source: "old" });
});

it("ME-06 a file that was removed is brought back by an undo", async () => {
  const { press, undo, asked } = await show(
    { source: "old", hash: "h1" },
    { remove_mission: { message: "Put away.", source: "old" }, save_mission: { hash: "h1", source: "old" } },
  );
  await press("mission-remove");
  await undo();
  expect(asked("save_mission")).toMatchObject([{ mission_id: "patrol", base_hash: null, source: "old" }]);
});

it("ME-08 a save that finds another text opens both, before the file is told of", async () => {
  const theirs = { hash: "h2", source: "theirs" };
  const save = vi.fn(({ base_hash, source }: { base_hash: string; source: string }) => {
    if (base_hash === "h1") throw new HostError("file_changed", "Another.", theirs, 409);
    return { hash: "h3", source, problems: [] };
  });
  const { press, undo, asked, becomes } = await show({ source: "old", hash: "h1" }, { save_mission: save });
  type("mine");
  await press("mission-save");
  expect(screen.getByTestId("compared").textContent).toBe("The file now: theirs | Your text: mine");
  await press("mission-compare-keep_mine");
  expect([screen.queryByTestId("mission-conflict"), editor().value]).toEqual([null, "mine"]);
  await press("mission-save");
  expect(asked("save_mission")[1]).toMatchObject({ base_hash: "h2", source: "mine" });
  becomes({ source: "mine", hash: "h3" });
  // Theirs is not lost either.
  await undo();
  expect(asked("save_mission")[2]).toMatchObject({ base_hash: "h3", source: "theirs" });
});

it("ME-08 compares a text that is not saved with the one on the disk", async () => {
  const { press, becomes } = await show({ source: "old", hash: "h1" });
  type("mine");
  becomes({ source: "theirs", hash: "h2" });
  await press("mission-compare-theirs");
  expect(screen.getByTestId("compared").textContent).toBe("The file now: theirs | Your text: mine");
  await press("mission-compare-take_theirs");
  expect(editor().value).toBe("theirs");
});

it("says that a text could not be checked", async () => {
  await show(
    { source: "old", hash: "h1" },
    {
      validate_mission: () => {
        throw new HostError("unreachable", "The station cannot be reached.");
      },
    },
  );
  const said = await screen.findByTestId("mission-not-validated");
  expect(said.textContent).toContain("could not be checked for problems");
});

it("keeps a text that is not saved when its file is removed", async () => {
  const { press, becomes } = await show(
    { source: "old", hash: "h1" },
    { remove_mission: { message: "The file was put away.", source: "old" } },
  );
  type("half a day of work");
  await press("mission-remove");
  becomes({ source: null, hash: null });
  expect(editor().value).toBe("half a day of work");
});

it("shows no text of one agent under the same name of another", async () => {
  const station = fakeStation({
    mission_graph: GRAPH,
    get_mission: ({ agent }: { agent: string }) => ({ ...DETAIL, source: `of ${agent}`, hash: agent }),
    validate_mission: { problems: [] },
    list_robots: [],
  });
  const { settled } = renderWith(station, <Missions id="patrol" tab="text" />);
  await settled();
  fireEvent.click(screen.getByTestId("mission-edit"));
  await settled();
  type("mine of main");
  act(() => station.store.chooseAgent("other"));
  await settled();
  expect(screen.getByTestId("mission-text").textContent).toBe("of other");
  act(() => station.store.chooseAgent("main"));
  await settled();
  expect(editor().value).toBe("mine of main");
});

it("ME-09 a problem leads to its line in a text that is being edited too", async () => {
  const place = { line: 3, endLine: 3, asked: 1 };
  const mission = { ...DETAIL, source: "a\nb\nc\n", hash: "h1" };
  setBuffer(bufferKey("main", "patrol"), { base: { source: "a\nb\nc\n", hash: "h1" }, text: "a\nB\nc\n" });
  const Shown = () => (
    <MissionFile
      mission={mission}
      place={place}
      history={useGraphHistory(() => undefined)}
      removal={useMissionRemoval()}
    />
  );
  const { settled } = renderWith(fakeStation({ validate_mission: { problems: [] } }), <Shown />);
  await settled();
  expect(editor().dataset["line"]).toBe("3");
});

it("keeps the steps of an edit until it ends", () => {
  const key = bufferKey("main", "patrol");
  setBuffer(key, { base: { source: "a", hash: "h1" }, text: "a" });
  const memory = editorMemory(key);
  setBuffer(key, { base: { source: "a", hash: "h1" }, text: "ab" });
  expect(memory).toBeDefined();
  expect(editorMemory(key)).toBe(memory);
  setBuffer(key, null);
  expect(editorMemory(key)).toBeUndefined();
});
