// The graph of missions as it is drawn and walked: sizes, order, neighbours, and connections that make no sense. Where a
// mission stands and why comes from the station.

import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { groupOf, type MissionFilter } from "../mission-state";

/** Size of a node, px; its height follows from what it says. */
export const NODE_WIDTH = 226;
const NODE_HEIGHT = 98;
const NODE_SECOND_LINE = 17;
const NODE_METER = 10;
/** Characters of the sentence that have room in one line. */
const LINE_CHARS = 32;

/** A corner in the graph, px. */
export type Point = { x: number; y: number };

/** Corners by mission. */
export type Points = ReadonlyMap<string, Point>;

/** The least that a layout has to know of a mission. */
export type Box = { id: string; width: number; height: number };

/** A first and a second mission. */
export type Pair = { from: string; to: string };

/** The height of a node that says `sentence`, px. */
export function heightOf(sentence: string, hasMeter: boolean): number {
  return NODE_HEIGHT + (sentence.length > LINE_CHARS ? NODE_SECOND_LINE : 0) + (hasMeter ? NODE_METER : 0);
}

/** Names an edge in the page. */
export function edgeId({ from, to, kind }: Pick<GraphEdge, "from" | "to" | "kind">): string {
  return `${kind} ${from} ${to}`;
}

/** Missions that edges name and that there are not. */
export function missingOf({ nodes, edges }: Pick<MissionGraph, "nodes" | "edges">): string[] {
  const known = new Set(nodes.map(({ id }) => id));
  const named = edges.flatMap(({ from, to }) => [from, to]);
  return [...new Set(named.filter((id) => !known.has(id)))].sort();
}

/** The reason why a second mission cannot be made to wait for a first one; `circle` names the missions of it in order. */
export type LinkRefusal = { kind: "self" } | { kind: "double" } | { kind: "circle"; path: string[] };

/** Refuses a connection that makes no sense in the files as they stand; null if it does. */
export function linkRefusal(edges: readonly GraphEdge[], pair: Pair): LinkRefusal | null {
  return linkRefuser(edges, pair.to)(pair);
}

/** The same for many connections of the mission `id`: the edges are gone through once, not once for each. */
export function linkRefuser(edges: readonly GraphEdge[], id: string): (pair: Pair) => LinkRefusal | null {
  const inFiles = edges.filter((edge) => edge.in !== "activated" && edge.kind !== "spawn");
  const doubles = new Set(inFiles.filter(({ kind }) => kind === "depends_on").map(pairName));
  let after: Ways | null = null;
  let before: Ways | null = null;
  return (pair) => {
    if (pair.from === pair.to) return { kind: "self" };
    if (doubles.has(pairName(pair))) return { kind: "double" };
    const path =
      pair.to === id
        ? wayTo(pair.from, (after ??= waysFrom(id, inFiles)))
        : wayTo(
            pair.to,
            (before ??= waysFrom(
              id,
              inFiles.map(({ from, to }) => ({ from: to, to: from })),
            )),
          )?.toReversed();
    return path === undefined ? null : { kind: "circle", path: [pair.from, ...path] };
  };
}

function pairName({ from, to }: Pair): string {
  return `${from} ${to}`;
}

/** Missions that edges lead to, each with the one before it on the shortest way; null for the start. */
type Ways = ReadonlyMap<string, string | null>;

function waysFrom(start: string, edges: readonly Pair[]): Ways {
  const next = grouped(edges, ({ from }) => from);
  const ways = new Map<string, string | null>([[start, null]]);
  // A map goes on to what is added while it is gone through.
  for (const at of ways.keys()) for (const { to } of next.get(at) ?? []) if (!ways.has(to)) ways.set(to, at);
  return ways;
}

/** The way to `end`, both ends included; undefined if there is none. */
function wayTo(end: string, ways: Ways): string[] | undefined {
  if (!ways.has(end)) return undefined;
  const path = [];
  for (let id: string | null = end; id !== null; id = ways.get(id) ?? null) path.unshift(id);
  return path;
}

/** A row of the list: a mission below the one that it waits for. */
export type TreeRow = { node: MissionNode; depth: number; isOpen: boolean; hasMore: boolean };

const GROUPS: readonly MissionFilter[] = ["open", "draft", "ended"];

/** Every mission once: below its parent, else below the first mission that it waits for. */
export function treeOf({ nodes, edges }: MissionGraph, closed: ReadonlySet<string>): TreeRow[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const above = new Map<string, string>();
  const isStronger = (edge: GraphEdge) => edge.kind === "parent" || !above.has(edge.to);
  for (const edge of edges)
    if (edge.kind !== "spawn" && known.has(edge.from) && isStronger(edge)) above.set(edge.to, edge.from);
  const below = grouped(nodes, ({ id }) => above.get(id) ?? null);
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const add = (first: MissionNode, shown: boolean) => {
    const open = [{ node: first, depth: 0, shown }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at.node.id)) continue;
      seen.add(at.node.id);
      const { node, depth, shown: isShown } = at;
      const children = (below.get(node.id) ?? []).filter(({ id }) => !seen.has(id));
      const isOpen = !closed.has(node.id);
      if (isShown) rows.push({ node, depth, isOpen, hasMore: children.length > 0 });
      for (const child of inOrder(children).toReversed())
        open.push({ node: child, depth: depth + 1, shown: isShown && isOpen });
    }
  };
  for (const root of inOrder(below.get(null) ?? [])) add(root, true);
  // What waits for itself has nothing above it.
  for (const node of inOrder(nodes)) if (!seen.has(node.id)) add(node, true);
  return rows;
}

/** Members by a key, each group in the order given. */
export function grouped<Key, Member>(members: readonly Member[], keyOf: (member: Member) => Key): Map<Key, Member[]> {
  const groups = new Map<Key, Member[]>();
  for (const member of members) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return groups;
}

function place(node: MissionNode): number {
  return GROUPS.indexOf(groupOf(node));
}

function inOrder(nodes: readonly MissionNode[]): MissionNode[] {
  return nodes.toSorted((a, b) => place(a) - place(b) || a.title.localeCompare(b.title) || a.id.localeCompare(b.id));
}

/** Arrow keys in the graph. */
export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const TOWARDS: Record<Arrow, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** The mission in a direction: along an edge where one leads there, else the nearest that lies there. */
export function neighbourOf(id: string, arrow: Arrow, points: Points, edges: readonly Pair[]): string | null {
  const here = points.get(id);
  if (here === undefined) return null;
  const along = new Set(
    edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : [])).filter((other) => other !== id),
  );
  const towards = TOWARDS[arrow];
  const distances = [...points].flatMap(([other, { x, y }]) => {
    const way = { x: x - here.x, y: y - here.y };
    const ahead = way.x * towards.x + way.y * towards.y;
    if (other === id || ahead <= 0) return [];
    const aside = Math.abs(way.x * towards.y) + Math.abs(way.y * towards.x);
    // An edge counts before any distance, and a straight way before a slanting one.
    return [{ other, cost: ahead + 2 * aside + (along.has(other) ? 0 : FAR) }];
  });
  return distances.toSorted((a, b) => a.cost - b.cost)[0]?.other ?? null;
}

const FAR = 1e9;

/** The next mission that runs, after `id`, in the order of ids; null if none does. */
export function nextRunning(nodes: readonly MissionNode[], id: string | undefined): string | null {
  const running = nodes.filter(({ state, goal }) => state === "active" || goal !== null).map((node) => node.id);
  return running.find((other) => id === undefined || other > id) ?? running[0] ?? null;
}
