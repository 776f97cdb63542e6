// Places of missions in the graph: where people have put them, else where the layout does. A look at them writes nothing;
// a move is kept a second after the last one (ME-10).

import { useEffect, useRef, useState } from "react";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { HostError } from "../../../host/host";
import { type Input, operation } from "../../../host/operations";
import { useStation } from "../../../domain/station/station-context";
import { useLive } from "../../../domain/station/useLive";
import { useOperation } from "../../../domain/station/useOperation";
import { type Box, heightOf, missingOf, NODE_WIDTH, type Pair, type Point, type Points } from "./graph-model";
import type { Places } from "./history";
import { layOut } from "./lay-out";
import { beside } from "./layered";
import { sentenceOf } from "./node-words";

const SAVE_AFTER_MS = 1_000;
const MISSING_HEIGHT = 64;

/**
 * `points` is null until there is a layout; `kept` are those that somebody has chosen, and `moved` those that the station
 * does not show yet.
 */
export type GraphPlaces = {
  points: Points | null;
  kept: Points;
  moved: ReadonlyMap<string, readonly [number, number] | null>;
  boxes: readonly Box[];
  /** Shows missions elsewhere for now, as while one is dragged. */
  drag: (places: Places) => void;
  /** Shows missions elsewhere, and keeps that. */
  put: (places: Places) => void;
  /** The layout that tidies all up; rejects if it was given up or failed. */
  tidied: (signal: AbortSignal) => Promise<Points>;
  failed: boolean;
  error: HostError | null;
};

/** Missions as boxes with their sizes. */
export function boxesOf(graph: MissionGraph): Box[] {
  const missions = graph.nodes.map((node) => ({
    id: node.id,
    width: NODE_WIDTH,
    height: heightOf(sentenceOf(node), node.goal !== null && node.goals > 0),
  }));
  return [...missions, ...missingOf(graph).map((id) => ({ id, width: NODE_WIDTH, height: MISSING_HEIGHT }))];
}

export function usePlaces(graph: MissionGraph): GraphPlaces {
  const boxes = boxesOf(graph);
  const pairs = graph.edges.filter(({ kind }) => kind !== "spawn");
  const { shown, dragged, moved, put, drag, error } = useKept(graph);
  // As soon as a person has placed one mission, the whole graph is laid out only on request.
  const isNew = graph.nodes.length > 0 && !graph.nodes.some(({ id }) => shown.has(id));
  const { computed, failed } = useFirstLayout(boxes, pairs, isNew);
  const known = new Map([...(computed ?? []), ...shown]);
  const settled = isNew && computed === null && !failed ? null : beside(boxes, pairs, known);
  // A drag moves what is dragged: the others are not placed anew with each of its steps.
  const points = settled === null ? null : new Map([...settled, ...dragged]);
  return {
    points,
    kept: shown,
    moved,
    boxes,
    drag,
    put,
    failed,
    error,
    tidied: (signal) => layOut(boxes, pairs, signal),
  };
}

/** The layout of missions that nobody has placed yet, worked out once: those that are there stay when others come. */
function useFirstLayout(boxes: readonly Box[], pairs: readonly Pair[], wanted: boolean) {
  const [computed, setComputed] = useState<Points | null>(null);
  const [failed, setFailed] = useState(false);
  const newest = useRef({ boxes, pairs });
  useEffect(() => {
    newest.current = { boxes, pairs };
  });

  // Synchronises with the thread that lays out.
  useEffect(() => {
    if (!wanted) return;
    const giveUp = new AbortController();
    const { signal } = giveUp;
    layOut(newest.current.boxes, newest.current.pairs, signal).then(setComputed, () => setFailed(!signal.aborted));
    return () => giveUp.abort();
  }, [wanted]);
  return { computed, failed };
}

/** Places that the station keeps, with the moves of this window that it does not know yet. */
function useKept(graph: MissionGraph) {
  const agent = useLive((store) => store.agent);
  const afterwards = useRest(agent);
  const save = useOperation("save_mission_layout", (input, { hash }) => afterwards.send(input.positions, hash));
  const [moves, setMoves] = useState<Places>({});
  const [dragged, setDragged] = useState<Places>({});
  const [unsaved, setUnsaved] = useState<Places>({});
  const [sent, setSent] = useState<{ hash: string; places: Places } | null>(null);
  const { layout_hash } = graph;

  // Synchronises with the station: what it shows by now is no move any more.
  useEffect(() => {
    if (sent === null || layout_hash !== sent.hash) return;
    setMoves((now) => without(now, sent.places));
    setSent(null);
  }, [layout_hash, sent]);

  const send = (places: Places, base_hash: string | null) => {
    save.forget();
    save.run(
      inputOf(places, base_hash, agent),
      ({ hash }) => {
        setSent({ hash, places });
        setUnsaved((now) => without(now, places));
      },
      () => {
        // Another desk has written over what was sent before.
        setMoves((now) => without(now, sent?.places ?? {}));
        setSent(null);
      },
    );
  };
  const saving = useRef(send);
  const waiting = useRef({ places: unsaved, base_hash: layout_hash });
  useEffect(() => {
    saving.current = send;
    waiting.current = { places: unsaved, base_hash: sent?.hash ?? layout_hash };
  });
  // Synchronises with the screen: what was moved just before it is left is kept at once, or behind what is on its way.
  useEffect(() => {
    afterwards.begin(null);
    return () => {
      const { places, base_hash } = waiting.current;
      afterwards.begin(places);
      if (Object.keys(places).length > 0) saving.current(places, base_hash);
    };
  }, [afterwards]);

  // Synchronises with the clock: a move is kept once no other has followed it for a second.
  useEffect(() => {
    // Over another desk's move it is kept once that has come here.
    const isRefused = save.error !== null && save.error.code !== "file_changed";
    if (Object.keys(unsaved).length === 0 || save.pending || isRefused) return;
    const timer = setTimeout(() => saving.current(unsaved, sent?.hash ?? layout_hash), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [unsaved, layout_hash, sent, save.pending, save.error]);

  const shown = new Map<string, Point>();
  for (const { id, at } of graph.nodes) if (at !== null) shown.set(id, { x: at[0], y: at[1] });
  for (const [id, at] of Object.entries(moves)) {
    if (at === null) shown.delete(id);
    else shown.set(id, { x: at[0], y: at[1] });
  }
  return {
    shown,
    dragged: Object.entries(dragged).flatMap(([id, at]) =>
      at === null ? [] : [[id, { x: at[0], y: at[1] }] as const],
    ),
    moved: new Map(Object.entries(moves)),
    drag: (places: Places) => setDragged((now) => ({ ...now, ...places })),
    put: (places: Places) => {
      save.forget();
      setDragged({});
      setMoves((now) => ({ ...now, ...places }));
      setUnsaved((now) => ({ ...now, ...places }));
    },
    error: save.error,
  };
}

/** Moves that wait for an earlier call when the screen is left: no later call of the screen would keep them. */
function useRest(agent: string | null) {
  const { host } = useStation();
  const [rest] = useState(() => {
    let left: Places = {};
    return {
      begin: (places: Places | null) => {
        left = places ?? {};
      },
      send: (kept: Input<"save_mission_layout">["positions"], hash: string) => {
        const open = Object.entries(inputOf(left, null, null).positions).filter(
          ([id, at]) => !(id in kept) || JSON.stringify(kept[id]) !== JSON.stringify(at),
        );
        left = {};
        if (open.length === 0) return;
        const input = inputOf(Object.fromEntries(open), hash, agent);
        // Nobody looks at the graph any more: a refusal leaves the mission where it was.
        operation(host, "save_mission_layout", input).catch(() => undefined);
      },
    };
  });
  return rest;
}

function inputOf(places: Places, base_hash: string | null, agent: string | null) {
  const positions = Object.fromEntries(Object.entries(places).map(([id, at]) => [id, at === null ? null : pair(at)]));
  // The window may show another agent by the time that these are kept.
  return { base_hash, positions, ...(agent === null ? {} : { agent }) };
}

function pair([x, y]: readonly [number, number]): [number, number] {
  // The file of places has whole pixels (ME-10).
  return [Math.round(x), Math.round(y)];
}

/** `now` without what `gone` says the same of. */
function without(now: Places, gone: Places): Places {
  return Object.fromEntries(Object.entries(now).filter(([id, at]) => !(id in gone) || gone[id] !== at));
}
