import {
  Background,
  type Connection,
  type Edge,
  type EdgeTypes,
  type NodeChange,
  type NodeTypes,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { IconButton } from "../../../design/components/IconButton";
import { t } from "../../../locales/i18n";
import { EdgeMarkers } from "./EdgeMarkers";
import { useFlowEdges } from "./flow-edges";
import { useFlowNodes } from "./flow-nodes";
import { edgeId, type LinkRefusal, linkRefusal, NODE_WIDTH, type Pair } from "./graph-model";
import type { Places } from "./history";
import styles from "./MissionCanvas.module.css";
import { MissingCard, type MissingFlowNode, MissionCard, type MissionFlowNode } from "./MissionCard";
import { MissionEdge } from "./MissionEdge";
import type { Reveal } from "./useGraphActs";
import type { GraphPlaces } from "./usePlaces";

type CanvasProps = {
  graph: MissionGraph;
  places: GraphPlaces;
  selected: string | undefined;
  /** The edge that a key would take away. */
  edge: GraphEdge | null;
  mayChange: boolean;
  onSelect: (id: string) => void;
  onEdge: (edge: GraphEdge | null) => void;
  onConnect: (pair: Pair) => void;
  onRefused: (refusal: LinkRefusal) => void;
  /** Missions were put elsewhere by the pointer. */
  onMoved: (to: Places) => void;
  /** Called with the way to bring a mission into sight, while there is one. */
  onReveal: (reveal: Reveal | null) => void;
  onNew: () => void;
};

const EDGE_TYPES: EdgeTypes = { mission: MissionEdge };
const NODE_TYPES: NodeTypes = { mission: MissionCard, missing: MissingCard };

/** With more missions than this, those out of sight are not drawn. */
const DRAWN_MAX = 60;
/** Space below the last mission, px: buttons stand there. */
const MARGIN_BOTTOM = 60;
const FIT = { maxZoom: 1, padding: { x: 0.08, top: 0.08, bottom: `${MARGIN_BOTTOM}px` } } as const;
/** Below this nobody can read a mission: the screen opens with the first of them in a size that can be read. */
const ZOOM_READABLE = 0.7;
/** Space beside the first mission, px. */
const MARGIN = 20;
/** Space above it, px: nearer to the edge the graph moves on while something is dragged there. */
const MARGIN_TOP = 56;

/** Missions and what they wait for, as the station tells it. */
export function MissionCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow(props: CanvasProps) {
  const { graph, places, selected, mayChange, onSelect, onEdge, onConnect, onRefused, onMoved, onReveal, onNew } =
    props;
  const nodes = useFlowNodes(graph, places, selected, mayChange);
  const edges = useFlowEdges(graph, places, props.edge);
  const open = useViewport(selected, places, onReveal);
  const edgeOf = (id: string) => graph.edges.find((edge) => edgeId(edge) === id) ?? null;

  const onNodesChange = (changes: NodeChange<MissionFlowNode | MissingFlowNode>[]) => {
    const moves = changes.flatMap((change) =>
      // The final position arrives in onNodeDragStop, so that a drag is one undo step.
      change.type === "position" && change.position !== undefined && change.dragging === true
        ? [[change.id, [change.position.x, change.position.y]] as const]
        : [],
    );
    if (moves.length > 0) places.drag(Object.fromEntries(moves));
  };
  return (
    <ReactFlow
      className={styles.canvas ?? ""}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onNodesChange={onNodesChange}
      onNodeClick={(_, node) => node.type === "mission" && onSelect(node.id)}
      onNodeDragStop={(_, node) => onMoved({ [node.id]: [Math.round(node.position.x), Math.round(node.position.y)] })}
      onEdgeClick={(_, { id }) => onEdge(edgeOf(id))}
      onPaneClick={() => onEdge(null)}
      onDoubleClick={(event) => event.target instanceof Element && isPane(event.target) && mayChange && onNew()}
      isValidConnection={(pair) => linkRefusal(graph.edges, pairOf(pair)) === null}
      onConnect={(pair) => onConnect(pairOf(pair))}
      onConnectEnd={(_, { isValid, fromNode, fromHandle, toNode }) => {
        if (isValid !== false || fromNode === null || toNode === null) return;
        const isForward = fromHandle?.type === "source";
        const pair = isForward ? { from: fromNode.id, to: toNode.id } : { from: toNode.id, to: fromNode.id };
        const refusal = linkRefusal(graph.edges, pair);
        if (refusal !== null) onRefused(refusal);
      }}
      connectionRadius={28}
      nodesDraggable={mayChange}
      nodesConnectable={mayChange}
      // A click of an unsteady hand moves nothing.
      nodeDragThreshold={4}
      minZoom={0.15}
      maxZoom={1.5}
      onlyRenderVisibleElements={graph.nodes.length > DRAWN_MAX}
      onInit={open}
      // The keys are the same here and in the list (ME-12).
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      // A double click makes a mission.
      zoomOnDoubleClick={false}
      // It is a link out of the station, and the window goes nowhere else (U-110).
      proOptions={{ hideAttribution: true }}
      aria-label={t("mission_graph.canvas")}
    >
      <Background color="var(--grid-major)" gap={20} size={1.4} />
      <EdgeMarkers />
      <Panel position="bottom-left" className={styles.zoom ?? ""}>
        <Zoom />
      </Panel>
    </ReactFlow>
  );
}

function isPane(target: Element): boolean {
  return target.classList.contains("react-flow__pane");
}

function pairOf({ source, target }: Connection | Edge): Pair {
  return { from: source, to: target };
}

/** Opens with all missions, or as many as can be read, and keeps the selected one in sight. */
function useViewport(
  selected: string | undefined,
  { points, boxes }: GraphPlaces,
  onReveal: (reveal: Reveal | null) => void,
): () => void {
  const flow = useReactFlow();
  const follow = (followed: string) => {
    const at = points?.get(followed);
    const height = boxes.find(({ id }) => id === followed)?.height ?? 0;
    const frame = frameOf();
    if (at === undefined || frame === null) return;
    const { x, y, zoom } = flow.getViewport();
    const right = intoSight(at.x * zoom + x, NODE_WIDTH * zoom, frame.width);
    const down = intoSight(at.y * zoom + y, height * zoom, frame.height);
    if (right !== 0 || down !== 0) void flow.setViewport({ x: x + right, y: y + down, zoom });
  };
  const open = () => {
    const all = boxes.flatMap(({ id, ...size }) => {
      const at = points?.get(id);
      return at === undefined ? [] : [{ ...at, ...size }];
    });
    const frame = frameOf();
    if (frame === null || all.length === 0) return;
    const left = Math.min(...all.map(({ x }) => x));
    const top = Math.min(...all.map(({ y }) => y));
    const width = Math.max(...all.map(({ x, width: own }) => x + own)) - left;
    const height = Math.max(...all.map(({ y, height: own }) => y + own)) - top;
    const fits = Math.min(frame.width / (width + 2 * MARGIN), frame.height / (height + MARGIN_TOP + MARGIN_BOTTOM));
    const zoom = Math.min(1, Math.max(ZOOM_READABLE, fits));
    // What has room stands in the middle; of a wider graph, the first mission does.
    const first = all.reduce((best, one) => (one.y < best.y ? one : best));
    const isNarrow = width * zoom + 2 * MARGIN <= frame.width;
    const x = isNarrow ? (frame.width - width * zoom) / 2 - left * zoom : firstAt(first, left, frame.width, zoom);
    void flow
      .setViewport({ x, y: MARGIN_TOP - top * zoom, zoom })
      .then(() => selected !== undefined && follow(selected));
  };
  const following = useRef(follow);
  const revealed = useRef(onReveal);
  useEffect(() => {
    following.current = follow;
    revealed.current = onReveal;
  });
  // Synchronises with the keys of the screen, which walk to missions that are not drawn.
  useEffect(() => {
    revealed.current((id) => flushSync(() => following.current(id)));
    return () => revealed.current(null);
  }, []);
  // Synchronises with the size of the canvas: the panel of a mission that was just selected takes some of it.
  useEffect(() => {
    const frame = canvas();
    if (selected === undefined || frame === null) return;
    const sized = new ResizeObserver(() => following.current(selected));
    sized.observe(frame);
    return () => sized.disconnect();
  }, [selected]);
  return open;
}

/** The shortest way that brings a card into a frame, pixels; none for one that is in it. */
function intoSight(begin: number, length: number, frame: number): number {
  if (begin < 0) return MARGIN - begin;
  const over = begin + length - frame;
  // A card that is larger than the frame shows its beginning.
  return over > 0 ? Math.max(MARGIN - begin, -over - MARGIN) : 0;
}

/** The first mission in the middle, unless that leaves empty ground at the left. */
function firstAt({ x, width }: { x: number; width: number }, left: number, frame: number, zoom: number): number {
  return Math.min(MARGIN - left * zoom, frame / 2 - (x + width / 2) * zoom);
}

function canvas(): Element | null {
  return document.querySelector("[data-mission-canvas]");
}

function frameOf(): DOMRect | null {
  return canvas()?.getBoundingClientRect() ?? null;
}

function Zoom() {
  const flow = useReactFlow();
  return (
    <>
      <IconButton label={t("mission_graph.zoom_in")} Icon={ZoomIn} onClick={() => void flow.zoomIn()} />
      <IconButton label={t("mission_graph.zoom_out")} Icon={ZoomOut} onClick={() => void flow.zoomOut()} />
      <IconButton
        label={t("mission_graph.fit")}
        Icon={Maximize}
        testId="graph-fit"
        onClick={() => void flow.fitView(FIT)}
      />
    </>
  );
}
