// Keys of the missions, the same in the list and in the graph (ME-12). In the inspector, in fields and in dialogs they
// are what they are anywhere.

import { type RefObject, useEffect } from "react";
import { findShortcut } from "../../../design/shortcuts/keys-in-force";
import { usePairKeys } from "../../../design/shortcuts/usePairKeys";
import type { ShortcutId } from "../../../design/shortcuts/shortcuts";
import type { Arrow } from "./graph-model";

/** Acts of the keys; `id` is the mission that has the focus, else the one that is shown. */
export type KeyActs = {
  link: (id: string) => void;
  unlink: (id: string) => void;
  create: () => void;
  remove: (id: string | undefined) => void;
  tidy: () => void;
  undo: () => void;
  redo: () => void;
  open: (id: string) => void;
  /** Goes on from a node. */
  walk: (id: string, arrow: Arrow) => void;
  /** Moves a node. */
  nudge: (id: string, arrow: Arrow) => void;
  goNextRunning: () => void;
  goProblem: (step: 1 | -1) => void;
};

type Part = RefObject<HTMLElement | null>;

/** Binds them within `area`, those of the problems within the whole `view`, and all where nothing has the focus. */
export function useMissionKeys(view: Part, area: Part, selected: string | undefined, acts: KeyActs): void {
  usePairKeys({ go_next_running: acts.goNextRunning });

  // Synchronises with the keyboard of the window.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.composedPath()[0];
      const isIn = (part: Part) =>
        target === document.body || (target instanceof Node && part.current?.contains(target) === true);
      // The list has already handled this key.
      if (event.defaultPrevented || isField(target)) return;
      // A way to a problem ends on its line, beside the list, and the next one begins there.
      const isDone = (isIn(view) && step(event, acts)) || (isIn(area) && act(event, acts, selected));
      if (isDone) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}

function step(event: KeyboardEvent, acts: KeyActs): boolean {
  const problem = findShortcut(event, "form");
  if (problem !== "next_problem" && problem !== "previous_problem") return false;
  acts.goProblem(problem === "next_problem" ? 1 : -1);
  return true;
}

function act(event: KeyboardEvent, acts: KeyActs, selected: string | undefined): boolean {
  const node = nodeOf(event.target);
  if (node !== null && isArrow(event.key) && !event.ctrlKey && !event.altKey) {
    if (event.shiftKey) acts.nudge(node, event.key);
    else acts.walk(node, event.key);
    return true;
  }
  if (node !== null && event.key === "Enter") {
    acts.open(node);
    return true;
  }
  const found = findShortcut(event, "mission");
  return found !== null && KEYS[found]?.(acts, node ?? rowOf(event.target) ?? selected) === true;
}

/** True if the key does something with this mission. */
type Key = (acts: KeyActs, id: string | undefined) => boolean;

const done = (act: () => void): true => {
  act();
  return true;
};

const KEYS: Partial<Record<ShortcutId, Key>> = {
  mission_link: (acts, id) => id !== undefined && done(() => acts.link(id)),
  mission_unlink: (acts, id) => id !== undefined && done(() => acts.unlink(id)),
  mission_new: (acts) => done(acts.create),
  mission_remove: (acts, id) => done(() => acts.remove(id)),
  mission_tidy: (acts) => done(acts.tidy),
  mission_undo: (acts) => done(acts.undo),
  mission_redo: (acts) => done(acts.redo),
};

const ARROWS: readonly string[] = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] satisfies Arrow[];

function isArrow(key: string): key is Arrow {
  return ARROWS.includes(key);
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

function nodeOf(target: EventTarget | null): string | null {
  const node = target instanceof Element ? target.closest(".react-flow__node") : null;
  return node?.getAttribute("data-id") ?? null;
}

function rowOf(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest("[data-mission]") : null;
  return row?.getAttribute("data-mission") ?? undefined;
}
