// Operations about one agent, and the agent that a window means by them.

import type { Input, OperationName } from "./operations";

/**
 * Operations that act on one agent (IS-02). All others are the station's: a person stops and decides for every agent.
 */
const OF_ONE_AGENT: ReadonlySet<OperationName> = new Set([
  "session_info",
  "start_simulator",
  "list_world_state",
  "explain_world_entry",
  "world_history",
  "list_topics",
  "list_contexts",
  "configure_context",
  "update_context",
  "remove_context",
  "test_context",
  "list_alerts",
  "register_alert",
  "update_alert",
  "unregister_alert",
  "list_missions",
  "send_message",
  "set_mode",
  "add_budget",
  "turn_steer",
  "turn_cancel",
  "list_sessions",
  "new_session",
  "reset_session",
  "pin_session",
  "set_aside_untrusted",
  "edit_summary",
  "search_sessions",
  "export_session",
  "get_turn_view",
  "export_turn",
  "list_model_calls",
  "select_model",
  "select_embedding",
  "test_provider",
  "get_sandbox",
  "set_sandbox",
  "get_mission",
  "activate_mission",
  "pause_mission",
  "resume_mission",
  "cancel_mission",
  "complete_mission",
  "get_transcript",
  "list_beliefs",
  "belief_history",
  "update_belief",
  "confirm_belief",
  "pin_belief",
  "forget_belief",
  "memory_search",
  "memory_forget",
  "list_jobs",
  "get_job",
  "preview_schedule",
  "schedule_task",
  "pause_job",
  "resume_job",
  "cancel_job",
  "run_job",
  "retry_job",
  "list_notes",
  "get_record",
  "remember_note",
  "list_memory_reviews",
  "decide_memory_review",
]);

/** The input with the agent it is about, where the operation is about one and the window knows it. */
export function aboutAgent<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  agent: string | null,
): Input<Name> {
  return agent === null || !OF_ONE_AGENT.has(name) ? input : { ...input, agent };
}

/** True once rows can be asked for: not before the window knows whose they are, because there may be several agents. */
export function canAsk(name: OperationName, agent: string | null): boolean {
  return agent !== null || !OF_ONE_AGENT.has(name);
}
