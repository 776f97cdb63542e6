use super::*;
use crate::{CancelReason, EntryKind, Marker};
use llm::{Block, CallId};
use proptest::prelude::*;
use robot::{Origin, Trust};

fn trust() -> impl Strategy<Value = Trust> {
    prop_oneof![Just(Trust::Trusted), Just(Trust::Typed), Just(Trust::Text)]
}

fn texts(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Block>> {
    let text = (any::<String>(), trust()).prop_map(|(text, trust)| Block::Text { text, trust });
    prop::collection::vec(text, count)
}

fn reply() -> impl Strategy<Value = Vec<Block>> {
    let calls = prop::collection::vec((any::<String>(), any::<String>(), any::<String>()), 0..4);
    (prop::option::of(".{1,20}"), calls).prop_map(|(text, calls)| {
        let text = text.map(|text| Block::Text { text, trust: Trust::Trusted });
        let calls = calls.into_iter().map(|(id, name, args_raw)| Block::Call { id: CallId(id), name, args_raw });
        text.into_iter().chain(calls).collect()
    })
}

fn result() -> impl Strategy<Value = Vec<Block>> {
    (any::<String>(), any::<String>(), any::<bool>(), trust())
        .prop_map(|(id, json, is_error, trust)| vec![Block::Result { call: CallId(id), json, is_error, trust }])
}

fn content() -> impl Strategy<Value = (EntryKind, Vec<Block>)> {
    let marker = any::<String>()
        .prop_map(|partial| EntryKind::Marker(Marker::Cancelled { reason: CancelReason::StopAll, partial }));
    prop_oneof![
        texts(0..3).prop_map(|blocks| (EntryKind::User, blocks)),
        texts(0..3).prop_map(|blocks| (EntryKind::Volatile, blocks)),
        reply().prop_map(|blocks| (EntryKind::Assistant, blocks)),
        result().prop_map(|blocks| (EntryKind::ToolResult, blocks)),
        marker.prop_map(|kind| (kind, Vec::new())),
    ]
}

fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![
        any::<String>().prop_map(Origin::Operator),
        any::<String>().prop_map(Origin::Tool),
        any::<String>().prop_map(Origin::Sensor),
        any::<String>().prop_map(Origin::Room),
        Just(Origin::System),
        Just(Origin::Agent),
    ]
}

fn transcript() -> impl Strategy<Value = Transcript> {
    prop::collection::vec((content(), origin(), any::<i64>(), any::<u32>()), 0..8).prop_map(|parts| {
        let mut transcript = Transcript::default();
        for ((kind, blocks), origin, at_ms, epoch) in parts {
            transcript.push(Entry { id: transcript.next_id(), epoch, at_ms, kind, blocks, origin });
        }
        transcript
    })
}

fn save(transcript: &Transcript) -> String {
    transcript.entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn i_07_what_is_saved_is_what_is_loaded(transcript in transcript()) {
        prop_assert_eq!(Transcript::load(&save(&transcript)), Loaded { transcript, skipped: 0 });
    }

    #[test]
    fn l_12_any_text_loads(lines in "(\\PC|\n|\\{|\\}|\"id\":1){0,200}") {
        let _ = Transcript::load(&lines);
    }
}

#[test]
fn l_12_lines_that_are_no_entries_are_skipped_and_counted() {
    let good = r#"{"id":7,"epoch":0,"at_ms":1,"kind":"user","role":"user","origin":"operator(dana)","trust":"trusted","content":"hello"}"#;
    let check = |bad: &str| {
        let loaded = Transcript::load(&format!("{bad}\n\n{good}\n{good}\n"));
        assert_eq!((loaded.transcript.entries().len(), loaded.skipped), (1, 2), "{bad}");
        assert_eq!(loaded.transcript.next_id(), 8);
    };
    check("{\"id\":0,\"epo");
    check(&good.replace("operator(dana)", "nobody(dana)"));
    check(&good.replace("\"kind\":\"user\"", "\"kind\":\"tool_result\""));
    check(&good.replace("\"kind\":\"user\"", "\"kind\":\"marker\""));
    check("null");
}
