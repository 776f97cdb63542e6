import type { AlarmConfig } from "./AlarmConfig";
import type { MissionId } from "./MissionId";

export type AlertRule = { mission_id?: MissionId, predicate: string, debounce_secs?: number, arousal_boost?: number, description?: string, alarm?: AlarmConfig, };
