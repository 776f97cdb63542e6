import type { Mode } from "./Mode";
import type { ModelInfo } from "./ModelInfo";

export type SessionInfo = { actor: string; role: "viewer" | "operator" | "admin"; kind: "person" | "machine"; station: string; mode: Mode; version: string; simulator: "stopped" | "starting" | "running"; zenoh_endpoints: string[]; agent: string; session: string; model: ModelInfo; agent_mode: "watch" | "ask" | "assist" };
