//! Tier 0: world state, provider rules, the predicate language, alert rules; pure, time passed in.
