// The fields of the provider form that show a refusal themselves.

/** As the station names them. */
export const PROVIDER_PATHS: readonly string[] = [
  "topic_pattern",
  "world_state_key_template",
  "value_field",
  "filter",
  "confidence_field",
  "timestamp_field",
  "rows",
  "unit",
  "mission_id",
  "min_interval_secs",
  "max_age_secs",
  "confidence_default",
  "max_keys",
  "closed_sets",
];
