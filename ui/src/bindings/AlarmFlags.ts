export type AlarmFlags = { source_stale: boolean, chattering: boolean, latching: boolean, rule_paused: boolean, rule_gone: boolean, never_hidden: boolean, };
