use super::*;
use crate::Preset;
use robot::ConversationId;

fn check(preset: Preset, text: &str, scene: &Scene, expected: &str) {
    let routing = match route(&Policy::preset(preset), text, scene) {
        None => "none".to_owned(),
        Some(Routing::Classify) => "classify".to_owned(),
        Some(Routing::Sure(Routed { profile, demand, .. })) => format!("{profile:?} {demand:?}"),
    };
    assert_eq!(routing, expected, "{text:?}");
}

fn companion(text: &str, expected: &str) {
    check(Preset::Companion, text, &Scene::default(), expected);
}

#[test]
fn b_01_b_04_b_05_b_06_heuristics_first_match_wins() {
    companion("hm", "Reflex Chat");
    companion("Good morning!", "Reflex Chat");
    companion("good morning team, a word", "classify");
    companion("Who are you?", "Deliberate Deep");
    companion("what can you do for me", "Deliberate Deep");
    companion("look at notes.md", "Deliberate Grounded");
    companion("see the README please", "Deliberate Grounded");
    companion("show me the logs", "Deliberate Grounded");
    companion("what is wrong in line 42", "Deliberate Grounded");
    companion("really, is it so?", "Reflex Chat");
    companion("is it warm outside today, what do you think?", "classify");
    companion("compare these two ways", "Deliberate Deep");
    companion("haha that was a good one", "Reflex Chat");
    companion("that was a good one", "classify");
    companion(&"so ".repeat(80), "Deliberate Deep");
    let mood = Scene { mood: Some("angry"), ..Scene::default() };
    check(Preset::Companion, "this does not go well at all", &mood, "Deliberate Deep");
    let automation = Scene { is_automation: true, ..Scene::default() };
    check(Preset::Companion, "hi", &automation, "Deliberate Grounded");
}

#[test]
fn b_05_a_question_of_79_characters_is_plain_and_one_of_80_is_not() {
    let question = |chars: usize| format!("{}?", "a ".repeat(chars)[..chars - 1].to_owned());
    companion(&question(79), "classify");
    assert_eq!(question(80).chars().count(), 80);
    // It still leans to reflex, as any short message without a sign does.
    companion(&question(80), "classify");
    companion(&format!("explain {}", question(72)), "Deliberate Deep");
    companion(&format!("explain {}", question(71)), "classify");
    companion("IS THAT SO, WHY EXPLAIN IT LIKE THIS?", "Deliberate Deep");
}

#[test]
fn b_06_the_answer_of_the_classifier() {
    let check = |answer: Option<&str>, demand, profile, doubt| {
        assert_eq!(classified(answer), Routed { profile, demand, doubt }, "{answer:?}");
    };
    check(Some("CHAT"), Demand::Chat, Profile::Reflex, 20);
    check(Some(" chat."), Demand::Chat, Profile::Reflex, 20);
    check(Some("EXACT"), Demand::Exact, Profile::Deliberate, 15);
    check(Some("GROUNDED"), Demand::Grounded, Profile::Deliberate, 15);
    check(Some("**DEEP**"), Demand::Deep, Profile::Deliberate, 20);
    check(Some("well, perhaps"), Demand::Grounded, Profile::Deliberate, 60);
    check(Some(""), Demand::Grounded, Profile::Deliberate, 60);
    check(None, Demand::Grounded, Profile::Deliberate, 60);
}

#[test]
fn b_06_s_48_the_classifier_reads_little_and_says_a_word() {
    let mut caps = Caps::interpreter("m");
    caps.sampling = true;
    let text = "ä".repeat(2_000);
    let request = router_request(&ConversationId::from("s"), &caps, &Policy::preset(Preset::Companion), &text);
    let llm::Block::Text { text, .. } = &request.messages[0].blocks[0] else { unreachable!("text") };
    assert_eq!((request.output_max, text.chars().count(), request.tools.len()), (8, 1_500, 0));
    assert!((request.sampling.unwrap().temperature - 0.2).abs() < 1e-6);
    assert_eq!(request.thinking, llm::ThinkingWish::Off);
    caps.sampling = false;
    assert_eq!(router_request(&ConversationId::from("s"), &caps, &Policy::operator(), "hi").sampling, None);
}

#[test]
fn s_47_at_an_operators_desk_robots_and_commands_are_looked_up() {
    let names = ["arm-1".to_owned(), "person.location".to_owned()];
    let calm = Scene { names: &names, ..Scene::default() };
    let busy = Scene { is_busy: true, ..calm.clone() };
    check(Preset::Operator, "move the arm to 0.5 0.2 1.0", &calm, "Deliberate Grounded");
    check(Preset::Operator, "/status", &calm, "Deliberate Grounded");
    check(Preset::Operator, "is ARM-1 ok?", &calm, "Deliberate Grounded");
    check(Preset::Operator, "hm, person.location?", &calm, "Deliberate Grounded");
    check(Preset::Operator, "armistice day", &calm, "classify");
    check(Preset::Operator, "thanks", &calm, "Reflex Chat");
    check(Preset::Operator, "thanks", &busy, "Deliberate Grounded");
    check(Preset::Operator, "who are you", &busy, "Deliberate Deep");
    for preset in [Preset::Vault, Preset::Investigator, Preset::Chat] {
        check(preset, "thanks", &calm, "none");
    }
}

#[test]
fn b_06_the_lists_have_their_sizes() {
    let check = |list, count| assert_eq!(entries(list).count(), count);
    check(IDENTITY, 18);
    check(CAPABILITIES, 12);
    check(DEEP, 8);
    check(MOODS, 3);
    check(SLANG, 20);
}
