use super::*;
use crate::Preset;

fn load(used: u64, room: u64) -> Load {
    Load { used, room, messages: 30, mask_frees: None, can_compact: true, can_flush: true }
}

/// The steps before one call, when a flush frees nothing, a mask what it says and a pass a quarter.
fn climb(preset: Preset, standing: Standing, bound: bool, mut load: Load) -> Vec<Step> {
    let policy = Policy::preset(preset);
    let (mut done, mut steps) = (Relieved::default(), Vec::new());
    loop {
        let step = pressure(&policy, standing, bound, &load, &done);
        steps.push(step);
        assert!(steps.len() < 20, "{preset:?} never ends: {steps:?}");
        match step {
            Step::Flush => (done.flushed, done.facts, load.can_flush) = (true, true, false),
            Step::Mask => {
                done.masked = true;
                load.used -= load.mask_frees.take().unwrap_or_default();
            }
            Step::Compact => {
                done.passes += 1;
                load.messages /= 2;
                load.used -= load.used / 4;
            }
            Step::Emergency => {
                done.emergency = true;
                load.used /= 2;
            }
            Step::Call | Step::Warn | Step::WarnFlush | Step::NextIsFinal | Step::Final => return steps,
        }
    }
}

#[test]
fn s_08_s_09_s_10_s_11_l_30_the_ladder_of_an_operators_desk() {
    use Step::{Call, Compact, Final, Flush, Mask, Warn};
    let check = |used, expected: &[Step]| {
        assert_eq!(climb(Preset::Operator, Standing::TurnStart, false, load(used, 1_000)), expected, "{used}");
    };
    check(499, &[Call]);
    check(500, &[Flush, Call]);
    check(749, &[Flush, Call]);
    check(750, &[Flush, Compact, Call]);
    check(1_400, &[Flush, Compact, Compact, Compact, Call]);
    check(2_400, &[Flush, Compact, Compact, Compact, Final]);
    let within = |used, expected| {
        assert_eq!(climb(Preset::Operator, Standing::Within, false, load(used, 1_000)), [expected], "{used}");
    };
    within(799, Call);
    within(800, Warn);
    within(999, Warn);
    within(1_000, Final);
    let masks = |frees, expected: &[Step]| {
        let load = Load { mask_frees: Some(frees), ..load(40_000, 100_000) };
        assert_eq!(climb(Preset::Operator, Standing::TurnStart, false, load), expected, "{frees}");
    };
    masks(7_999, &[Call]);
    masks(8_000, &[Mask, Call]);
}

#[test]
fn b_33_b_34_b_35_b_36_a_companion_compacts_before_each_call_up_to_three_times() {
    use Step::{Call, Compact, Flush, Mask};
    let check = |standing, bound, load: Load, expected: &[Step]| {
        assert_eq!(climb(Preset::Companion, standing, bound, load), expected, "{load:?}");
    };
    check(Standing::Within, false, load(24_576, 32_768), &[Call]);
    check(Standing::Within, false, load(24_577, 32_768), &[Flush, Compact, Call]);
    check(Standing::Within, false, load(90_000, 32_768), &[Flush, Compact, Compact, Compact, Call]);
    let old_results = Load { mask_frees: Some(10), ..load(24_577, 32_768) };
    check(Standing::Within, false, old_results, &[Flush, Mask, Call]);
    check(Standing::Within, false, Load { messages: 200, ..load(0, 32_768) }, &[Flush, Compact, Call]);
    // Its thinking would not survive an edited past.
    check(Standing::Within, true, load(90_000, 32_768), &[Call]);
    let mut off = Policy::preset(Preset::Companion);
    off.compact.enabled = false;
    let load = load(90_000, 32_768);
    assert_eq!(pressure(&off, Standing::Within, false, &load, &Relieved::default()), Call);
}

#[test]
fn d_11_d_12_a_vault_clears_at_turn_start_and_has_an_emergency() {
    use Step::{Call, Compact, Emergency, Mask};
    let check = |standing, load: Load, expected: &[Step]| {
        assert_eq!(climb(Preset::Vault, standing, false, load), expected, "{load:?}");
    };
    check(Standing::TurnStart, load(700, 1_000), &[Call]);
    check(Standing::TurnStart, load(701, 1_000), &[Compact, Call]);
    check(Standing::TurnStart, load(1_600, 1_000), &[Compact, Compact, Emergency, Call]);
    let old = Load { mask_frees: Some(1), ..load(100, 1_000) };
    check(Standing::TurnStart, old, &[Mask, Call]);
    check(Standing::Within, old, &[Call]);
}

#[test]
fn h_05_h_07_an_investigator_is_warned_and_then_has_one_call_left() {
    let check = |used, expected: Step| {
        assert_eq!(climb(Preset::Investigator, Standing::Within, false, load(used, 1_000)), [expected], "{used}");
    };
    check(799, Step::Call);
    check(800, Step::Warn);
    check(999, Step::Warn);
    check(1_000, Step::NextIsFinal);
}

#[test]
fn t_25_t_29_t_30_a_chat_is_warned_at_half_and_compacted_once() {
    use Step::{Call, Compact, Mask, WarnFlush};
    let check = |bound, load: Load, expected: &[Step]| {
        assert_eq!(climb(Preset::Chat, Standing::Within, bound, load), expected, "{load:?}");
    };
    check(false, load(499, 1_000), &[Call]);
    check(false, load(500, 1_000), &[WarnFlush]);
    check(false, load(750, 1_000), &[Compact, WarnFlush]);
    check(false, Load { messages: 200, ..load(1, 1_000) }, &[Compact, Call]);
    check(false, Load { mask_frees: Some(1), ..load(1, 1_000) }, &[Mask, Call]);
    check(true, Load { mask_frees: Some(1), ..load(1, 1_000) }, &[Call]);
}

#[test]
fn i_11_a_pass_frees_something_or_is_the_last() {
    let check = |preset, before, after, expected| {
        assert_eq!(has_gained(&Policy::preset(preset).compact, before, after), expected, "{preset:?} {before} {after}");
    };
    check(Preset::Operator, 1_000, 950, true);
    check(Preset::Operator, 1_000, 951, false);
    check(Preset::Companion, 1_000, 999, true);
    check(Preset::Companion, 1_000, 1_000, false);
    check(Preset::Companion, 1_000, 1_001, false);
    let done = Relieved { exhausted: true, passes: 1, ..Relieved::default() };
    let full = Load { can_flush: false, ..load(900, 1_000) };
    assert_eq!(pressure(&Policy::operator(), Standing::TurnStart, false, &full, &done), Step::Warn);
}

#[test]
fn l_31_s_43_what_follows_a_reported_overflow_each_once() {
    let check = |preset, expected: &[OverflowStep]| {
        let (policy, mut tried) = (Policy::preset(preset), Vec::new());
        while let Some(step) = after_overflow(&policy, &tried) {
            tried.push(step);
        }
        assert_eq!(tried, expected, "{preset:?}");
    };
    check(Preset::Companion, &[OverflowStep::Compact]);
    check(Preset::Vault, &[OverflowStep::Compact, OverflowStep::Emergency]);
    check(Preset::Investigator, &[OverflowStep::NextIsFinal]);
    check(Preset::Chat, &[OverflowStep::ArchiveAndReset]);
    check(Preset::Operator, &[OverflowStep::MaskAll, OverflowStep::Compact, OverflowStep::ArchiveWithSummary]);
}

#[test]
fn s_08_h_07_what_marks_are_shares_of() {
    let mut caps = Caps::interpreter("m");
    caps.window = 100_000;
    let check = |preset, expected| assert_eq!(room(&Policy::preset(preset), &caps, 4_096), expected, "{preset:?}");
    check(Preset::Companion, 32_768);
    check(Preset::Vault, 100_000);
    check(Preset::Operator, 95_904);
    let mut policy = Policy::operator();
    policy.compact.window = Some(200_000);
    assert_eq!(window(&policy, &caps), 100_000);
}

#[test]
fn s_46_t_32_a_conversation_that_is_taken_up_is_compacted_first_if_the_policy_wants_that() {
    for (compact, expected) in [(true, Step::Compact), (false, Step::WarnFlush)] {
        let mut policy = Policy::preset(Preset::Chat);
        (policy.compact.moment, policy.resume.compact) = (Moment::Never, compact);
        let done = Relieved::default();
        let full = load(900, 1_000);
        assert_eq!(pressure(&policy, Standing::Resumed, true, &full, &done), expected);
        let usual = pressure(&policy, Standing::TurnStart, true, &full, &done);
        assert_ne!(usual, Step::Compact, "any other turn waits for its own moment");
    }
}
