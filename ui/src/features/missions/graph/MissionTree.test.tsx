import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ROW_PX } from "../../../design/layout/useRowWindow";
import { GRAPH, NODE } from "../../../testing/missions";
import { fakeStation, renderWith } from "../../../testing/station";
import { MissionTree } from "./MissionTree";

const COUNT = 500;
const id = (at: number) => `m${String(at).padStart(3, "0")}`;
/** One mission, and all others that wait for it. */
const MANY = {
  ...GRAPH,
  nodes: Array.from({ length: COUNT }, (_, at) => ({ ...NODE, id: id(at), title: id(at) })),
  edges: Array.from({ length: COUNT - 1 }, (_, at) => ({ ...GRAPH.edges[0], from: id(0), to: id(at + 1) })),
} as typeof GRAPH;

const show = () =>
  renderWith(fakeStation(), <MissionTree graph={MANY} selected={undefined} onSelect={() => undefined} />);
const focused = () => document.activeElement?.getAttribute("data-mission");
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

it("makes only the rows in sight of a long list, and says how many there are", () => {
  show();
  const tree = screen.getByTestId("missions");
  expect(screen.getAllByRole("row").length).toBeLessThan(100);
  expect([tree.getAttribute("aria-rowcount"), screen.getAllByRole("row")[1]?.getAttribute("aria-rowindex")]).toEqual([
    "500",
    "2",
  ]);
});

it("arrows lead to rows that are not made yet, and back to the one above all", () => {
  show();
  const tree = screen.getByTestId("missions");
  screen.getByTestId("mission-m000").focus();
  for (let at = 1; at < COUNT; at += 1) {
    press("ArrowDown");
    fireEvent.scroll(tree);
  }
  expect(focused()).toBe("m499");
  press("ArrowLeft");
  fireEvent.scroll(tree);
  expect(focused()).toBe("m000");
});

it("the row that has the focus keeps it when it scrolls out of sight, in its place, and goes with the focus", () => {
  show();
  const tree = screen.getByTestId("missions");
  const scrollTo = (top: number) => {
    tree.scrollTop = top;
    fireEvent.scroll(tree);
  };
  act(() => screen.getByTestId("mission-m001").focus());
  scrollTo(200 * ROW_PX);
  expect(focused()).toBe("m001");
  expect(screen.queryByTestId("mission-m002")).toBeNull();
  expect(screen.getAllByRole("row").map((row) => row.getAttribute("aria-rowindex"))).toContain("201");
  // The height of all that is made and of all that stands in for the rest is that of the whole list.
  const gaps = [...tree.querySelectorAll<HTMLElement>('[role="presentation"]')].map(({ style }) =>
    Number.parseFloat(style.height),
  );
  const height = gaps.reduce((sum, gap) => sum + gap, 0) + screen.getAllByRole("row").length * ROW_PX;
  expect(height).toBe(COUNT * ROW_PX);
  press("ArrowDown");
  fireEvent.scroll(tree);
  expect(focused()).toBe("m002");
  act(() => screen.getByTestId("mission-m002").blur());
  scrollTo(200 * ROW_PX);
  expect(screen.queryByTestId("mission-m002")).toBeNull();
});

it("a row that is made later takes the focus from nobody", () => {
  renderWith(
    fakeStation(),
    <>
      <MissionTree graph={MANY} selected={undefined} onSelect={() => undefined} />
      <a href="#elsewhere">elsewhere</a>
    </>,
  );
  const rows = screen.getAllByRole("row");
  rows.at(-1)?.focus();
  press("ArrowDown");
  screen.getByText("elsewhere").focus();
  fireEvent.scroll(screen.getByTestId("missions"));
  expect(document.activeElement?.textContent).toBe("elsewhere");
});

it("scrolls to the mission that is shown, which takes the focus of Tab", () => {
  renderWith(fakeStation(), <MissionTree graph={MANY} selected="m400" onSelect={() => undefined} />);
  fireEvent.scroll(screen.getByTestId("missions"));
  expect(screen.getByTestId("mission-m400").tabIndex).toBe(0);
});
