use std::sync::Arc;

use expect_test::{Expect, expect};
use robot::{ConversationId, Origin, Trust};

use super::{Part, Turn, turns};
use crate::wire::ids::Ids;
use crate::{
    Block, CallId, Caps, IdShape, MarkWish, Request, RequestMessage, ServerKind, Sidecar, SidecarBlock, Speaker, Stop,
    ThinkingWish, ToolChoice, caps,
};

fn own() -> Caps {
    caps(ServerKind::Anthropic, "claude", "https://a", "claude-opus-4-8")
}

/// A conversation in words: `u:text`, `s:text` of the system, `a:text`, `a:!c1` with calls, `r:c1` a result, `e:text`
/// gone after this call; an upper-case `A` is the own model's, with thinking and a signature.
fn request(conversation: &str) -> Request {
    let messages = conversation.split(' ').enumerate().map(|(at, word)| {
        let (who, says) = word.split_once(':').expect("who:what");
        let entry = (who != "e").then_some(at as u64);
        let call = CallId(says.trim_start_matches('!').to_owned());
        let block = match who {
            "r" => Block::Result { call, json: "{}".to_owned(), is_error: false, trust: Trust::Trusted },
            _ if says.starts_with('!') => Block::Call { id: call, name: "t".to_owned(), args_raw: "{}".to_owned() },
            _ => Block::Text { text: says.to_owned(), trust: Trust::Trusted },
        };
        let speaker = match who {
            "s" => Speaker::System,
            "a" | "A" => Speaker::Assistant,
            _ => Speaker::User,
        };
        let sidecar = (who == "A").then(|| Arc::new(sidecar(says)));
        RequestMessage { speaker, origin: Origin::System, entry, blocks: vec![block], sidecar }
    });
    Request {
        session: ConversationId::from("s"),
        epoch: 0,
        system: Vec::new(),
        tools: Arc::from([]),
        messages: messages.collect(),
        choice: ToolChoice::Auto,
        output_max: 1,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}

fn sidecar(says: &str) -> Sidecar {
    let block = match says.strip_prefix('!') {
        Some(id) => SidecarBlock::Call {
            id: CallId(id.to_owned()),
            name: "t".to_owned(),
            args_raw: "{ }".to_owned(),
            sig: Some(String::new()),
        },
        None => SidecarBlock::Text { s: says.to_owned(), sig: None },
    };
    let thinking = SidecarBlock::Thinking { s: "hm".to_owned(), sig: Some("sig".to_owned()) };
    Sidecar { blocks: vec![thinking, block], ..Sidecar::of(&own()) }
}

fn line(turn: &Turn) -> String {
    let pieces = turn.pieces.iter().map(|piece| {
        let key = match (piece.key, piece.transient) {
            (Some(key), _) => format!("{}.{}", key.entry, key.block),
            (None, true) => "gone".to_owned(),
            (None, false) => "-".to_owned(),
        };
        let part = match &piece.part {
            Part::Text { text, .. } => (*text).to_owned(),
            Part::Thinking { text, sig } => format!("thinking {text} {sig:?}"),
            Part::Redacted { .. } => "redacted".to_owned(),
            Part::Call { id, args_raw, sig, .. } => {
                format!("call {} {args_raw} {sig:?}", id.clone().unwrap_or_default())
            }
            Part::Result { id, name, json, is_error, .. } => {
                format!("result {} of {name} {json} {is_error}", id.clone().unwrap_or_default())
            }
            Part::Item { .. } => "item".to_owned(),
        };
        format!("[{key} {part}]")
    });
    format!("{:?} {}\n", turn.speaker, pieces.collect::<String>())
}

fn check(conversation: &str, caps: &Caps, expected: Expect) {
    let request = request(conversation);
    let lines: String = turns(&request, caps, |_| true).iter().map(line).collect();
    expected.assert_eq(&lines);
}

#[test]
fn wa_01_neighbours_merge_and_the_first_message_is_a_users() {
    check(
        "a:early u:one u:two a:yes a:indeed u:three",
        &own(),
        expect![[r#"
        User [1.0 one][2.0 two]
        Assistant [3.0 yes][4.0 indeed]
        User [5.0 three]
    "#]],
    );
}

#[test]
fn wa_02_no_reply_stands_last_unless_it_wants_to_go_on() {
    check(
        "u:one a:yes",
        &own(),
        expect![[r#"
        User [0.0 one]
    "#]],
    );
    let mut request = request("u:one A:yes");
    let paused = Sidecar { stop: Stop::Pause, ..sidecar("yes") };
    request.messages[1].sidecar = Some(Arc::new(paused));
    assert_eq!(turns(&request, &own(), |_| true).len(), 2);
}

#[test]
fn wa_01_results_come_first_and_in_the_order_of_the_calls() {
    check(
        "u:go a:!c1 a:!c2 e:nudge r:c2 u:more r:c1 r:c9",
        &own(),
        expect![[r#"
        User [0.0 go]
        Assistant [1.0 call c1 {} None][2.0 call c2 {} None]
        User [6.0 result c1 of t {} false][4.0 result c2 of t {} false][gone nudge][5.0 more]
    "#]],
    );
}

#[test]
fn wp_04_an_open_call_gets_an_error() {
    check(
        "u:go a:!c1 a:!c2 r:c2 a:well u:on",
        &own(),
        expect![[r#"
        User [0.0 go]
        Assistant [1.0 call c1 {} None][2.0 call c2 {} None]
        User [- result c1 of t {"error":"the call was not run"} true][3.0 result c2 of t {} false]
        Assistant [4.0 well]
        User [5.0 on]
    "#]],
    );
    check(
        "u:go a:!c1",
        &own(),
        expect![[r#"
        User [0.0 go]
        Assistant [1.0 call c1 {} None]
        User [- result c1 of t {"error":"the call was not run"} true]
    "#]],
    );
}

#[test]
fn wa_03_a_system_message_stands_behind_a_user_and_before_the_model() {
    check(
        "s:early u:one s:now a:yes s:late u:two s:last",
        &own(),
        expect![[r#"
        User [0.0 early][1.0 one]
        System [2.0 now]
        Assistant [3.0 yes]
        User [4.0 late][5.0 two]
        System [6.0 last]
    "#]],
    );
    check(
        "u:one a:!c1 s:between r:c1 s:a s:b",
        &own(),
        expect![[r#"
        User [0.0 one]
        Assistant [1.0 call c1 {} None]
        User [3.0 result c1 of t {} false][2.0 between]
        System [4.0 a][5.0 b]
    "#]],
    );
    let older = Caps { system_mid: false, ..own() };
    check(
        "u:one s:now a:yes u:two",
        &older,
        expect![[r#"
        User [0.0 one][1.0 now]
        Assistant [2.0 yes]
        User [3.0 two]
    "#]],
    );
}

#[test]
fn wp_01_wa_10_the_own_reply_goes_back_as_it_came() {
    check(
        "u:go A:!c1 r:c1 A:yes u:on",
        &own(),
        expect![[r#"
        User [0.0 go]
        Assistant [- thinking hm Some("sig")][1.0 call c1 { } None]
        User [2.0 result c1 of t {} false]
        Assistant [- thinking hm Some("sig")][3.0 yes]
        User [4.0 on]
    "#]],
    );
}

#[test]
fn wp_04_wa_11_i_08_nothing_that_only_its_provider_can_read_goes_elsewhere() {
    let plain = expect![[r#"
        User [0.0 go]
        Assistant [1.0 call c1 {} None]
        User [2.0 result c1 of t {} false]
    "#]];
    for other in [
        Caps { provider: "bedrock".to_owned(), ..own() },
        Caps { name: "claude-opus-5-5".to_owned(), ..own() },
        Caps { base: "https://b".to_owned(), ..own() },
        Caps { api: crate::Api::ChatCompletions, ..own() },
    ] {
        let request = request("u:go A:!c1 r:c1");
        let lines: String = turns(&request, &other, |_| true).iter().map(line).collect();
        plain.assert_eq(&lines);
    }
}

#[test]
fn wp_01_a_sidecar_is_the_same_after_it_was_written_and_read() {
    let blocks = vec![
        SidecarBlock::Thinking { s: "hm ☕".to_owned(), sig: None },
        SidecarBlock::Redacted { data: "x".to_owned() },
        SidecarBlock::Call {
            id: CallId("c".to_owned()),
            name: "t".to_owned(),
            args_raw: "{ \"a\" : 1.0 }".to_owned(),
            sig: Some("s".to_owned()),
        },
        SidecarBlock::Item { raw: serde_json::json!({"type": "reasoning", "encrypted_content": "y"}) },
    ];
    let usage_raw = serde_json::json!({"input_tokens": 3, "nested": {"a": 0.1}});
    let kept =
        Sidecar { blocks, usage_raw, response_id: Some("r".to_owned()), stop: Stop::Pause, ..Sidecar::of(&own()) };
    let line = serde_json::to_string(&kept).expect("it can be written");
    assert_eq!(serde_json::from_str::<Sidecar>(&line).expect("it can be read"), kept);
    assert!(line.contains(r#""args_raw":"{ \"a\" : 1.0 }""#), "{line}");
}

fn check_id(shape: IdShape, id: &str, expected: Option<&str>) {
    let ids = Ids::of(&Caps { id_shape: shape, ..own() });
    assert_eq!(ids.sent(&CallId(id.to_owned())).as_deref(), expected, "{shape:?} {id}");
}

#[test]
fn wp_04_ids_of_calls_take_the_servers_shape_and_stay_the_same() {
    check_id(IdShape::Any, "functions.t:0", Some("functions.t:0"));
    check_id(IdShape::Any, "two words", Some("call_a1TZM7nLnM7pMkaxjE8ITlPpkFFnjLTw"));
    check_id(IdShape::Word, "toolu_01-x", Some("toolu_01-x"));
    check_id(IdShape::Word, "functions.t:0", Some("call_NA6bPPLHzXfmLjJ9dLpfpELyaayHcsI8"));
    check_id(IdShape::ShortWord, &"x".repeat(40), Some(&"x".repeat(40)));
    check_id(IdShape::NineAlphanumerics, "abcDEF123", Some("abcDEF123"));
    check_id(IdShape::NineAlphanumerics, "functions.t:0", Some("NA6bPPLHz"));
    check_id(IdShape::None, "functions.t:0", None);
    for shape in [IdShape::Any, IdShape::Word] {
        let ids = Ids::of(&Caps { id_shape: shape, ..own() });
        let sent = ids.sent(&CallId("x".repeat(70))).unwrap_or_default();
        assert!(sent.len() <= 64 && sent.starts_with("call_"), "{sent}");
    }
}

#[test]
fn wp_04_openai_and_what_speaks_its_language_get_ids_of_at_most_forty_characters() {
    for server in [ServerKind::Openai, ServerKind::OpenaiCompatible] {
        let ids = Ids::of(&crate::caps(server, "here", "https://h/v1", "some-model"));
        for length in [41, 64, 70] {
            let sent = ids.sent(&CallId("x".repeat(length))).unwrap_or_default();
            assert!((1..=40).contains(&sent.len()) && sent.starts_with("call_"), "{server:?} {length}: {sent}");
        }
    }
}

#[test]
fn wp_04_a_servers_own_id_that_it_would_refuse_is_replaced_in_call_and_result() {
    let request = request("u:go A:!functions.t:0 r:functions.t:0");
    let turns = turns(&request, &own(), |_| true);
    let ids: Vec<&str> = turns
        .iter()
        .flat_map(|turn| &turn.pieces)
        .filter_map(|piece| match &piece.part {
            Part::Call { id, .. } | Part::Result { id, .. } => id.as_deref(),
            Part::Text { .. } | Part::Thinking { .. } | Part::Redacted { .. } | Part::Item { .. } => None,
        })
        .collect();
    assert_eq!(ids, ["call_NA6bPPLHzXfmLjJ9dLpfpELyaayHcsI8"; 2]);
}

#[test]
fn wp_04_a_tool_name_that_servers_refuse_is_replaced_by_one_they_take() {
    let name = |name: &str| super::tool_name(name).into_owned();
    assert_eq!(name("list_robots"), "list_robots");
    let replaced: Vec<String> =
        ["multi_tool_use.parallel", "functions.x", "", "näme mit Raum", &"x".repeat(65)].map(name).into();
    for name in &replaced {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        assert!(is_plain && (1..=64).contains(&name.len()), "{name}");
    }
    assert!(replaced[0].starts_with("multi_tool_use_parallel_"), "{}", replaced[0]);
    assert_ne!(name("functions.x"), name("functions x"), "two tools stay two");
    assert_eq!(name("functions.x"), replaced[1], "the same in every request");
}
