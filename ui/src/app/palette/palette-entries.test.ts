import { describe, expect, it } from "vitest";
import type { MemoryHit } from "../../generated/bindings/MemoryHit";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import { alarmRow, proposal, robotRow } from "../../testing/fixtures";
import { wordsFrom } from "../../design/format/address";
import { type Known, paletteEntries, searchPath } from "./palette-entries";

const patrol: MissionRow = {
  id: "night-patrol",
  title: "Night patrol",
  status: "active",
  state: "waiting",
  flags: [],
  reason: null,
  compiled_at: null,
  activated_at: null,
  expires_at: null,
  starts_at: null,
  jobs: 0,
  errors: 0,
  warnings: 0,
  error: null,
};
const hit = { id: "e-1", at: "2026-05-04T10:00:00Z", content: '{"robot":"arm-1","state":"armed"}' } as MemoryHit;
const KNOWN: Known = {
  robots: [robotRow({ id: "arm-1" }), robotRow({ id: "rover-1" })],
  missions: [patrol],
  alarms: [alarmRow("am-1", { message: "rover-1 link lost", robot: "rover-1" })],
  proposals: [proposal({ id: "p-1", robot: "arm-1", sentence: "main moves arm-1 to (0.50, 0.20, 1.00) m" })],
  beliefs: [],
  hits: [],
  simulator: "running",
  stopped: false,
};
const find = (words: string, change: Partial<Known> = {}) =>
  paletteEntries(words, { ...KNOWN, ...change }, true).map(({ text }) => text);
const opened = (words: string, change: Partial<Known> = {}) =>
  paletteEntries(words, { ...KNOWN, ...change }, true).flatMap(({ does }) => ("open" in does ? [does.open] : []));

describe("FU-13 the palette finds what an operator looks for", () => {
  it.each([
    ["a robot", "rover", "/world/rover-1"],
    ["a mission by its title", "night pat", "/missions/night-patrol"],
    ["an alarm by its words", "link lost", "/alarms/am-1"],
    ["an alarm by what is done about it", "acknowledge", "/alarms/am-1"],
    ["the approval that waits", "approve", "/approvals/p-1"],
    ["the approvals, whether one waits or not", "approve", "/approvals"],
    ["the limits of a robot", "limits arm", "/safety/arm-1"],
    ["a part of a screen", "key", "/admin/keys"],
    ["the theme", "dark", "/admin/appearance"],
  ])("%s", (_, words, to) => expect(opened(words)).toContain(to));

  it("puts the robot first, then what waits for somebody about it", () =>
    expect(find("rover-1").slice(0, 2)).toEqual(["rover-1", "rover-1 link lost"]));
  it("finds words by how they begin, and first what is called so", () => {
    expect(find("arm")[0]).toBe("arm-1");
    expect(find("arm")).not.toContain("rover-1");
    expect(find("larm")).not.toContain("Alarms");
  });
  it("offers to take control of a robot and to hold it, in the same words every time", () =>
    expect(find("rover-1")).toEqual(expect.arrayContaining(["Take control of rover-1", "Hold rover-1"])));
  it("shows a record of a tool as words", () =>
    expect(find("armed", { hits: [hit] })).toContain("robot arm-1, state armed"));
  it("shows what the station has found once it has found it", () =>
    expect(paletteEntries("armed", { ...KNOWN, hits: [hit] }, false).some(({ group }) => group === "known")).toBe(
      false,
    ));
  it("offers the open stop while there is one", () => {
    expect(find("release")).not.toContain("Open stop");
    expect(find("release", { stopped: true })[0]).toBe("Open stop");
  });
  it("offers to start the simulator where it has ended, and not beside real robots", () => {
    const simulated = KNOWN.robots.map((robot) => ({ ...robot, simulated: true }));
    const real = KNOWN.robots.map((robot) => ({ ...robot, simulated: false }));
    expect(find("start simulator", { simulator: "stopped", robots: simulated })).toContain("Start simulator");
    expect(find("start simulator", { simulator: "stopped", robots: real })).not.toContain("Start simulator");
    expect(find("start simulator", { robots: simulated })).not.toContain("Start simulator");
  });
});

describe("U-1903 nothing that is decided with a hold or a reason runs from the palette", () => {
  it("approve, release, force and cancel only open their place", () => {
    const acts = paletteEntries("", KNOWN, true).concat(
      ["approve", "release", "force", "cancel", "arm-1", "rover-1"].flatMap((words) =>
        paletteEntries(words, { ...KNOWN, stopped: true }, true),
      ),
    );
    const kinds = new Set(acts.flatMap(({ does }) => Object.keys(does)));
    expect([...kinds].toSorted()).toEqual(["hold", "open", "stop_sheet", "take_control"]);
  });
});

describe("the palette", () => {
  it("offers robots and every screen while nothing is written", () =>
    expect(opened("")).toEqual(expect.arrayContaining(["/jobs", "/world/arm-1"])));
  it("offers a search of memory for the words", () => expect(opened("mem").at(-1)).toBe("/memory/search/mem"));
  it.each(["toddler stairs", "a/b?c#d", "100 %"])("%o comes back from the address", (words) => {
    const part = searchPath(words).slice("/memory/search/".length);
    expect([wordsFrom(part), wordsFrom(decodeURI(part))]).toEqual([words, words]);
  });
});
