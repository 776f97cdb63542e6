// The fields of the rule form that show a refusal themselves.

/** As the station names them. */
export const RULE_PATHS: readonly string[] = [
  "predicate",
  "description",
  "mission_id",
  "debounce_secs",
  "arousal_boost",
  "alarm.cause",
  "alarm.response",
  "alarm.time_to_respond_secs",
  "alarm.off_delay_secs",
  "alarm.suppress_when",
];
