import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { HostError } from "../../host/host";
import { DETAIL, GRAPH } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));
// The library of the comparison measures.
vi.mock("../../design/editor/TextCompare", () => ({
  TextCompare: ({ before, after }: Record<"before" | "after", { label: string; text: string }>) => (
    <p data-testid="compared">{`${before.label}: ${before.text} | ${after.label}: ${after.text}`}</p>
  ),
}));

const FORM = [{ key: "title", value: "Patrol", text: "Patrol", problem: null }];

async function show(file: { source: string; hash: string }) {
  const seen = { ...DETAIL, source: "old", hash: "h1", form: FORM };
  let reads = 0;
  const station = fakeStation({
    mission_graph: GRAPH,
    list_robots: [],
    // The screen was drawn before the file changed.
    get_mission: () => (reads++ === 0 ? seen : { ...seen, ...file }),
    save_mission: ({ base_hash, source }: { base_hash: string; source?: string }) => {
      if (base_hash !== file.hash) throw new HostError("file_changed", "Another.", { ...file }, 409);
      Object.assign(file, { source: source ?? `${file.source}+`, hash: `${file.hash}+` });
      return { ...file, problems: [] };
    },
  });
  const { settled } = renderWith(station, <Missions id="patrol" tab="form" />);
  await settled();
  const title = () => screen.getByTestId<HTMLInputElement>("form-title");
  const enter = async (value: string) => {
    fireEvent.change(title(), { target: { value } });
    fireEvent.keyDown(title(), { key: "Enter" });
    await settled();
  };
  const press = async (testId: string) => {
    fireEvent.click(screen.getByTestId(testId));
    await settled();
  };
  const compared = () => screen.queryByTestId("compared")?.textContent;
  return { title, enter, press, compared };
}

it("ME-07 a field that is saved over another file shows what changed, and keeps what was typed", async () => {
  const { title, enter, compared } = await show({ source: "theirs", hash: "h2" });
  await enter("Night");
  expect(compared()).toBe("The file as you saw it: old | The file now: theirs");
  expect(title().value).toBe("Night");
});

it("ME-06 an undo of a file that changed meanwhile asks which text stays", async () => {
  const file = { source: "old", hash: "h1" };
  const { enter, press, compared } = await show(file);
  await enter("Night");
  Object.assign(file, { source: "theirs", hash: "h9" });
  await press("graph-undo");
  expect(compared()).toBe("The file now: theirs | Your text: old");
  await press("conflict-put-mine");
  expect([compared(), file.source]).toEqual([undefined, "old"]);
});
