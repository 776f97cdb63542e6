// Acts of a person on missions, the same in the list, in the graph and by keys.

import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { t } from "../../../locales/i18n";
import { type MissionRemoval, useLeave, useMissionRemoval } from "../useMissionRemoval";
import { type Arrow, edgeId, linkRefusal, neighbourOf, nextRunning, type Pair, type Points } from "./graph-model";
import type { Places } from "./history";
import { refusalText } from "./link-words";
import { canUnlink } from "./LinkDialog";
import { type GraphHistory, useGraphHistory } from "./useGraphHistory";
import { type GraphPlaces, usePlaces } from "./usePlaces";

/** One step of a node that keys move, px. */
const NUDGE = 20;

const TOWARDS: Record<Arrow, readonly [number, number]> = {
  ArrowUp: [0, -NUDGE],
  ArrowDown: [0, NUDGE],
  ArrowLeft: [-NUDGE, 0],
  ArrowRight: [NUDGE, 0],
};

/** Brings a mission into sight, in the page by the time that it returns. */
export type Reveal = (id: string) => void;

/** The acts, with what they changed last. */
export type GraphActs = ReturnType<typeof useGraphActs>;

/** The acts on a graph, and what was refused of them. `mayChange` is false where nothing may be written. */
export function useGraphActs(graph: MissionGraph, mayChange: boolean) {
  const places = usePlaces(graph);
  const history = useGraphHistory(places.put, useLeave());
  const move = (to: Places) => moveAll(graph, places, history, to);
  const removal = useMissionRemoval();
  const [told, setTold] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  // Once the files say no more of it, there is nothing left to disconnect.
  const edge = graph.edges.find((one) => edgeId(one) === chosen) ?? null;
  const setEdge = (next: GraphEdge | null) => setChosen(next && edgeId(next));
  const tidying = useTidy();
  const [, go] = useLocation();

  const connect = (pair: Pair) => {
    if (!mayChange) return;
    const refusal = linkRefusal(graph.edges, pair);
    setTold(refusal === null ? null : refusalText(refusal));
    if (refusal === null) history.edit(pair.to, [{ add_dependency: pair.from }]);
  };
  const disconnect = (gone: GraphEdge) => {
    if (!mayChange) return;
    setEdge(null);
    setTold(canUnlink(gone) ? null : t("mission_graph.only_in_force"));
    if (canUnlink(gone)) history.edit(gone.to, [{ remove_dependency: gone.from }]);
  };
  const nudge = (id: string, arrow: Arrow) => {
    const at = places.points?.get(id);
    if (!mayChange || at === undefined) return;
    const [x, y] = TOWARDS[arrow];
    move({ [id]: [at.x + x, at.y + y] });
  };
  return {
    places,
    history,
    edge,
    setEdge,
    told,
    setTold,
    removal,
    error: history.error ?? removal.error ?? places.error,
    isTidying: tidying.running,
    move,
    connect,
    disconnect,
    nudge,
    ...useWalk(graph, places.points),
    remove: (id: string | undefined) => {
      if (!mayChange) return;
      // The bar names the chosen connection, and it is the lesser loss.
      if (edge !== null) return disconnect(edge);
      if (id !== undefined) setTold(removed(graph, removal, id));
    },
    tidy: () => {
      if (!mayChange) return;
      setTold(null);
      tidying.toggle(
        places.tidied,
        (points) => move(wholePixels(points, graph)),
        () => setTold(t("mission_graph.tidy_stopped")),
      );
    },
    goNextRunning: (id: string | undefined) => {
      const next = nextRunning(graph.nodes, id);
      if (next !== null) go(`/missions/${next}`);
    },
  };
}

/** Goes from mission to mission; `onReveal` takes the way to bring one into sight. */
function useWalk({ edges }: MissionGraph, points: Points | null) {
  const reveal = useRef<Reveal | null>(null);
  return {
    walk: (id: string, arrow: Arrow) => {
      const next = points === null ? null : neighbourOf(id, arrow, points, edges);
      if (next === null) return;
      // Of many missions those out of sight are not in the page, and what is not there takes no focus.
      reveal.current?.(next);
      document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(next)}"]`)?.focus();
    },
    onReveal: (next: Reveal | null) => {
      reveal.current = next;
    },
  };
}

/** Puts missions elsewhere. The others, as far as nobody had placed them, stay where they are shown. */
function moveAll({ nodes }: MissionGraph, places: GraphPlaces, history: GraphHistory, to: Places): void {
  const before: Record<string, readonly [number, number] | null> = {};
  const after: Record<string, readonly [number, number] | null> = {};
  for (const { id, at } of nodes) {
    const shown = places.points?.get(id);
    const wanted = to[id] ?? (places.kept.has(id) || shown === undefined ? null : ([shown.x, shown.y] as const));
    if (wanted === null) continue;
    before[id] = places.moved.has(id) ? (places.moved.get(id) ?? null) : at;
    after[id] = wanted;
  }
  if (Object.keys(after).length === 0) return;
  places.put(after);
  history.moved(before, after);
}

function wholePixels(points: Points, { nodes }: MissionGraph): Places {
  const places = nodes.flatMap(({ id }) => {
    const at = points.get(id);
    return at === undefined ? [] : [[id, [Math.round(at.x), Math.round(at.y)]] as const];
  });
  return Object.fromEntries(places);
}

/** Puts the file of a mission away; the reason where there is none. The station says why where it may not be. */
function removed({ nodes }: MissionGraph, removal: MissionRemoval, id: string): string | null {
  const hash = nodes.find((one) => one.id === id)?.hash ?? null;
  if (hash === null) return t("missions.no_text");
  removal.run(id, hash);
  return null;
}

/** A layout that runs beside the window; pressed again, or with the screen left, it is given up. */
function useTidy() {
  const [running, setRunning] = useState(false);
  const giveUp = useRef<AbortController | null>(null);
  // Synchronises with the thread that lays out.
  useEffect(() => () => giveUp.current?.abort(), []);
  const toggle = (
    layOut: (signal: AbortSignal) => Promise<Points>,
    onDone: (points: Points) => void,
    onFailed: () => void,
  ) => {
    if (giveUp.current !== null) {
      giveUp.current.abort();
      giveUp.current = null;
      return;
    }
    const controller = new AbortController();
    giveUp.current = controller;
    setRunning(true);
    const end = () => {
      giveUp.current = null;
      setRunning(false);
    };
    void layOut(controller.signal).then(
      (points) => {
        end();
        onDone(points);
      },
      () => {
        end();
        // Whoever gave it up knows that nothing was moved.
        if (!controller.signal.aborted) onFailed();
      },
    );
  };
  return { running, toggle };
}
