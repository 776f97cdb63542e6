use super::*;
use crate::Preset;
use robot::ConversationId;

fn facts(request: &str, text: &str) -> TurnFacts {
    TurnFacts { request: request.into(), seen: text.into(), last_text: text.into(), ..TurnFacts::default() }
}

fn worked(request: &str, text: &str) -> TurnFacts {
    let previews = vec!["{\"temperature\": 21}".to_owned()];
    TurnFacts { works: 1, succeeded: 1, previews, ..facts(request, text) }
}

fn check(facts: &TurnFacts, expected: &str) {
    let verdict = match inspect(&Policy::preset(Preset::Companion), facts) {
        GateVerdict::Done => "done".to_owned(),
        GateVerdict::Continue(nudge) => nudge,
        GateVerdict::Ask(judge) => format!("{judge:?}"),
    };
    assert!(verdict.contains(expected), "{facts:?}: {verdict}");
}

#[test]
fn b_21_b_26_b_28_an_explicit_end_is_believed_after_work_only() {
    check(&TurnFacts { ended_by_tool: true, ..worked("warm?", "") }, "done");
    check(&TurnFacts { ended_by_tool: true, ..facts("write it", "I like it.") }, "Adequacy");
    let failed = TurnFacts { works: 1, succeeded: 0, ended_by_tool: true, ..facts("write it", "It failed.") };
    check(&failed, "Adequacy");
}

#[test]
fn b_20_b_28_a_reply_cut_by_length_is_taken_after_two_failures() {
    let cut = |text, failures| TurnFacts { cut_by_length: true, failures, ..facts("tell me all", text) };
    check(&cut("half of it", 2), "done");
    check(&cut("", 2), "into a file");
    check(&cut("half of it", 1), "Adequacy");
}

#[test]
fn b_27_b_28_signs_that_a_turn_is_not_done() {
    check(&facts("hi", ""), "Nothing of this turn was visible");
    check(&facts("hi", "<|im_end|> </think>\n"), "Nothing of this turn was visible");
    check(&facts("how is it", "I'm checking the logs now."), "Do what you announced");
    check(&facts("how is it", "Sure, let me read the file first."), "Do what you announced");
    check(&worked("how is it", "Got it!"), "You acknowledged");
    check(&worked("how is it", "okay."), "You acknowledged");
    check(&facts("verify that the door is shut", "It is shut."), "Look it up");
    let failed = TurnFacts { works: 1, last_failed: true, ..facts("hi", "done") };
    check(&failed, "You acknowledged");
    check(&worked("how is it", "The oven is warm."), "Grounded");
    check(&facts("tell me a joke", "Two robots walk into a bar."), "Adequacy");
    // An acknowledgement without work may be all that is wanted: a judge says.
    check(&facts("remember me to her", "will do"), "Adequacy");
}

#[test]
fn b_28_s_29_after_so_many_failures_the_turn_is_done() {
    check(&TurnFacts { failures: 12, ..facts("hi", "") }, "done");
    check(&TurnFacts { failures: 11, ..facts("hi", "") }, "Nothing");
    let policy = Policy::operator();
    let asked = |failures| TurnFacts { demand: Some(Demand::Exact), failures, ..facts("move", "") };
    assert_eq!(inspect(&policy, &asked(2)), GateVerdict::Done);
    assert_ne!(inspect(&policy, &asked(1)), GateVerdict::Done);
}

#[test]
fn s_28_b_22_when_the_gate_looks() {
    let check = |preset, demand, works, succeeded, any_failed, expected| {
        let facts = TurnFacts { demand, works, succeeded, any_failed, ..facts("move", "moved") };
        assert_eq!(gate_is_on(&Policy::preset(preset), &facts), expected, "{facts:?}");
    };
    check(Preset::Operator, Some(Demand::Grounded), 1, 1, false, false);
    check(Preset::Operator, Some(Demand::Grounded), 0, 0, false, true);
    check(Preset::Operator, Some(Demand::Exact), 1, 0, false, true);
    check(Preset::Operator, Some(Demand::Chat), 2, 1, true, true);
    check(Preset::Operator, Some(Demand::Chat), 0, 0, false, false);
    check(Preset::Operator, None, 0, 0, false, false);
    check(Preset::Companion, None, 0, 0, false, true);
    for preset in [Preset::Vault, Preset::Investigator, Preset::Chat] {
        check(preset, Some(Demand::Exact), 1, 0, true, false);
    }
}

#[test]
fn b_23_b_24_b_25_what_the_judges_are_asked() {
    let mut caps = Caps::interpreter("m");
    caps.sampling = true;
    let (session, policy) = (ConversationId::from("s"), Policy::preset(Preset::Companion));
    let mut facts = worked(&"r".repeat(2_000), &"a".repeat(3_000));
    facts.previews = (0..8).map(|number| format!("p{number} {}", "x".repeat(300))).collect();
    let check = |judge, tokens, answer: usize, previews: usize| {
        let request = judge_request(judge, &session, &caps, &policy, &facts);
        let llm::Block::Text { text, .. } = &request.messages[0].blocks[0] else { unreachable!("text") };
        let length = |start: &str, letter: char| {
            text.split(start).nth(1).map_or(0, |rest| rest.chars().take_while(|c| *c == letter).count())
        };
        assert_eq!((request.output_max, request.tools.len()), (tokens, 0));
        assert_eq!(request.sampling.map(|sampling| sampling.temperature), Some(0.0));
        assert_eq!((length("Asked for: ", 'r'), length("Answer: ", 'a')), (1_200, answer));
        assert_eq!((text.matches("Result: ").count(), length("Result: p0 ", 'x')), (previews, previews.min(1) * 217));
    };
    check(Judge::Grounded, 40, 1_000, 3);
    check(Judge::Adequacy, 64, 2_000, 0);
}

#[test]
fn b_23_l_26_a_judge_that_says_neither_word_passes() {
    let check = |answer: Option<&str>, expected: &str| {
        let verdict = match judged(answer) {
            GateVerdict::Done => "done".to_owned(),
            GateVerdict::Continue(nudge) => nudge,
            GateVerdict::Ask(judge) => format!("{judge:?}"),
        };
        assert_eq!(verdict, expected, "{answer:?}");
    };
    check(Some("DONE: it is there"), "done");
    check(Some("CONTINUE: the file was not written"), "[Not done] the file was not written");
    check(Some("**continue:** x"), "[Not done] x");
    check(Some("CONTINUE:"), "[Not done] What was asked for is not there yet.");
    check(Some("I would say it goes on"), "done");
    check(Some(""), "done");
    check(None, "done");
}

#[test]
fn b_13_b_28_previews_are_short_and_an_answer_may_ignore_them() {
    assert_eq!(preview(&"ä".repeat(500)).chars().count(), PREVIEW_CHARS + 1);
    let check = |answer: &str, expected| {
        assert_eq!(ignores_results(answer, &["{\"status\": \"docked\"}".to_owned()]), expected, "{answer}");
    };
    check("The rover is docked.", false);
    check("All is well with it.", true);
    check("All is well at 21.", false);
    check("All is well in /dock.", false);
    assert!(!ignores_results("All is well.", &[]));
}

#[test]
fn b_28_the_lists_have_their_sizes() {
    let check = |list, count| assert_eq!(entries(list).count(), count);
    check(ACKNOWLEDGEMENTS, 40);
    check(ACKNOWLEDGEMENT_WORDS, 11);
    check(OPENINGS, 16);
    check(DEMANDS, 8);
}
