import type { AgentId } from "./AgentId";
import type { AlarmFlags } from "./AlarmFlags";
import type { AlarmId } from "./AlarmId";
import type { AlarmState } from "./AlarmState";
import type { AlertValue } from "./AlertValue";
import type { Consequence } from "./Consequence";
import type { Group } from "./Group";
import type { MissionId } from "./MissionId";
import type { OutOfService } from "./OutOfService";
import type { Priority } from "./Priority";
import type { RobotId } from "./RobotId";
import type { Shelved } from "./Shelved";

export type AlarmRow = { id: AlarmId, agent: AgentId | null, priority: Priority, state: AlarmState, raised_at: number | null, returned_at: number | null, source: string, message: string, limit: string | null, values_now: Array<AlertValue>, mission: MissionId | null, robot: RobotId | null, cause: string, consequence: Consequence, response: string, time_to_respond_secs: number, acknowledged_by: string | null, acknowledged_at: number | null, count: number, flags: AlarmFlags, shelved: Shelved | null, out_of_service: OutOfService | null, suppressed_by: string | null, hidden_under_it: number, group: Group | null, seq: number, };
