import { act } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { GRAPH, NODE } from "../../../testing/missions";
import { fakeStation, renderWith } from "../../../testing/station";
import { MissionCanvas } from "./MissionCanvas";
import { useGraphActs } from "./useGraphActs";

const SIZE = { width: 800, height: 600 };

beforeEach(() => {
  // The browser of the tests measures nothing.
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(SIZE.width);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(SIZE.height);
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, SIZE.width, SIZE.height));
});
afterEach(() => vi.restoreAllMocks());

/** Missions below each other, more than are drawn at a time. */
const COUNT = 100;
const MANY: MissionGraph = {
  ...GRAPH,
  nodes: Array.from({ length: COUNT }, (_, at) => ({ ...NODE, id: `m${at}`, at: [0, at * 200] as [number, number] })),
  edges: [],
};

it("ME-12 arrows lead to missions that are out of sight", async () => {
  let walk: (id: string) => void = () => undefined;
  function Shown() {
    const acts = useGraphActs(MANY, true);
    walk = (id) => acts.walk(id, "ArrowDown");
    const none = () => undefined;
    return (
      <div data-mission-canvas style={SIZE}>
        <MissionCanvas
          graph={MANY}
          places={acts.places}
          selected={undefined}
          edge={null}
          mayChange
          onSelect={none}
          onEdge={none}
          onConnect={none}
          onRefused={none}
          onMoved={none}
          onReveal={acts.onReveal}
          onNew={none}
        />
      </div>
    );
  }
  const { settled } = renderWith(fakeStation({ list_locks: [] }), <Shown />);
  await settled();
  expect(document.querySelector('[data-id="m99"]')).toBeNull();
  const focused = () => document.activeElement?.getAttribute("data-id");
  for (let at = 0; at < COUNT - 1; at += 1) act(() => walk(`m${at}`));
  expect(focused()).toBe("m99");
});
