import type { CommandStep } from "./CommandStep";
import type { LinkState } from "./LinkState";
import type { Mode } from "./Mode";
import type { Overall } from "./Overall";
import type { ProposalState } from "./ProposalState";
import type { RobotSafety } from "./RobotSafety";
import type { Stop } from "./Stop";
import type { TurnEvent } from "./TurnEvent";

export type Fact = { kind: "mode"; mode: Mode } | { kind: "link"; robot: string; link: LinkState; rtt_ms: number | null } | { kind: "robot_safety"; safety: RobotSafety } | { kind: "stop"; stop: Stop } | { kind: "proposal"; id: string; version: number; state: ProposalState } | { kind: "verdict"; id: string; robot: string; overall: Overall; sentence: string } | { kind: "command_step"; command: string; robot: string; step: CommandStep; code: string | null; at_mono_ms: number } | { kind: "constraint_set"; robot: string; version: number } | { kind: "turn"; session: string; turn: string; event: TurnEvent } | { kind: "event"; code: string; sentence: string; at_mono_ms: number } | { kind: "resync" };
