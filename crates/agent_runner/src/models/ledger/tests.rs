use std::sync::Arc;

use llm::{CallId, ModelError, Request, RequestMessage, ServerKind, Sidecar, Speaker, Stop, ToolChoice};
use proptest::prelude::*;
use robot::{ConversationId, Origin, Trust};
use serde_json::json;

use super::*;

fn caps(server: ServerKind, model: &str) -> Caps {
    llm::caps(server, "cloud", "https://llm.example", model)
}

fn reply(caps: &Caps, usage: Usage, usage_raw: Value) -> Reply {
    let sidecar = Sidecar {
        provider: caps.provider.clone(),
        api: caps.api,
        model: caps.name.clone(),
        base: caps.base.clone(),
        response_id: None,
        stop: Stop::End,
        usage_raw,
        blocks: Vec::new(),
        calls_left_out: 0,
    };
    Reply { blocks: Vec::new(), stop: Stop::End, usage, sidecar: Some(sidecar) }
}

fn request(words: &str) -> Request {
    let text = |text: &str, trust| llm::Block::Text { text: text.into(), trust };
    let message =
        |origin, entry, blocks| RequestMessage { speaker: Speaker::User, origin, entry, blocks, sidecar: None };
    let result = llm::Block::Result {
        call: CallId("c1".into()),
        json: "{\"items\":[]}".into(),
        is_error: false,
        trust: Trust::Trusted,
    };
    Request {
        session: ConversationId::from("desk"),
        epoch: 3,
        system: vec!["rules".into(), "place".into()],
        tools: Arc::new([]),
        messages: vec![
            message(Origin::System, Some(1), vec![text("[World State]", Trust::Typed), text("sign", Trust::Text)]),
            message(Origin::Operator("dana".into()), Some(0), vec![text(words, Trust::Trusted)]),
            message(Origin::Tool("list_robots".into()), Some(3), vec![result]),
            message(Origin::System, None, vec![text("hint", Trust::Trusted)]),
        ],
        choice: ToolChoice::Auto,
        output_max: 64,
        thinking: Default::default(),
        sampling: None,
        transient_from: Some(3),
        marks: Default::default(),
        drop_blocks: false,
    }
}

async fn ledger(folder: &std::path::Path) -> Ledger {
    Ledger::new(AgentDb::open(&folder.join("memory.db")).await.unwrap(), Clock::start(), Zone::utc())
}

fn place(turn: Option<&str>) -> Place {
    Place { session: "desk".into(), turn: turn.map(Into::into), mission: None }
}

const TOKENS: Usage = Usage {
    in_fresh: 1_000_000,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    out: 0,
    reasoning: None,
    estimated: false,
};

#[test]
fn k_01_an_unknown_price_is_unknown_and_local_and_command_models_cost_nothing() {
    let interpreter = Caps::interpreter("quarterdeck-commands");
    let (unknown, local) = (caps(ServerKind::OpenaiCompatible, "no-such"), caps(ServerKind::Ollama, "qwen3"));
    for (caps, usage, cost) in [
        (&interpreter, TOKENS, Some(0)),
        (&local, TOKENS, Some(0)),
        (&unknown, TOKENS, None),
        (&unknown, Usage { estimated: true, ..TOKENS }, None),
    ] {
        let reply = reply(caps, usage, json!({}));
        assert_eq!(ended(caps, &Ending::Replied(&reply), 0).cost_microusd, cost, "{} {usage:?}", caps.name);
    }
}

#[test]
fn k_01_wu_05_a_call_without_a_reply_costs_what_was_reported_and_nothing_if_nothing_was_said() {
    let paid = caps(ServerKind::Anthropic, "claude-3-5-haiku");
    let error = |usage| ModelError { usage, ..ModelError::own(ModelErrorKind::Transport, "cut") };
    let cost = |ending: &Ending<'_>| {
        let ended = ended(&paid, ending, 0);
        (ended.outcome, ended.cost_microusd)
    };
    let reported = llm::cost_micros(&paid, &TOKENS).and_then(|cost| i64::try_from(cost).ok());
    assert!(reported.is_some_and(|cost| cost > 0));
    let transport = || "transport".to_owned();
    assert_eq!(cost(&Ending::Failed(&error(None), false)), (transport(), Some(0)));
    assert_eq!(cost(&Ending::Failed(&error(None), true)), (transport(), None));
    assert_eq!(cost(&Ending::Failed(&error(Some(TOKENS)), true)), (transport(), reported));
    assert_eq!(cost(&Ending::Dropped(Some(TOKENS), true)), ("cancelled".to_owned(), reported));
    assert_eq!(cost(&Ending::Dropped(None, true)), ("cancelled".to_owned(), None));
}

#[tokio::test]
async fn e2_12_a_call_that_begins_after_something_was_forgotten_writes_no_words_of_before() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let caps = Caps::interpreter("quarterdeck-commands");
    let before = ledger.as_of().await;
    let forgets = ledger.forget().await;
    let (place, request) = (place(Some("turn-1")), request("4711-quartz"));
    let mut late = Box::pin(ledger.begin(&place, before, "main", &caps, &request));
    assert!(futures::poll!(&mut late).is_pending(), "nothing is written while something is forgotten");
    drop(forgets);
    ledger.end(late.await, Ending::Dropped(None, false)).await;
    let view = ledger.turn(&"turn-1".into()).await.unwrap();
    assert_eq!((view.calls.len(), view.calls[0].layout.clone()), (1, None), "it is counted, without its view");
    assert!(view.texts.is_empty());
    ledger.begin(&place, ledger.as_of().await, "main", &caps, &request).await;
    assert!(ledger.turn(&"turn-1".into()).await.unwrap().texts.values().any(|text| text == "4711-quartz"));
}

#[tokio::test]
async fn v_03_the_view_of_a_call_is_what_was_sent_text_by_text() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let caps = Caps::interpreter("quarterdeck-commands");
    for words in ["one", "two"] {
        let row = ledger.begin(&place(Some("turn-1")), ledger.as_of().await, "main", &caps, &request(words)).await;
        ledger.end(row, Ending::Dropped(None, false)).await;
    }
    let view = ledger.turn(&"turn-1".into()).await.unwrap();
    let layout = view.calls[1].layout.clone().unwrap();
    let text = |hash: &String| view.texts[hash].as_str();
    assert_eq!(layout.system.iter().map(text).collect::<Vec<_>>(), ["rules", "place"]);
    assert_eq!((layout.epoch, layout.transient_from), (3, Some(3)));
    let said: Vec<_> = layout.messages.iter().map(|message| (message.origin.as_str(), message.entry)).collect();
    assert_eq!(
        said,
        [("system", Some(1)), ("operator(dana)", Some(0)), ("tool(list_robots)", Some(3)), ("system", None)]
    );
    let runtime::wire::ViewBlock::Text { hash, trust } = &layout.messages[0].blocks[1] else { unreachable!() };
    assert_eq!((text(hash), *trust), ("sign", Trust::Text));
    let runtime::wire::ViewBlock::Text { hash, .. } = &layout.messages[1].blocks[0] else { unreachable!() };
    assert_eq!(text(hash), "two");
    assert_eq!(ledger.turn(&"turn-9".into()).await.unwrap_err().code, "turn_not_found");
}

#[tokio::test]
async fn k_03_k_04_a_budget_is_what_the_policy_allows_and_what_people_add() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let limits = Limits { turn: Some(500_000), day: Some(10_000_000), mission: None };
    let paid = caps(ServerKind::Anthropic, "claude-3-5-haiku");
    let row = ledger.begin(&place(Some("turn-1")), ledger.as_of().await, "main", &paid, &request("x")).await;
    ledger.end(row, Ending::Replied(&reply(&paid, TOKENS, json!({})))).await;
    ledger.grant(Meter::Turn, Some("turn-1"), 250_000, "dana").await.unwrap();
    ledger.grant(Meter::Day, None, 1, "dana").await.unwrap();
    let budgets = ledger.budgets(&place(Some("turn-1")), limits).await.unwrap();
    let turn = budgets.turn.unwrap();
    assert_eq!((turn.spent.microusd, turn.limit), (800_000, Some(750_000)));
    assert_eq!((budgets.day.spent.microusd, budgets.day.limit), (800_000, Some(10_000_001)));
    let other = ledger.budgets(&place(Some("turn-2")), limits).await.unwrap().turn.unwrap();
    assert_eq!((other.spent.microusd, other.limit), (0, Some(500_000)));
}

#[test]
fn v_06_an_exported_turn_holds_every_text_with_its_hash_and_no_text_leaves_its_block() {
    let (layout, parts) = view::of(&request("# not a heading\n```"));
    let texts = parts.into_iter().map(|part| (part.hash, part.body)).collect();
    let calls = Vec::from([runtime::wire::CallView { row: example_row(), layout: Some(layout) }]);
    let view = runtime::wire::TurnView { turn: "turn-1".into(), session: "desk".into(), calls, texts };
    let form = runtime::wire::ExportForm::Markdown;
    let exported = export(&view, &[], &Zone::utc(), form);
    assert_eq!(exported.name, "turn-1.md");
    assert!(view.texts.keys().all(|hash| exported.text.contains(hash.as_str())));
    assert!(exported.text.contains("    # not a heading\n    ```\n"), "{}", exported.text);
    assert!(exported.text.contains("| unknown |"), "{}", exported.text);
    let whole = export(&view, &[], &Zone::utc(), runtime::wire::ExportForm::Json);
    let read: Value = serde_json::from_str(&whole.text).unwrap();
    assert_eq!(read["view"]["texts"].as_object().map(serde_json::Map::len), Some(view.texts.len()));
    assert_eq!(whole.sha256.len(), 64);
}

fn example_row() -> runtime::wire::ModelCallRow {
    serde_json::from_value(json!({
        "id": "mc-1", "began_ms": 0, "ended_ms": 1, "session": "desk", "turn": "turn-1", "mission_id": null,
        "purpose": "main", "provider": "cloud", "model": "m|1", "outcome": "ok", "price": null, "usage_raw": null,
        "usage": Usage::default(), "cached_share": 0.0, "cost_microusd": null,
    }))
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However calls end, the rows add up to what was reported, field by field.
    #[test]
    fn i_14_the_ledger_adds_up_to_what_providers_reported(calls in prop::collection::vec((0_u64..1_000, 0_u64..1_000, 0_u64..1_000, 0_u8..3), 0..20)) {
        let paid = caps(ServerKind::Anthropic, "claude-3-5-haiku");
        let (mut reported, mut rows, mut cost) = (Usage::default(), CallTokens::default(), Some(0));
        for (in_fresh, cache_read, out, how) in calls {
            let usage = Usage { in_fresh, cache_read, out, ..Usage::default() };
            reported.add(&usage);
            let error = ModelError { usage: Some(usage), ..ModelError::own(ModelErrorKind::Overloaded, "busy") };
            let replied = reply(&paid, usage, json!({ "input_tokens": in_fresh }));
            let ending = match how {
                0 => Ending::Replied(&replied),
                1 => Ending::Failed(&error, true),
                _ => Ending::Dropped(Some(usage), true),
            };
            let ended = ended(&paid, &ending, 0);
            rows.in_fresh += ended.tokens.in_fresh;
            rows.cache_read += ended.tokens.cache_read;
            rows.out += ended.tokens.out;
            cost = cost.zip(ended.cost_microusd).map(|(sum, one)| sum + one);
        }
        prop_assert_eq!(rows, tokens(&reported));
        prop_assert!(cost.is_some());
    }
}
