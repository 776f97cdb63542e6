//! The keys of the designs that the presets are taken from, so that their configurations can be brought along.

use toml::Value;

use super::PolicyError;
use crate::Preset;

/// Rounds a companion may add to the calls it always has.
const ROUNDS_MAX: i64 = 16;
/// Calls a companion always has.
const CALLS_BEFORE_ROUNDS: i64 = 6;
/// The most calls of a companion; with rounds in their range it never binds.
const COMPANION_CALLS_MAX: i64 = 25;
/// Newest results that a companion keeps whole for each message it protects.
const RESULTS_PER_PROTECTED: i64 = 3;

/// Translation of a foreign value.
enum Meaning {
    /// The same.
    Same,
    /// Rounds of tools: calls without the last one.
    Rounds,
    /// Messages at the end that stay whole, and with them more results.
    Protected,
    /// The first word if true, the second if false.
    Words(&'static str, &'static str),
}

const ALIASES: &[(&str, &str, Meaning)] = &[
    ("rounds", "budget.calls", Meaning::Rounds),
    ("maxToolRounds", "budget.calls", Meaning::Rounds),
    ("max_tool_rounds", "budget.calls", Meaning::Rounds),
    ("max_iterations", "budget.calls", Meaning::Same),
    ("agent.max_agentic_iterations", "budget.calls", Meaning::Same),
    ("MAX_EMPTY_RETRIES", "empty.nudges", Meaning::Same),
    ("max_context_tokens", "compact.window", Meaning::Same),
    ("maxTokens", "compact.window", Meaning::Same),
    ("CONTEXT_LIMIT", "compact.window", Meaning::Same),
    ("context_limit", "compact.window", Meaning::Same),
    ("compactThreshold", "compact.trigger", Meaning::Same),
    ("history_compression.enabled", "compact.enabled", Meaning::Same),
    ("history_compression.compaction_threshold_ratio", "compact.trigger", Meaning::Same),
    ("history_compression.compaction_target_ratio", "compact.keep.tail_share", Meaning::Same),
    ("history_compression.compaction_protect_last_n", "compact.keep.tail", Meaning::Protected),
    ("history_compression.compaction_protect_first_n", "compact.keep.head", Meaning::Same),
    ("history_compression.compaction_max_passes", "compact.passes", Meaning::Same),
    ("history_compression.compaction_flush_to_knowledge", "compact.flush", Meaning::Words("knowledge", "off")),
    ("keepRecentToolResults", "mask.keep", Meaning::Same),
    ("keep_recent_tool_results", "mask.keep", Meaning::Same),
    ("reflex_max_tokens", "route.reflex_tokens", Meaning::Same),
    ("agent.max_tokens", "sampling.output_max", Meaning::Same),
    ("agent.temperature", "sampling.main", Meaning::Same),
    ("telegram.debounce_ms", "ingress.debounce_ms", Meaning::Same),
    ("tool_rag.enabled", "tools.select.when", Meaning::Words("each_message", "all")),
    ("tool_rag.top_k", "tools.select.top", Meaning::Same),
];

/// The settings that `key` stands for; itself if it is no foreign key.
pub(super) fn translate(preset: Preset, key: &str, value: Value) -> Result<Vec<(String, Value)>, PolicyError> {
    let Some((_, own, meaning)) = ALIASES.iter().find(|(alias, _, _)| *alias == key) else {
        return Ok(vec![(key.to_owned(), value)]);
    };
    let one = |value| vec![((*own).to_owned(), value)];
    Ok(match meaning {
        Meaning::Same => one(value),
        Meaning::Rounds => {
            let rounds = integer(key, &value)?;
            one(Value::Integer(match preset {
                Preset::Companion => companion_calls(rounds),
                Preset::Vault | Preset::Investigator | Preset::Chat | Preset::Operator => rounds.saturating_add(1),
            }))
        }
        Meaning::Protected => {
            let results = integer(key, &value)?.saturating_mul(RESULTS_PER_PROTECTED);
            vec![((*own).to_owned(), value), ("mask.keep".to_owned(), Value::Integer(results))]
        }
        Meaning::Words(yes, no) => {
            let is_on = value.as_bool().ok_or_else(|| wrong(key, "expected true or false"))?;
            one(Value::String((if is_on { *yes } else { *no }).to_owned()))
        }
    })
}

/// Calls of a companion that may go on for `rounds`.
fn companion_calls(rounds: i64) -> i64 {
    (CALLS_BEFORE_ROUNDS + rounds.clamp(0, ROUNDS_MAX)).min(COMPANION_CALLS_MAX)
}

fn integer(key: &str, value: &Value) -> Result<i64, PolicyError> {
    value.as_integer().ok_or_else(|| wrong(key, "expected a whole number"))
}

fn wrong(key: &str, message: &str) -> PolicyError {
    PolicyError::Form { key: key.to_owned(), message: message.to_owned() }
}
