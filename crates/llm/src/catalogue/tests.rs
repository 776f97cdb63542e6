use expect_test::{Expect, expect};

use super::{CATALOGUE, caps, cost_micros, price};
use crate::{Cache, Caps, Choice, PrefixBound, ServerKind, Usage};

const SERVERS: [ServerKind; 8] = [
    ServerKind::Anthropic,
    ServerKind::Openai,
    ServerKind::Gemini,
    ServerKind::LlamaCpp,
    ServerKind::Ollama,
    ServerKind::LmStudio,
    ServerKind::Vllm,
    ServerKind::OpenaiCompatible,
];

fn check(server: ServerKind, model: &str, expected: Expect) {
    let caps = caps(server, "p", "https://host", model);
    let row = price(&caps).map(|price| price.row);
    let (window, output_max, choice, thinking) = (caps.window, caps.output_max, caps.choice_required, caps.thinking);
    let cache = caps.cache;
    expected.assert_eq(&format!("{window}/{output_max} required {choice:?}, {thinking:?}, {cache:?}, price {row:?}"));
}

#[test]
fn w_02_every_row_can_be_read_and_names_only_what_exists() {
    for server in SERVERS {
        let known = &CATALOGUE.server[&server];
        let plain = caps(server, "", "", "a model nobody has heard of");
        assert!(plain.output_max < plain.window, "{server:?}");
        for row in &known.model {
            let caps = caps(server, "", "", &row.prefix);
            assert!(caps.output_max < caps.window, "{}", row.prefix);
            for key in row.caps.keys() {
                let optional = key == "tools_max" || key == "thinking_off";
                assert!(optional || known.caps.contains_key(key), "{}: {key}", row.prefix);
            }
        }
    }
}

#[test]
fn w_02_the_longest_prefix_counts() {
    check(
        ServerKind::Anthropic,
        "claude-opus-4-1-20250805",
        expect![[
            r#"200000/32000 required Yes, Budget, Marks { max: 4, min_tokens: 1024, look_back: 20 }, price Some("claude-opus-4")"#
        ]],
    );
    check(
        ServerKind::Anthropic,
        "claude-opus-5-5",
        expect![[
            r#"1000000/128000 required Rejected, Adaptive, Marks { max: 4, min_tokens: 512, look_back: 20 }, price Some("claude-opus-5-5")"#
        ]],
    );
    check(
        ServerKind::Anthropic,
        "claude-fable-5-2",
        expect![[
            r#"1000000/128000 required Rejected, Adaptive, Marks { max: 4, min_tokens: 512, look_back: 20 }, price None"#
        ]],
    );
    check(
        ServerKind::Gemini,
        "models/Gemini-2.5-Flash-Lite",
        expect![[
            r#"1048576/65536 required Yes, Budget, Implicit { min_tokens: 1024 }, price Some("gemini-2.5-flash-lite")"#
        ]],
    );
    check(
        ServerKind::LlamaCpp,
        "smollm2",
        expect![[r#"131072/4096 required Unreliable, No, LocalKv, price Some("every model")"#]],
    );
    check(ServerKind::OpenaiCompatible, "x", expect!["131072/8192 required Unreliable, No, None, price None"]);
}

#[test]
fn wt_05_who_obeys_a_choice_of_tools() {
    use ServerKind as S;
    let rows = [
        (S::Anthropic, "claude-opus-4-6", Choice::Yes, Choice::Yes),
        (S::Anthropic, "claude-sonnet-4-6", Choice::Yes, Choice::Yes),
        (S::Anthropic, "claude-fable-5", Choice::Rejected, Choice::Yes),
        (S::Anthropic, "claude-fable-5-1", Choice::Rejected, Choice::Yes),
        (S::Anthropic, "claude-mythos-5", Choice::Rejected, Choice::Yes),
        (S::Anthropic, "claude-opus-5-5", Choice::Rejected, Choice::Yes),
        (S::Openai, "gpt-5.1", Choice::Yes, Choice::Yes),
        (S::LlamaCpp, "qwen3", Choice::Unreliable, Choice::Ignored),
        (S::Ollama, "qwen3", Choice::Ignored, Choice::Unreliable),
        (S::Vllm, "qwen3", Choice::Unreliable, Choice::Yes),
        (S::LmStudio, "qwen3", Choice::Unreliable, Choice::Unreliable),
        (S::Gemini, "gemini-3-pro-preview", Choice::Yes, Choice::Yes),
    ];
    for (server, model, required, none) in rows {
        let caps = caps(server, "", "", model);
        assert_eq!((caps.choice_required, caps.choice_none), (required, none), "{model}");
    }
}

#[test]
fn wa_12_newer_models_bind_their_thinking() {
    for model in ["fable-5-1", "fable-5-2", "mythos-5-1", "mythos-5-2", "opus-5-5", "sonnet-5-5", "haiku-5-5"] {
        let bound = caps(ServerKind::Anthropic, "", "", &format!("claude-{model}")).prefix_bound;
        assert_eq!(bound, PrefixBound::Rejects, "{model}");
    }
    for model in ["fable-5", "opus-5", "sonnet-5", "opus-4-8", "haiku-4-5"] {
        let bound = caps(ServerKind::Anthropic, "", "", &format!("claude-{model}")).prefix_bound;
        assert_eq!(bound, PrefixBound::No, "{model}");
    }
}

#[test]
fn wb_06_the_least_that_is_cached_and_what_it_costs() {
    // Tokens; then writes of 5 min and 1 h and reads as thousandths of the price of what is read anew.
    let rows = [
        ("claude-opus-5", 512, 100),
        ("claude-opus-4-1", 1_024, 100),
        ("claude-opus-4-8", 1_024, 100),
        ("claude-sonnet-4-5", 1_024, 100),
        ("claude-sonnet-4-6", 2_048, 100),
        ("claude-3-5-haiku", 2_048, 100),
        ("claude-opus-4-5", 4_096, 100),
        ("claude-opus-4-6", 4_096, 100),
        ("claude-haiku-4-5", 4_096, 100),
        ("claude-opus-5-5", 512, 50),
        ("claude-sonnet-5-5", 1_024, 50),
        ("claude-fable-5-1", 512, 25),
    ];
    for (model, least_tokens, read) in rows {
        let caps = caps(ServerKind::Anthropic, "", "", model);
        assert_eq!(caps.cache, Cache::Marks { max: 4, min_tokens: least_tokens, look_back: 20 }, "{model}");
        let band = price(&caps).expect("its price is known").tariff.band;
        let thousandths = |part: u64| part * 1_000 / band.fresh;
        let ratios = [band.cache_write_5m, band.cache_write_1h, band.cache_read].map(thousandths);
        assert_eq!(ratios, [1_250, 2_000, read], "{model}");
    }
}

#[test]
fn wc_04_models_of_another_interface_are_marked() {
    for (model, elsewhere) in [("gpt-5.1", false), ("gpt-5.2-chat", false), ("gpt-5.4", true), ("gpt-5.7-pro", true)] {
        assert_eq!(caps(ServerKind::Openai, "", "", model).tools_elsewhere, elsewhere, "{model}");
    }
}

fn check_cost(server: ServerKind, model: &str, usage: Usage, micros: Option<u64>) {
    assert_eq!(cost_micros(&caps(server, "", "", model), &usage), micros, "{model} {usage:?}");
}

#[test]
fn k_01_a_cost_is_the_sum_of_its_kinds_and_an_unknown_price_is_unknown() {
    let usage = Usage { in_fresh: 1_000, cache_read: 10_000, cache_write_5m: 2_000, out: 500, ..Usage::default() };
    check_cost(ServerKind::Anthropic, "claude-sonnet-4-5", usage, Some(3_000 + 3_000 + 7_500 + 7_500));
    check_cost(ServerKind::Anthropic, "claude-fable-5-2", usage, None);
    check_cost(ServerKind::LlamaCpp, "smollm2", usage, Some(0));
    check_cost(ServerKind::LlamaCpp, "smollm2", Usage { estimated: true, ..usage }, Some(0));
    check_cost(ServerKind::Openai, "gpt-5.1", Usage { estimated: true, ..usage }, None);
    let one = Usage { in_fresh: 3, ..Usage::default() };
    check_cost(ServerKind::Openai, "gpt-4o-mini", one, Some(0));
    check_cost(ServerKind::Openai, "gpt-4o-mini", Usage { in_fresh: 4, ..one }, Some(1));
}

#[test]
fn k_01_a_long_prompt_has_its_own_price() {
    let long = |in_fresh| Usage { in_fresh, out: 1_000, ..Usage::default() };
    check_cost(ServerKind::Gemini, "gemini-2.5-pro", long(200_000), Some(250_000 + 10_000));
    check_cost(ServerKind::Gemini, "gemini-2.5-pro", long(200_001), Some(500_003 + 15_000));
}

#[test]
fn k_01_the_built_in_interpreter_costs_nothing() {
    let usage = Usage { in_fresh: 1_000, ..Usage::default() };
    assert_eq!(cost_micros(&Caps::interpreter("quarterdeck-commands"), &usage), Some(0));
}
