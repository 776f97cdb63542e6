import type { AlarmConfig } from "./AlarmConfig";
import type { AlertId } from "./AlertId";
import type { AlertState } from "./AlertState";
import type { AlertValue } from "./AlertValue";
import type { Key } from "./Key";
import type { MissionId } from "./MissionId";

export type AlertRow = { id: AlertId, mission_id: MissionId | null, predicate: string, description: string | null, debounce_secs: number, arousal_boost: number, state: AlertState, since: number, last_fired_at: number | null, fires: number, suppressed: number, evaluations: number, quota_left: number, woke_too_often: boolean, paused: boolean, alarm: AlarmConfig | null, version: number, dangling_keys: Array<Key>, values_now: Array<AlertValue>, };
