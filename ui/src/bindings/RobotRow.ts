import type { LinkState } from "./LinkState";
import type { RobotStateName } from "./RobotStateName";
import type { StopBehaviour } from "./StopBehaviour";

export type RobotRow = { id: string; site: string; simulated: boolean; state: RobotStateName; control: string; default_frame: string; frames: string[]; transforms: { parent: string; child: string; translation_m: [number, number, number]; rotation_xyzw: [number, number, number, number] }[]; actuators: { id: string; kind: "tool" | "joints" | "base" | "gripper" | "switch"; motions: string[] }[]; pose: { frame: string; position_m: [number, number, number]; orientation: [number, number, number, number] | null; age_ms: number } | null; limits: { speed_mps_max: number; force_n_max: number | null }; body_radius_m: number; link: LinkState; rtt_ms: number | null; hardware_estop: string; stop_behaviour: StopBehaviour; errors: string[] };
