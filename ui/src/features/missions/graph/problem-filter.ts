// Problems of mission files: their order, and the ones that somebody wants to see.

import type { MissionNode } from "../../../generated/bindings/MissionNode";
import type { MissionProblem } from "../../../generated/bindings/MissionProblem";
import type { MissionSeverity } from "../../../generated/bindings/MissionSeverity";

/** A problem of one of the files. One that keeps the file from being read at all has no place. */
export type FileProblem = { id: string; problem: MissionProblem };

/** The ones that are wanted; an empty word wants all. */
export type ProblemFilter = { mission: string; severity: MissionSeverity | ""; code: string };

/** Wants all of them. */
export const ALL_PROBLEMS: ProblemFilter = { mission: "", severity: "", code: "" };

/** The problems of all files, errors first. */
export function problemsOf(nodes: readonly MissionNode[]): FileProblem[] {
  const all = nodes.flatMap(({ id, problems }) => problems.map((problem) => ({ id, problem })));
  const weight = ({ problem }: FileProblem) => (problem.severity === "error" ? 0 : 1);
  return all.toSorted((a, b) => weight(a) - weight(b));
}

/** Those that are wanted, in their order. */
export function filtered(all: readonly FileProblem[], { mission, severity, code }: ProblemFilter): FileProblem[] {
  return all.filter(
    ({ id, problem }) => fits(mission, id) && fits(severity, problem.severity) && fits(code, problem.code),
  );
}

function fits(wanted: string, is: string): boolean {
  return wanted === "" || wanted === is;
}

/** Missions and codes that problems have, each once and by name. */
export function choicesOf(all: readonly FileProblem[]): { missions: string[]; codes: string[] } {
  return {
    missions: [...new Set(all.map(({ id }) => id))].toSorted(),
    codes: [...new Set(all.map(({ problem }) => problem.code))].toSorted(),
  };
}
