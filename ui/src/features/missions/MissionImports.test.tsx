import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { MissionImported } from "../../generated/bindings/MissionImported";
import { HostError } from "../../host/host";
import { inGerman } from "../../testing/german";
import { DETAIL } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));
// The library of the comparison measures.
vi.mock("../../design/editor/TextCompare", () => ({
  TextCompare: ({ before, after }: Record<"before" | "after", { text: string }>) => (
    <p data-testid="compared">{`${before.text} | ${after.text}`}</p>
  ),
}));

type Input = { files: { name: string }[] };

const added = ({ name }: { name: string }): MissionImported => {
  return { name, mission_id: name.replace(".md", ""), outcome: "added", code: null, message: null };
};
const file = (name: string, size = 4) => {
  const made = new File(["text"], name, { type: "text/markdown" });
  return Object.defineProperty(made, "size", { value: size });
};

async function show(import_missions: (input: Input) => unknown, answers: Record<string, unknown> = {}) {
  const station = fakeStation({
    mission_graph: { nodes: [], edges: [], cycles: [], layout_hash: null, layout_problem: null, next: null },
    list_robots: [],
    import_missions,
    ...answers,
  });
  const { settled } = renderWith(station, <Missions id={undefined} tab={undefined} />);
  await settled();
  const drop = (...files: File[]) => dropAll(files, []);
  const dropAll = (files: File[], folders: object[]) => {
    const items = [
      ...files.map((one) => ({ webkitGetAsEntry: () => ({ isDirectory: false }), getAsFile: () => one })),
      // Where a folder is asked for as a file, it is one that nobody can read.
      ...folders.map((one) => ({ webkitGetAsEntry: () => one, getAsFile: () => file("folder") })),
    ];
    fireEvent.drop(screen.getByTestId("mission-drop"), { dataTransfer: { types: ["Files"], files, items } });
  };
  const sent = () =>
    station.asked.filter(({ name }) => name === "import_missions").map(({ input }) => (input as Input).files);
  return { drop, dropAll, settled, sent };
}

/** A folder as a browser gives it: some entries at a time, and none at the end. */
function folder(name: string, ...entries: object[]): object {
  let left = entries;
  const readEntries = (onSome: (some: object[]) => void) => {
    const some = left.slice(0, 2);
    left = left.slice(2);
    onSome(some);
  };
  return { name, isDirectory: true, isFile: false, createReader: () => ({ readEntries }) };
}
const entry = (name: string, size = 4) => {
  return { name, isDirectory: false, isFile: true, file: (onFile: (read: File) => void) => onFile(file(name, size)) };
};
const files = (count: number) => Array.from({ length: count }, (_, at) => entry(`m${at}.md`));

const lines = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

describe("ME-02 files that are dropped", () => {
  it("are taken although a folder is among them, and one that no station takes is not read", async () => {
    const { drop, settled, sent } = await show(({ files }) => ({ files: files.map(added) }));
    const folder = file("folder");
    const read = vi.spyOn(FileReader.prototype, "readAsDataURL").mockImplementation(function (this: FileReader, blob) {
      const fails = blob === folder;
      if (!fails) Object.defineProperty(this, "result", { value: "data:;base64,dGV4dA==" });
      this.dispatchEvent(new Event(fails ? "error" : "load"));
    });
    drop(folder, file("dock.md"), file("film.md", 5e9));
    await screen.findByTestId("mission-imports");
    await waitFor(() => expect(screen.getByTestId("mission-imports").textContent).toContain("Added as a draft."));
    await settled();
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    expect(sent()).toEqual([[{ name: "dock.md", bytes_base64: "dGV4dA==" }]]);
    expect(lines()).toEqual([
      "dock.mdAdded as a draft. Nothing runs until somebody activates it. ",
      "film.mdLeft out: the file is too large for a mission. ",
      "folderThis cannot be read. If it is a folder, drop the files in it instead. ",
    ]);
  });

  it("have a name each where two folders have a file of one name", async () => {
    const { drop, settled, sent } = await show(({ files }) => ({ files: files.map(added) }));
    drop(file("dock.md"), file("dock.md"), file("dock-2.md"));
    await screen.findByTestId("mission-imports");
    await settled();
    expect(sent().flatMap((files) => files.map(({ name }) => name))).toEqual(["dock.md", "dock-3.md", "dock-2.md"]);
    expect(lines()).toHaveLength(3);
  });

  it("wait for those that are on their way", async () => {
    let answer: () => void = () => undefined;
    const first = new Promise<void>((done) => {
      answer = done;
    });
    const { drop, settled, sent } = await show(async ({ files }) => {
      if (files.some(({ name }) => name === "dock.md")) await first;
      return { files: files.map(added) };
    });
    drop(file("dock.md"));
    await waitFor(() => expect(sent()).toHaveLength(1));
    drop(file("yard.md"));
    answer();
    await settled();
    expect(sent()).toHaveLength(2);
    expect(lines().map((line) => line?.slice(0, 7))).toEqual(["dock.md", "yard.md"]);
  });
});

describe("ME-02 a file whose name is taken", () => {
  const conflict = () => ({ files: [{ ...added({ name: "dock.md" }), outcome: "conflict" }] });
  const compared = () => screen.getByTestId("compared").textContent;
  const click = async (testId: string, settled: () => Promise<void>) => {
    fireEvent.click(await screen.findByTestId(testId));
    await settled();
  };
  const outcome = () => screen.getByTestId("mission-imports").querySelector("li")?.dataset["outcome"];

  it("is compared with the one that is here, and replaces no other text than the one that was read", async () => {
    let here = { source: "theirs", hash: "h1" };
    const save = vi.fn(({ base_hash, source }: { base_hash: string; source: string }) => {
      if (base_hash !== here.hash) throw new HostError("file_changed", "Another.", here, 409);
      return { hash: "h9", source, problems: [] };
    });
    const { drop, settled } = await show(conflict, { get_mission: () => ({ ...DETAIL, ...here }), save_mission: save });
    drop(file("dock.md"));
    await click("import-compare-dock.md", settled);
    expect(compared()).toBe("theirs | text");
    here = { source: "theirs again", hash: "h2" };
    await click("import-replace", settled);
    expect([compared(), outcome()]).toEqual(["theirs again | text", "conflict"]);
    await click("import-replace", settled);
    expect(save.mock.lastCall?.[0]).toMatchObject({ mission_id: "dock", base_hash: "h2", source: "text" });
    expect([screen.queryByTestId("import-conflict"), outcome()]).toEqual([null, "replaced"]);
  });

  it("waits on after a look, and is left out once somebody keeps the other", async () => {
    const { drop, settled } = await show(conflict, { get_mission: DETAIL });
    drop(file("dock.md"));
    await click("import-compare-dock.md", settled);
    fireEvent.click(screen.getByText("Decide later"));
    expect(outcome()).toBe("conflict");
    await click("import-compare-dock.md", settled);
    await click("import-keep-now", settled);
    expect(outcome()).toBe("skipped");
  });
});

describe("ME-02 a folder that is dropped", () => {
  it("gives the mission files that lie in it, beside files that are dropped with it", async () => {
    const { dropAll, settled, sent } = await show(({ files }) => ({ files: files.map(added) }));
    const inner = folder("old", entry("never.md"));
    dropAll([file("dock.md")], [folder("site", entry("a.md"), inner, entry("notes.txt"), entry("yard.md"))]);
    await settled();
    expect(sent().flatMap((files) => files.map(({ name }) => name))).toEqual(["dock.md", "a.md", "yard.md"]);
    expect(lines()).toHaveLength(3);
  });

  it("is left out with the reason where it has no mission, too many, too large ones, or cannot be read", async () => {
    const { dropAll, settled, sent } = await show(({ files }) => ({ files: files.map(added) }));
    const shut = { ...folder("shut"), createReader: () => ({ readEntries: (_: unknown, fail: () => void) => fail() }) };
    dropAll([], [folder("empty"), folder("many", ...files(101)), folder("heavy", entry("film.md", 9e6)), shut]);
    await settled();
    expect(sent()).toEqual([]);
    const large =
      "Left out: too much in the folders of one drop (most mission files: 100, most MiB: 8). Drop the files that you want instead. ";
    expect(lines()).toEqual([
      "emptyThere is no file ending in .md in this folder. Folders inside it are not searched. ",
      `heavy${large}`,
      `many${large}`,
      "shutThis folder cannot be read. Drop the files in it instead. ",
    ]);
  });

  it("is left out whole where those before it have taken the room", async () => {
    const { dropAll, settled, sent } = await show(({ files }) => ({ files: files.map(added) }));
    dropAll([], [folder("first", ...files(100)), folder("second", entry("one.md"))]);
    await settled();
    expect(sent().flat()).toHaveLength(100);
    expect(lines().filter((line) => line?.startsWith("second"))).toHaveLength(1);
  });
});

describe("in German", () => {
  inGerman();

  it("a refusal of a file is said by its code", async () => {
    const refused = { ...added({ name: "x.md" }), outcome: "refused", code: "file_changed", message: "Changed." };
    const { drop, settled } = await show(() => ({ files: [refused] }));
    drop(file("x.md"));
    await settled();
    expect(screen.getByTestId("mission-imports").textContent).toContain("Die Datei wurde inzwischen geändert");
  });
});
