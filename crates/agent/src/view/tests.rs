use super::*;
use expect_test::{Expect, expect};

/// Loads `lines`, of the form `kind id words`, and prints what the model is shown.
fn check(lines: &str, expected: Expect) {
    let mut transcript = Transcript::default();
    for line in lines.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap();
        let (kind, blocks, origin) = match kind {
            "user" => (EntryKind::User, texts(words), Origin::Operator("dana".into())),
            "volatile" => (EntryKind::Volatile, texts(words), Origin::System),
            "reply" => (EntryKind::Assistant, words.map(call).collect(), Origin::Agent),
            "result" => (EntryKind::ToolResult, words.map(result).collect(), Origin::Tool("look".into())),
            "marker" => {
                let marker = crate::Marker::CutByLength { partial: String::new() };
                (EntryKind::Marker(marker), Vec::new(), Origin::System)
            }
            other => panic!("no entry is a {other}"),
        };
        transcript.push(Entry::new(transcript.next_id(), 0, 0, kind, blocks, origin));
    }
    let shown =
        messages(transcript.entries()).iter().map(|message| format!("{}\n", print(message))).collect::<String>();
    expected.assert_eq(&shown);
}

fn texts<'a>(words: impl Iterator<Item = &'a str>) -> Vec<Block> {
    words.map(|word| Block::Text { text: word.into(), trust: Trust::Trusted }).collect()
}

fn call(id: &str) -> Block {
    Block::Call { id: CallId(id.into()), name: "look".into(), args_raw: "{}".into() }
}

fn result(id: &str) -> Block {
    Block::Result { call: CallId(id.into()), json: "{}".into(), is_error: false, trust: Trust::Trusted }
}

fn print(message: &RequestMessage) -> String {
    let parts: Vec<String> = message
        .blocks
        .iter()
        .map(|block| match block {
            Block::Text { text, .. } => text.clone(),
            Block::Call { id, .. } => format!("call {id}"),
            Block::Result { call, is_error, .. } => format!("result {call}{}", if *is_error { " error" } else { "" }),
        })
        .collect();
    format!("{:?}: {}", message.speaker, parts.join(" "))
}

#[test]
fn l_15_the_world_stands_before_the_words_it_was_gathered_for() {
    check(
        "user move\nvolatile world\nreply a\nresult a\nvolatile changed",
        expect![[r#"
        User: world
        User: move
        Assistant: call a
        User: result a
        User: changed
    "#]],
    );
}

#[test]
fn l_12_results_that_answer_nothing_are_left_out() {
    check(
        "result a\nuser hello\nreply a b\nresult b\nresult c\nresult a\nresult b\nuser again\nresult a",
        expect![[r#"
            User: hello
            Assistant: call a call b
            User: result a
            User: result b
            User: again
        "#]],
    );
}

#[test]
fn x_10_a_call_without_its_result_was_interrupted() {
    check(
        "user go\nreply a b\nresult a\nmarker\nuser again",
        expect![[r#"
        User: go
        Assistant: call a call b
        User: result a
        User: result b error
        User: again
    "#]],
    );
    check(
        "user go\nreply a",
        expect![[r#"
        User: go
        Assistant: call a
        User: result a error
    "#]],
    );
}
