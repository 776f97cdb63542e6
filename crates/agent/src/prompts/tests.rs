use super::*;
use crate::{Estimator, Preset, context::estimate::tokens_of_chars};

fn parts() -> SystemParts {
    let agent = "main".parse::<AgentId>().unwrap();
    SystemParts {
        soul: "SOUL".into(),
        strategy: "STRATEGY".into(),
        owner: "OWNER".into(),
        missions: vec!["MISSION".into()],
        constraints: vec!["CONSTRAINT".into()],
        voice: "HOW-TO-SPEAK".into(),
        knowledge: "KNOWLEDGE".into(),
        narrative: "NARRATIVE".into(),
        inner_voice: "INNER".into(),
        relationship: "RELATION".into(),
        memory: "MEMORY".into(),
        user: "CURRENT-USER".into(),
        workflow: "WORKFLOW".into(),
        tools: vec!["TOOL: does it".into()],
        ..SystemParts::of(&agent, "lab")
    }
}

/// The places of `marks` in the text of `preset`, and how many blocks it has.
fn check(preset: Preset, blocks: usize, marks: &[&str]) {
    let text = SystemText::new(&Policy::preset(preset), &parts(), 0);
    assert_eq!(text.blocks.len(), blocks, "{preset:?}");
    let all = text.blocks.join("\n");
    let places: Vec<Option<usize>> = marks.iter().map(|mark| all.find(mark)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{preset:?}: {marks:?} at {places:?}");
}

#[test]
fn l_14_b_07_d_09_d_16_d_17_h_01_t_13_s_37_the_order_of_each_system_text() {
    check(
        Preset::Operator,
        7,
        &["Safety rules", "You are main", "SOUL", "Answer in short", "site lab", "OWNER", "MISSION", "CONSTRAINT"],
    );
    check(Preset::Companion, 4, &["Safety rules", "You are main", "INNER", "NARRATIVE", "HOW-TO-SPEAK", "TOOL"]);
    check(Preset::Vault, 1, &["Safety rules", "You are main", "Searching is expensive", "[Vault context"]);
    check(Preset::Investigator, 1, &["Safety rules", "You are main", "TOOL", "WORKFLOW"]);
    check(
        Preset::Chat,
        8,
        &["SOUL", "Safety rules", "STRATEGY", "site lab", "Answer in short", "OWNER", "MEMORY", "CURRENT-USER"],
    );
}

#[test]
fn l_14_equal_inputs_give_equal_bytes_and_nothing_is_empty() {
    let plain = SystemParts::of(&"main".parse::<AgentId>().unwrap(), "lab");
    let text = || SystemText::new(&Policy::operator(), &plain, 0).blocks;
    assert_eq!(text(), text());
    assert_eq!(text().len(), 4);
    assert!(text().iter().all(|block| !block.is_empty()));
}

#[test]
fn e_06_a_mission_that_comes_or_goes_is_told_once_and_the_text_stays() {
    let (policy, mut now) = (Policy::operator(), parts());
    let mut text = SystemText::new(&policy, &now, 0);
    assert_eq!(text.news(&now), None);
    now.missions = vec!["PATROL".into()];
    let mut next = text.clone().next(&policy, &now, 0);
    let told = "[Missions and constraints have changed]\nNo longer: MISSION\nNow: PATROL";
    assert_eq!((next.news(&now).as_deref(), next.news(&now)), (Some(told), None));
    assert_eq!(next.blocks, text.blocks);
    assert_eq!(text.next(&policy, &now, 1).news(&now), None, "a text of a new epoch says it itself");
}

#[test]
fn b_08_s_39_e_06_how_long_a_text_stays() {
    let check = |preset, change: &dyn Fn(&mut SystemParts), epoch, stays: bool| {
        let policy = Policy::preset(preset);
        let mut next = parts();
        change(&mut next);
        let text = SystemText::new(&policy, &parts(), 0);
        assert_eq!(text.clone().next(&policy, &next, epoch) == text, stays, "{preset:?} {epoch}");
    };
    let knows_more = |parts: &mut SystemParts| parts.knowledge.push_str(" MORE");
    let mission = |parts: &mut SystemParts| parts.missions.push("ANOTHER".into());
    check(Preset::Companion, &knows_more, 0, false);
    check(Preset::Companion, &|parts| parts.identity.push('!'), 0, true);
    check(Preset::Companion, &|parts| parts.memory = "m".repeat(219), 0, false);
    check(Preset::Operator, &mission, 0, true);
    check(Preset::Operator, &mission, 1, false);
    check(Preset::Vault, &|parts| parts.soul.push('!'), 1, true);
    check(Preset::Chat, &|parts| parts.user.push('!'), 0, false);
    check(Preset::Investigator, &|parts| parts.workflow.push('!'), 0, false);
}

#[test]
fn b_08_only_the_beginning_of_an_input_moves_the_fingerprint() {
    let long = |chars: usize, end: &str| SystemParts { knowledge: "k".repeat(chars) + end, ..parts() };
    assert_eq!(fingerprint(&long(2_400, "a")), fingerprint(&long(2_400, "b")));
    assert_ne!(fingerprint(&long(2_399, "a")), fingerprint(&long(2_399, "b")));
    // One input's end is not another's beginning.
    let moved = SystemParts { narrative: "NARRATIVEI".into(), inner_voice: "NNER".into(), ..parts() };
    assert_ne!(fingerprint(&moved), fingerprint(&parts()));
}

#[test]
fn b_08_a_text_that_is_too_long_keeps_its_rules_and_its_tools() {
    let long = SystemParts { soul: "s".repeat(3_000), voice: "v".repeat(20_000), ..parts() };
    let text = SystemText::new(&Policy::preset(Preset::Companion), &long, 0);
    let all = text.blocks.join("");
    assert_eq!(all.chars().count(), 12_000);
    assert!(all.contains("Safety rules") && all.ends_with("TOOL: does it"));
    let tools = SystemParts { tools: vec!["t".repeat(30_000)], ..parts() };
    let text = SystemText::new(&Policy::preset(Preset::Companion), &tools, 0);
    assert!(text.blocks.join("").chars().count() <= 12_000);
}

#[test]
fn l_14_a_text_that_is_too_long_keeps_its_safety_rules_in_every_design() {
    let long = |chars: usize| "x".repeat(chars);
    let stuffed = SystemParts {
        soul: long(64 * 1024),
        strategy: long(9_000),
        owner: long(9_000),
        missions: vec![long(9_000)],
        memory: long(9_000),
        user: long(9_000),
        workflow: long(9_000),
        tools: vec![long(9_000)],
        ..parts()
    };
    let a_soul = SystemParts { soul: long(64 * 1024), ..parts() };
    for preset in Preset::ALL {
        for (chars_max, parts) in [(2_000, &stuffed), (12_000, &stuffed), (2_000, &a_soul), (8_750, &a_soul)] {
            let mut policy = Policy::preset(preset);
            policy.prompt.chars_max = Some(chars_max);
            let text = SystemText::new(&policy, parts, 0).blocks.join("");
            assert!(text.contains(SAFETY.trim()), "{preset:?} {chars_max}: no safety rules");
            assert!(text.contains("You are main"), "{preset:?} {chars_max}: no identity");
            let chars = u32::try_from(text.chars().count()).unwrap();
            assert!(chars <= chars_max, "{preset:?}: {chars} characters, at most {chars_max}");
        }
        let text = SystemText::new(&Policy::preset(preset), &a_soul, 0).blocks.join("");
        assert!(text.contains(SAFETY.trim()), "{preset:?}: as it comes");
    }
}

#[test]
fn d_18_the_system_text_of_a_vault_has_its_budget() {
    let text = SystemText::new(&Policy::preset(Preset::Vault), &parts(), 0).blocks.join("");
    let tokens = tokens_of_chars(Estimator::ThreeAndHalf, u64::try_from(text.chars().count()).unwrap());
    assert!(tokens <= 2_500, "{tokens}");
}

#[test]
fn h_25_what_a_resumed_conversation_is_told() {
    let text = continuation();
    for said in [
        "follow-up",
        "Do not run the workflow again",
        "Answer the question",
        "still there",
        "earlier findings",
        "stay on",
    ] {
        assert!(text.contains(said), "{said}");
    }
}
