//! Every setting in every preset, as it is written in a file.

use toml::{Table, Value};

use super::*;

/// The values of the settings `keys`, one line a preset.
fn check(keys: &[&str], companion: &str, vault: &str, investigator: &str, chat: &str, operator: &str) {
    let expected = [companion, vault, investigator, chat, operator];
    for (preset, expected) in Preset::ALL.into_iter().zip(expected) {
        let table = Table::try_from(Policy::preset(preset)).unwrap();
        let values: Vec<String> = keys.iter().map(|key| print(value_of(&table, key))).collect();
        assert_eq!(values.join(" "), expected, "{preset:?} {keys:?}");
    }
}

fn value_of<'a>(table: &'a Table, key: &str) -> &'a Value {
    match key.split_once('.') {
        None => &table[key],
        Some((group, rest)) => value_of(table[group].as_table().unwrap(), rest),
    }
}

fn print(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(print).collect::<Vec<_>>().join("+"),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => {
            value.to_string()
        }
    }
}

fn read(text: &str) -> Result<Policy, String> {
    Policy::read(&text.parse().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn s_01_s_02_s_03_s_04_s_05_b_18_b_19_d_05_h_04_t_20_what_a_turn_may_use() {
    check(&["budget.calls"], "11", "2", "50", "5", "12");
    check(
        &["budget.final", "budget.final_warning", "budget.warn_at"],
        "gate_force false off",
        "force_text false off",
        "force_text true 0.8",
        "fallback false off",
        "force_text false 0.8",
    );
    check(&["budget.wall_s", "budget.autonomous_wall_s"], "600 120", "600 120", "3600 120", "600 120", "600 120");
    check(
        &["budget.cost_turn_usd", "budget.cost_day_usd", "budget.extend_by"],
        "off off off",
        "off off off",
        "off off off",
        "off off off",
        "0.5 10.0 off",
    );
}

#[test]
fn s_06_s_07_empty_replies_and_replies_cut_by_length() {
    check(
        &["empty.then", "empty.nudges"],
        "gate_nudge 2",
        "once_without_tools 2",
        "nudges 2",
        "fallback_text 2",
        "nudges 2",
    );
    check(&["length_stalls.advise", "length_stalls.stop"], "3 8", "off off", "off off", "off off", "3 8");
}

#[test]
fn s_08_s_09_s_10_s_11_when_the_context_is_too_full() {
    check(
        &["compact.trigger", "compact.messages", "compact.reached", "compact.room", "compact.window"],
        "0.75 200 beyond window 32768",
        "0.7 off beyond window off",
        "off off at window off",
        "0.75 200 at window off",
        "0.75 200 at window_less_output off",
    );
    check(&["compact.flush_at", "compact.warn_at"], "off off", "off off", "off 0.8", "0.5 off", "0.5 0.8");
    check(
        &["compact.hard_at", "compact.hard"],
        "off nothing",
        "0.85 emergency",
        "1.0 next_is_final",
        "off reset_on_overflow",
        "1.0 final",
    );
    check(&["compact.passes", "compact.gain_min"], "3 off", "2 off", "0 off", "1 off", "3 0.05");
}

#[test]
fn s_12_s_13_s_14_s_15_s_16_what_a_compaction_keeps_and_writes() {
    check(
        &["compact.keep.by", "compact.keep.head", "compact.keep.tail", "compact.keep.tail_share"],
        "head_and_tail 2 12 0.2",
        "exchanges 0 2 off",
        "messages 0 20 off",
        "messages 0 20 off",
        "head_and_tail 2 12 0.2",
    );
    check(
        &["compact.enabled", "compact.summary", "compact.update", "compact.session"],
        "true companion true same",
        "true six_points false same",
        "false operator false same",
        "true five_sections false new",
        "true operator true same",
    );
    check(&["compact.flush"], "knowledge", "off", "off", "warning", "remember_note");
    check(&["compact.moment"], "each_call", "turn_start", "never", "each_call", "turn_start");
}

#[test]
fn s_17_s_18_s_19_s_20_masks_and_the_counting_of_tokens() {
    check(
        &["mask.keep", "mask.keep_errors", "mask.chars_min", "mask.frees_min_tokens"],
        "36 false 200 0",
        "2 false 0 0",
        "10 false 0 0",
        "10 true 0 0",
        "10 true 0 8000",
    );
    check(
        &["mask.when", "mask.text"],
        "compaction sentence",
        "turn_start stub",
        "never tool_ok",
        "each_call tool_ok",
        "turn_start tool_ok_path",
    );
    check(&["estimator"], "quarter_and_ten", "three_and_half", "measured", "quarter", "measured_then_tail");
}

#[test]
fn s_21_s_22_s_23_s_24_s_25_calls() {
    check(
        &["tools.choice", "tools.concurrency"],
        "required parallel",
        "auto_none_last parallel",
        "auto_none_last sequential",
        "auto sequential",
        "auto_none_last by_effect",
    );
    check(
        &["tools.repeat.by", "tools.repeat.block", "tools.repeat.nudge"],
        "name 3 off",
        "queries 3 off",
        "off 3 off",
        "off 3 off",
        "arguments 3 5",
    );
    check(&["tools.timeout_s", "prefetch.wait_s"], "30 2", "30 15", "30 2", "30 2", "30 2");
    check(
        &["tools.spill_above_bytes", "tools.cut_above_bytes"],
        "off 262144",
        "off 262144",
        "4096 51200",
        "off 51200",
        "4096 51200",
    );
}

#[test]
fn s_26_s_27_s_28_s_29_which_tools_and_whether_it_is_done() {
    check(
        &["tools.select.when", "tools.select.all_up_to", "tools.select.top", "tools.select.cap"],
        "all 0 25 128",
        "all 0 25 128",
        "all 0 25 128",
        "each_message 0 25 128",
        "each_epoch 96 25 128",
    );
    check(&["tools.select.always"], "", "", "", "@core", "@core");
    check(&["tools.after_round"], "nudge", "directive", "nothing", "nothing", "nothing");
    check(&["gate.when", "gate.loops"], "always 12", "off 0", "off 0", "off 0", "on_doubt 2");
}

#[test]
fn s_30_s_31_s_32_s_33_what_people_and_models_hear() {
    check(&["delivery"], "say", "final_text", "final_note", "final_or_send_tool", "final_text_and_say");
    check(&["text_beside_tools"], "internal", "held", "last_text", "joined", "progress");
    check(&["nudge"], "kept_user", "removed_user", "removed_user", "prompt_item", "auto");
    check(&["volatile"], "inside_user", "before_user", "nowhere", "system", "before_user");
}

#[test]
fn s_34_s_35_s_36_s_37_t_12_notes_prefetch_ranks_and_prompt() {
    check(
        &["memory.place", "memory.lines", "memory.daily_lines"],
        "preamble 0 0",
        "system 200 0",
        "nowhere 0 0",
        "system 150 100",
        "volatile 150 100",
    );
    check(
        &["prefetch.messages", "prefetch.hits", "prefetch.hit_chars", "prefetch.feed", "prefetch.world"],
        "0 0 300 0 false",
        "3 5 300 0 false",
        "0 0 300 0 false",
        "10 5 300 5 false",
        "1 5 300 5 true",
    );
    check(
        &["rag.memory", "rag.memory_vector", "rag.memory_min", "rag.tools_vector", "rag.tools_min", "rag.candidates"],
        "off 0.5 0.15 0.6 0.1 3",
        "hybrid 0.5 0.15 0.6 0.1 3",
        "off 0.5 0.15 0.6 0.1 3",
        "hybrid 0.5 0.15 0.6 0.1 3",
        "relevance_and_age 0.5 0.15 0.6 0.1 3",
    );
    check(
        &["prompt.order", "prompt.chars_max"],
        "companion 12000",
        "vault 8750",
        "investigator off",
        "chat off",
        "operator 12000",
    );
}

#[test]
fn s_38_s_39_s_40_s_41_s_42_s_43_caches_and_failures() {
    check(&["cache.marks"], "off", "system", "messages", "off", "system_and_messages");
    check(&["prompt.prefix"], "fingerprint", "stable", "each_call", "each_call", "epoch");
    check(&["cache.warm"], "off", "start_and_reply", "off", "off", "local_only");
    check(
        &["retry.rate_limit_tries", "retry.other_tries", "retry.base_ms", "retry.max_ms", "retry.jitter"],
        "3 3 2000 60000 0.0",
        "0 0 1000 60000 0.0",
        "4 4 1000 60000 0.0",
        "3 1 1000 60000 0.0",
        "4 4 1000 30000 0.2",
    );
    check(&["retry.uses_step"], "false", "false", "false", "false", "false");
    check(
        &["on_overflow"],
        "compact",
        "compact+emergency",
        "next_is_final",
        "archive_and_reset",
        "mask_all+compact+archive_with_summary",
    );
}

#[test]
fn s_44_s_45_s_46_s_47_sessions_and_the_router() {
    check(
        &["session.reset_at", "session.idle_min", "session.keep_days"],
        "off off 30",
        "off off 30",
        "off off 30",
        "04:00 1440 30",
        "off off 365",
    );
    check(
        &["resume.text", "resume.compact"],
        "nowhere false",
        "nowhere false",
        "system false",
        "nowhere true",
        "volatile true",
    );
    check(&["route.by", "route.reflex_tokens"], "words 512", "off 512", "off 512", "off 512", "words_and_robots 512");
}

#[test]
fn s_48_s_49_s_50_s_51_s_52_s_53_s_54_s_55_sampling_ingress_and_people() {
    check(
        &["sampling.main", "sampling.router", "sampling.judges", "sampling.flush", "sampling.summary"],
        "off 0.2 0.0 0.15 0.25",
        "off off off off off",
        "off off off off off",
        "0.7 off off off off",
        "off 0.2 0.0 0.15 0.25",
    );
    check(&["sampling.output_max"], "off", "off", "off", "4096", "4096");
    check(
        &["ingress.debounce_ms", "ingress.direct", "ingress.rooms"],
        "0 open open",
        "0 open open",
        "0 open open",
        "1500 allowlist open",
        "1500 signed_in allowlist",
    );
    check(&["ingress.sender_per_s", "ingress.room_per_min"], "off off", "off off", "off off", "1 20", "1 20");
    check(
        &["agency.says", "agency.wait_min_s", "agency.wait_max_s"],
        "12 1 15",
        "0 1 15",
        "0 1 15",
        "0 1 15",
        "12 1 15",
    );
    check(&["approval.wait_s"], "30", "30", "30", "30", "30");
    check(&["models"], "one", "main_and_tool", "one", "one", "main_and_side");
    check(&["thinking"], "off_in_reflex", "own", "own", "own", "off_in_reflex");
}

#[test]
fn l_05_a_policy_is_a_preset_and_what_differs_from_it() {
    for preset in Preset::ALL {
        let policy = Policy::preset(preset);
        assert_eq!(Policy::read(&Table::try_from(&policy).unwrap()), Ok(policy.clone()), "{preset:?}");
        assert_eq!(policy.clone().checked(), Ok(policy), "{preset:?}");
    }
    let policy =
        read("preset = \"chat\"\n[budget]\ncalls = 50\ncost_turn_usd = 1\n[compact]\ntrigger = \"off\"").unwrap();
    assert_eq!((policy.preset, policy.budget.calls), (Preset::Chat, 50));
    assert_eq!((policy.budget.cost_turn_usd, policy.compact.trigger), (Some(Usd::cents(100)), None));
    assert_eq!(read("").unwrap(), Policy::operator());
}

#[test]
fn l_05_what_is_wrong_with_a_policy_is_named() {
    let check = |text: &str, expected: &str| assert_eq!(read(text).unwrap_err(), expected, "{text}");
    check("budget.calls = 0", "budget.calls is 0, it must be 1 to 50");
    check("preset = \"chat\"\nbudget.calls = 51", "budget.calls is 51, it must be 1 to 50");
    check("preset = \"companion\"\nbudget.calls = 5", "budget.calls is 5, it must be 6 to 22");
    check("sampling.main = 2.5", "sampling.main is 2.5, it must be 0 to 2");
    check("compact.trigger = 1.1", "compact.trigger is 1.1, it must be 0.05 to 1");
    check("agency.wait_max_s = 16", "agency.wait_max_s is 16, it must be 1 to 15");
    check("budget.call = 3", "the policy has no setting \"budget.call\", nearest is \"budget.calls\"");
    check("budget = 3", "the policy has no setting \"budget\", nearest is \"nudge\"");
    check("gate.when = \"often\"", "gate.when: unknown variant `often`, expected one of `off`, `always`, `on_doubt`");
    check(
        "preset = \"pilot\"",
        "preset: unknown variant `pilot`, expected one of `companion`, `vault`, `investigator`, `chat`, `operator`",
    );
    check("compact.trigger = nan", "compact.trigger: neither `off` nor a number or time that fits here");
    assert!(read("session.reset_at = \"24:00\"").unwrap_err().starts_with("session.reset_at"));
}

#[test]
fn b_18_b_19_rounds_of_a_companion_clamp_and_become_calls() {
    for (rounds, calls) in [(-3, 6), (0, 6), (5, 11), (16, 22), (40, 22)] {
        assert_eq!(
            read(&format!("preset = \"companion\"\nrounds = {rounds}")).unwrap().budget.calls,
            calls,
            "{rounds}"
        );
    }
}

#[test]
fn b_41_keys_of_the_reference_designs_are_read() {
    let companion = "preset = \"companion\"\nmax_context_tokens = 65536\n[history_compression]\nenabled = false\n\
        compaction_threshold_ratio = 0.6\ncompaction_target_ratio = 0.3\ncompaction_protect_last_n = 8\n\
        compaction_protect_first_n = 3\ncompaction_max_passes = 2\ncompaction_flush_to_knowledge = false";
    let Compact { enabled, window, trigger, passes, flush, keep, .. } = read(companion).unwrap().compact;
    assert_eq!((enabled, window, trigger, passes), (false, Some(65_536), Some(Ratio::percent(60)), 2));
    assert_eq!((flush, keep.tail_share, keep.tail, keep.head), (FlushTo::Off, Some(Ratio::percent(30)), 8, 3));
    assert_eq!(read(companion).unwrap().mask.keep, 24);

    let vault =
        "preset = \"vault\"\nmaxToolRounds = 3\nkeepRecentToolResults = 4\ncompactThreshold = 0.5\nmaxTokens = 9000";
    let policy = read(vault).unwrap();
    assert_eq!((policy.budget.calls, policy.mask.keep), (4, 4));
    assert_eq!((policy.compact.trigger, policy.compact.window), (Some(Ratio::percent(50)), Some(9_000)));

    let investigator = "preset = \"investigator\"\nmax_iterations = 80\nCONTEXT_LIMIT = 100000\nMAX_EMPTY_RETRIES = 1";
    let policy = read(investigator).unwrap();
    assert_eq!((policy.budget.calls, policy.compact.window, policy.empty.nudges), (80, Some(100_000), 1));

    let chat = "preset = \"chat\"\nagent.max_agentic_iterations = 7\nagent.max_tokens = 2048\nagent.temperature = 1\n\
        telegram.debounce_ms = 900\ntool_rag.enabled = false\ntool_rag.top_k = 12";
    let policy = read(chat).unwrap();
    assert_eq!((policy.budget.calls, policy.sampling.output_max), (7, Some(2_048)));
    assert_eq!((policy.sampling.main, policy.ingress.debounce_ms), (Some(Ratio::percent(100)), 900));
    assert_eq!((policy.tools.select.when, policy.tools.select.top), (SelectWhen::All, 12));
}

#[test]
fn l_30_s_01_one_call_is_the_last_one() {
    let check = |calls: u32, last: u32| {
        let mut policy = Policy::operator();
        policy.budget.calls = calls;
        assert_eq!((0..calls).find(|step| policy.is_final(*step)), Some(last), "{calls} calls");
    };
    check(12, 11);
    check(5, 4);
    check(1, 0);
}
