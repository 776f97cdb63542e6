// Missions as a station tells of them.

import type { MissionDetail } from "../generated/bindings/MissionDetail";
import type { MissionGraph } from "../generated/bindings/MissionGraph";
import type { MissionHistory } from "../generated/bindings/MissionHistory";
import type { MissionNode } from "../generated/bindings/MissionNode";
import type { MissionRow } from "../generated/bindings/MissionRow";

export const ROW: MissionRow = {
  id: "patrol",
  title: "Night patrol",
  status: "active",
  state: "waiting",
  flags: [],
  reason: {
    code: "dependency",
    sentence: "Waiting: calibrate-arm is paused since 13:50.",
    since_ms: 1_772_990_000_000,
  },
  compiled_at: 1_772_990_000,
  activated_at: 1_772_990_000,
  expires_at: null,
  starts_at: null,
  jobs: 1,
  errors: 0,
  warnings: 1,
  error: null,
};
export const NODE: MissionNode = {
  ...ROW,
  hash: "h1",
  activated_hash: "h1",
  robots: ["rover-1"],
  resources: [],
  limits: 0,
  goals: 2,
  goals_done: 0,
  goal: null,
  waits: [],
  problems: [],
  at: null,
  may: [],
};
export const GRAPH: MissionGraph = {
  nodes: [
    NODE,
    {
      ...NODE,
      id: "draft-1",
      title: "New one",
      status: "draft",
      state: "draft",
      reason: null,
      errors: 1,
      error: "line 4",
    },
  ],
  edges: [{ from: "patrol", to: "draft-1", kind: "depends_on", in: "draft", state: "open" }],
  cycles: [],
  layout_hash: null,
  layout_problem: null,
  next: null,
};
/** Past of a mission of which nothing is known. */
export const NO_PAST: MissionHistory = { steps: [], versions: [], next: null };
export const LIVE = { providers: 1, alerts: 2, jobs: 1, open_commands: 0, locks: 0 };
export const DETAIL: MissionDetail = {
  ...ROW,
  source: "---\nid: patrol\n---\n# Night patrol\n<b>go</b>",
  hash: "h1",
  activated_source: null,
  activated_hash: "h1",
  activated_by: "dana",
  robots: ["rover-1"],
  depends_on: [{ id: "calibrate-arm", status: "paused" }],
  goals: [],
  answers: [],
  live: LIVE,
  trust: "text",
  hidden: [],
  problems: [],
  problems_unlisted: 0,
  meaning: ["Robot: rover-1."],
  changes: [],
  role_needed: "operator",
  reason_needed: false,
};
