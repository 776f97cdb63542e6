import { act } from "@testing-library/react";
import { expect, it } from "vitest";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { GRAPH, NODE } from "../../../testing/missions";
import { fakeStation, renderWith } from "../../../testing/station";
import { useFlowEdges } from "./flow-edges";
import { useFlowNodes } from "./flow-nodes";
import { usePlaces } from "./usePlaces";

const FAR = 4_000;
const CHAIN: MissionGraph = {
  ...GRAPH,
  nodes: ["a", "b", "c", "d"].map((id, at) => ({ ...NODE, id, at: [0, at * FAR] as [number, number] })),
  edges: [
    { from: "a", to: "b", kind: "depends_on", in: "draft", state: "open" },
    { from: "c", to: "d", kind: "depends_on", in: "draft", state: "open" },
  ],
};

it("U-2603 a step of a drag makes the dragged mission and its edges anew, and no other", async () => {
  const drawn: { nodes: ReturnType<typeof useFlowNodes>; edges: ReturnType<typeof useFlowEdges> }[] = [];
  let drag: ReturnType<typeof usePlaces>["drag"] = () => undefined;
  function Shown() {
    const places = usePlaces(CHAIN);
    drag = places.drag;
    drawn.push({
      nodes: useFlowNodes(CHAIN, places, undefined, true),
      edges: useFlowEdges(CHAIN, places, null),
    });
    return null;
  }
  const { settled } = renderWith(fakeStation({ list_locks: [] }), <Shown />);
  await settled();
  act(() => drag({ a: [10, 10] }));
  const before = drawn.at(-1);
  act(() => drag({ a: [20, 10] }));
  const after = drawn.at(-1);
  const isNew = (of: "nodes" | "edges") =>
    after?.[of].filter((one, at) => one !== before?.[of][at]).map(({ id }) => id);
  expect(isNew("nodes")).toEqual(["a"]);
  expect(isNew("edges")).toEqual(["depends_on a b"]);
  expect(after?.nodes[0]?.position).toEqual({ x: 20, y: 10 });
});
