// The problems of all files: those that are listed, the one that was gone to, and the ways to the others.

import { useState } from "react";
import { useLocation } from "wouter";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { MissionProblem } from "../../../generated/bindings/MissionProblem";
import { placeOf } from "../mission-tabs";
import type { TextPlace } from "../MissionText";
import { ALL_PROBLEMS, type FileProblem, filtered, type ProblemFilter, problemsOf } from "./problem-filter";

/** The problems with the acts on them. */
export type Problems = ReturnType<typeof useProblems>;

/** The problems of a graph, and the one that was gone to. */
export function useProblems({ nodes }: MissionGraph) {
  const [, navigate] = useLocation();
  const [filter, setFilter] = useState<ProblemFilter>(ALL_PROBLEMS);
  const [last, setLast] = useState<{ at: number; name: string } | null>(null);
  const [place, setPlace] = useState<{ id: string; place: TextPlace } | null>(null);
  const all = problemsOf(nodes);
  // The keys lead through what is listed, and past what somebody does not want to see.
  const listed = filtered(all, filter);
  // Others come and go in the list, so that it is found by its name.
  const found = last === null ? -1 : listed.findIndex((one) => nameOf(one) === last.name);
  const jump = (id: string, { line, end_line }: MissionProblem) => {
    setPlace({ id, place: { line, endLine: end_line, asked: (place?.place.asked ?? 0) + 1 } });
    navigate(placeOf(id, "text"));
  };
  const go = (at: number) => {
    const problem = listed[at];
    if (problem === undefined) return;
    setLast({ at, name: nameOf(problem) });
    jump(problem.id, problem.problem);
  };
  return {
    all,
    listed,
    filter,
    setFilter,
    current: found === -1 ? null : found,
    go,
    jump,
    step: (by: 1 | -1) => {
      if (listed.length === 0) return;
      // One that is mended has left its place to the next.
      const from = found === -1 ? (last?.at ?? 0) - (by === 1 ? 1 : 0) : found;
      go((Math.min(from, listed.length) + by + listed.length) % listed.length);
    },
    placeIn: (id: string) => (place?.id === id ? place.place : null),
  };
}

function nameOf({ id, problem: { code, line, column, message } }: FileProblem): string {
  return `${id} ${code} ${line}:${column} ${message}`;
}
