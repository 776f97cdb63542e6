//! Positions of marks in the bodies that leave, call after call of one conversation.

use super::*;

/// A conversation in letters: `u` words of a person, `m` of the model, `e` a nudge that is gone after this call.
fn conversation(letters: &str, epoch: u32) -> Request {
    let stays = letters.chars().filter(|letter| *letter != 'e').zip(0..);
    let mut messages: Vec<RequestMessage> = stays
        .map(|(letter, entry)| {
            let speaker = if letter == 'm' { Speaker::Assistant } else { Speaker::User };
            message(entry, speaker, text(&format!("{letter}{entry}")))
        })
        .collect();
    let transient_from = letters.ends_with('e').then_some(messages.len());
    if transient_from.is_some() {
        messages.push(RequestMessage { entry: None, ..message(0, Speaker::User, text("Two calls are left.")) });
    }
    let marks = MarkWish { messages: true, system: false, transient: TransientMark::SecondToLast };
    Request { messages, transient_from, marks, epoch, ..request() }
}

/// One conversation's calls, in order.
#[derive(Default)]
struct Calls {
    marks: Marks,
}

impl Calls {
    /// Makes a call; `expected` are the merged messages whose last block bears a mark.
    fn check(&mut self, letters: &str, epoch: u32, expected: &[usize]) {
        let request = conversation(letters, epoch);
        let (body, marks) = body(of("claude-opus-4-8"), &request, &self.marks);
        let messages = body["messages"].as_array().expect("messages");
        let bears = |message: &Value| {
            message["content"]
                .as_array()
                .and_then(|blocks| blocks.last())
                .is_some_and(|last| !last["cache_control"].is_null())
        };
        let found: Vec<usize> =
            messages.iter().enumerate().filter(|(_, message)| bears(message)).map(|(at, _)| at).collect();
        assert_eq!(found, expected, "{letters}");
        assert_eq!(marked(&body).len(), expected.len(), "{letters}: marks stand on last blocks only");
        self.marks = marks;
    }
}

#[test]
fn h_28_h_29_h_30_the_last_message_bears_a_mark_and_the_one_that_was_last_before() {
    let mut calls = Calls::default();
    calls.check("u", 1, &[0]);
    calls.check("umu", 1, &[0, 2]);
    calls.check("umumu", 1, &[2, 4]);
    calls.check("umumumu", 1, &[4, 6]);
}

#[test]
fn h_31_beside_a_nudge_the_second_to_last_message_bears_it_and_is_where_it_was_next_time() {
    let mut calls = Calls::default();
    calls.check("umu", 1, &[2]);
    calls.check("umumue", 1, &[2, 3]);
    calls.check("umumumue", 1, &[3, 5]);
    calls.check("umumumumu", 1, &[5, 8]);
}

#[test]
fn h_32_a_nudge_on_a_single_message_leaves_no_mark_and_moves_none() {
    let mut calls = Calls::default();
    calls.check("ue", 1, &[]);
    calls.check("u", 1, &[0]);
    calls.check("uue", 1, &[]);
    calls.check("umu", 1, &[0, 2]);
}

#[test]
fn h_33_after_a_resume_nothing_is_known_of_earlier_marks() {
    let mut calls = Calls::default();
    calls.check("umu", 1, &[2]);
    // Another process has its own memory; another epoch has another beginning.
    Calls::default().check("umumu", 1, &[4]);
    calls.check("umumu", 2, &[4]);
    calls.check("umumumu", 2, &[4, 6]);
}

#[test]
fn h_34_what_users_say_in_a_row_is_one_message_in_its_order() {
    let (body, _) = body(of("claude-opus-4-8"), &conversation("uuumue", 1), &Marks::default());
    let said = |at: usize| -> Vec<String> {
        let blocks = body["messages"][at]["content"].as_array().cloned().unwrap_or_default();
        blocks.iter().filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!((said(0), said(1)), (vec!["u0".into(), "u1".into(), "u2".into()], vec!["m3".to_owned()]));
    assert_eq!(said(2), ["u4", "Two calls are left."], "a nudge merges too");
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(3));
}

/// Blocks in wire order up to each mark in the messages, one line a block, marks left out.
fn covered(body: &Value) -> Vec<Vec<String>> {
    let system = body["system"].as_array().map_or(0, Vec::len);
    let messages = body["messages"].as_array().into_iter().flatten();
    let blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
    let marked = blocks.enumerate().filter(|(_, block)| block.get("cache_control").is_some());
    // The tools are one line.
    marked.map(|(at, _)| stable(body)[..=1 + system + at].to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn i_05_the_older_mark_covers_exactly_what_the_newest_one_covered_before(
        steps in prop::collection::vec(happens(), 1..14),
        before_transient in any::<bool>(),
    ) {
        let model = of("claude-opus-4-8");
        let transient = if before_transient { TransientMark::BeforeTransient } else { TransientMark::SecondToLast };
        let (mut marks, mut newest) = (Marks::default(), None);
        for request in conversations(&steps, &model) {
            let request = Request { marks: MarkWish { messages: true, system: true, transient }, ..request };
            let (body, next) = body(model.clone(), &request, &marks);
            let covered = covered(&body);
            if let ([older, _], Some(newest)) = (covered.as_slice(), &newest) {
                prop_assert_eq!(older, newest);
            }
            newest = covered.last().cloned().or(newest);
            marks = next;
        }
    }
}
