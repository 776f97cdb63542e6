// Rows for tests: whole and valid, so that a test only names what it is about.

import type { AlarmRow } from "../generated/bindings/AlarmRow";
import type { CauseRow } from "../generated/bindings/CauseRow";
import type { ConstraintRow } from "../generated/bindings/ConstraintRow";
import type { Frame } from "../generated/bindings/Frame";
import type { ItemRow } from "../generated/bindings/ItemRow";
import type { Proposal } from "../generated/bindings/Proposal";
import type { RobotRow } from "../generated/bindings/RobotRow";
import type { RobotSafety } from "../generated/bindings/RobotSafety";
import type { Signal } from "../generated/bindings/Signal";
import type { Stop } from "../generated/bindings/Stop";
import type { StopRobot } from "../generated/bindings/StopRobot";
import type { VerdictItem } from "../generated/bindings/VerdictItem";
import type { WorldRow } from "../generated/bindings/WorldRow";

export function robotRow(change: Partial<RobotRow> = {}): RobotRow {
  return {
    id: "arm-1",
    site: "lab",
    simulated: true,
    state: "disarmed",
    control: "nobody",
    default_frame: "base_link",
    frames: ["map", "base_link"],
    transforms: [{ parent: "map", child: "base_link", translation_m: [3, 2, 0], rotation_xyzw: [0, 0, 0, 1] }],
    actuators: [{ id: "arm", kind: "tool", motions: ["pose_goal"] }],
    pose: null,
    limits: { speed_mps_max: 1, force_n_max: null },
    body_radius_m: 0.05,
    link: "live",
    rtt_ms: 4,
    hardware_estop: "red button on the pedestal",
    stop_behaviour: "hold",
    errors: [],
    ...change,
  };
}

export function constraintRow(change: Partial<ConstraintRow> = {}): ConstraintRow {
  return {
    constraint: { MaxVelocity: 0.5 },
    id: "con-1",
    scope: "robot",
    frame: null,
    unit: "m/s",
    version: 8,
    robot: "arm-1",
    mission: null,
    ...change,
  };
}

export function causeRow(change: Partial<CauseRow> = {}): CauseRow {
  return {
    cause: "hold_requested",
    since_mono_ms: 6_000,
    clears: "on_acknowledge",
    present: false,
    sentence: "Somebody asked the robot to hold.",
    ...change,
  };
}

export function robotSafety(change: Partial<RobotSafety> = {}): RobotSafety {
  return {
    robot: "arm-1",
    state: "hold",
    escape_only: false,
    escape_possible: false,
    unconstrained_until_mono_ms: null,
    supervision: "required",
    causes: [causeRow()],
    arming_problem: null,
    arming_hindrance: null,
    keeps_moving: false,
    base_timeout: null,
    set_version: 8,
    set_hash: "9f86",
    link: "live",
    gate: "reference",
    control: "nobody",
    control_request: null,
    ...change,
  };
}

export function poseSignal(robot: string, position_m: [number, number, number], change: Partial<Signal> = {}): Signal {
  return {
    id: `robot/${robot}/pose`,
    source: `lab/${robot}/out/state/pose`,
    value: { frame: "base_link", position_m, orientation: null },
    unit: null,
    confidence: null,
    observed_mono_ms: 10_000,
    max_age_ms: 500,
    age_basis: "source",
    origin: "measured",
    source_lost: false,
    simulated: true,
    ...change,
  };
}

export function itemRow(kind: VerdictItem["kind"], change: Partial<VerdictItem> = {}): ItemRow {
  const item: VerdictItem = {
    constraint: `manifest-${kind}`,
    kind,
    verdict: "allow",
    limit: 1,
    predicted: 0.59,
    margin: 0.41,
    unit: "m",
    at_path_m: null,
    point_m: null,
    nearest_allowed_m: null,
    reason: { code: "workspace", args: {} },
    ...change,
  };
  return { item, sentence: `${kind} in words` };
}

export function proposal(change: Partial<Proposal> = {}): Proposal {
  return {
    id: "pr-1",
    version: 1,
    action_hash: "9f86",
    tier: "high",
    tier_rule: "first motion since arming",
    role_needed: "operator",
    agent: "main",
    robot: "arm-1",
    mission: null,
    turn: null,
    operation: "send_command",
    group: "send_command/arm-1/arm/pose_goal",
    input: { robot: "arm-1" },
    sentence: "main wants to move arm-1 to (0.50, 0.20, 1.00) m in base_link.",
    reason: "asked by dana",
    facts: [],
    preconditions: [],
    verdict_id: null,
    set_version: 1,
    lease_epoch: 1,
    snapshot_seq: 1,
    start_pose: null,
    verdict: null,
    explanation: [itemRow("workspace"), itemRow("max_velocity", { unit: "mps" })],
    preview: {
      frame: "base_link",
      from: [0.3, 0, 0.8],
      to: [0.5, 0.2, 1],
      path: [[0.5, 0.2, 1]],
      length_m: 0.35,
      clearance_m: 0.4,
      duration_s: 1.7,
      kind: "straight_estimate",
    },
    diff_from_last: null,
    created_at: 1_000,
    expires_at: 1_060,
    expires_mono_ms: 70_000,
    state: "waiting",
    state_reason: null,
    state_reason_kind: null,
    steps: [],
    decided_by: null,
    standing_approval: null,
    desks: [],
    nobody_sees: false,
    ...change,
  };
}

export function stopRobot(robot: string, change: Partial<StopRobot> = {}): StopRobot {
  return {
    robot,
    sent_after_ms: 1,
    acked_after_ms: null,
    standstill_after_ms: null,
    speed_mps: null,
    standstill: null,
    released: false,
    behaviour: "hold",
    ack_ms: 300,
    hardware_estop: `button on ${robot}`,
    not_confirmed: false,
    ...change,
  };
}

export function stop(stop_id: number, robots: StopRobot[], change: Partial<Stop> = {}): Stop {
  return {
    stop_id,
    by: "dana",
    reason: null,
    reason_kind: null,
    at_mono_ms: 9_000,
    at: 1_772_990_120_000,
    open: true,
    latch_saved: true,
    robots,
    ...change,
  };
}

export function frame(change: Partial<Frame> = {}): Frame {
  return { seq: 1, mono_ms: 10_000, wall_ms: Date.now(), signals: [], facts: [], tags: [], ...change };
}

export function alarmRow(id: string, change: Partial<AlarmRow> = {}): AlarmRow {
  return {
    id,
    agent: "main",
    priority: 2,
    state: "unack_active",
    raised_at: 1_772_990_000,
    returned_at: null,
    source: "al-1",
    message: `${id} happened`,
    limit: "oven.smoke > 0.3",
    values_now: [],
    mission: null,
    robot: null,
    cause: "There is smoke at the oven.",
    consequence: "damage",
    response: "Switch the oven off.",
    time_to_respond_secs: 120,
    acknowledged_by: null,
    acknowledged_at: null,
    count: 1,
    flags: {
      source_stale: false,
      chattering: false,
      latching: false,
      rule_paused: false,
      rule_gone: false,
      never_hidden: false,
    },
    shelved: null,
    out_of_service: null,
    suppressed_by: null,
    hidden_under_it: 0,
    group: null,
    seq: 1,
    ...change,
  };
}

export function worldRow(key: string, change: Partial<WorldRow> = {}): WorldRow {
  return {
    key,
    signal: `world/main/${key}`,
    value: "kitchen",
    unit: null,
    confidence: 0.5,
    updated_at: 0,
    age_ms: 2_000,
    freshness: "live",
    source: "lab/cam-1/out/detections",
    provider: "cp-1",
    origin: "measured",
    trust: "typed",
    contested: false,
    age_basis: "source",
    flags: {
      untrusted_ts: false,
      late: false,
      restored: false,
      cut: false,
      cleaned: false,
      contested: false,
      paused: false,
    },
    seq: 1,
    ...change,
  };
}
