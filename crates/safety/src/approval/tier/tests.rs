use proptest::prelude::*;

use super::*;
use crate::Overall;
use crate::fixtures::*;

fn harmless() -> Circumstances {
    Circumstances {
        irreversible: false,
        changes_configuration: false,
        tainted: false,
        escape: false,
        first_motion: false,
        person: PersonSeen::Nobody,
        goal_only: false,
        margin_m: Some(0.5),
        speed_share: Some(0.2),
        force_share: Some(0.2),
        contact_free: false,
        own_scope: false,
        seen: false,
    }
}

/// One change that must make an action High, with the name its card shows.
type Change = (&'static str, fn(&mut Circumstances));

/// Written out by hand: the list of the specification, not of the code.
const HIGH: [Change; 10] = [
    ("irreversible", |about| about.irreversible = true),
    ("changes_limits_or_settings", |about| about.changes_configuration = true),
    ("leaves_a_violated_region", |about| about.escape = true),
    ("first_motion_since_arming", |about| about.first_motion = true),
    ("robot_plans_its_own_path", |about| about.goal_only = true),
    ("margin_below_0_10_m", |about| about.margin_m = Some(0.0999)),
    ("speed_above_half_of_limit", |about| about.speed_share = Some(0.5001)),
    ("force_above_half_of_limit", |about| about.force_share = Some(0.5001)),
    ("person_within_2_m_or_of_unknown_position", |about| about.person = PersonSeen::Somewhere),
    ("turn_has_read_untrusted_text", |about| about.tainted = true),
];

#[test]
fn every_combination_of_rules_is_high_by_its_first_rule() {
    for contact_free in [false, true] {
        for combination in 0..1_u32 << HIGH.len() {
            let mut about = Circumstances { contact_free, ..harmless() };
            let chosen = HIGH.iter().enumerate().filter(|(n, _)| combination & (1 << n) != 0);
            let applied: Vec<_> = chosen.map(|(_, change)| change).collect();
            applied.iter().for_each(|(_, change)| change(&mut about));
            let expected = match (applied.first(), contact_free) {
                (Some((name, _)), _) => (Tier::High, *name),
                (None, true) => (Tier::Low, "contact_free_actuator"),
                (None, false) => (Tier::Medium, "well_inside_limits"),
            };
            assert_eq!(tier_of(&about), expected, "{combination:b} {contact_free}");
        }
    }
}

#[test]
fn ml_24_what_a_person_saw_when_activating_is_not_high_by_surprise_alone() {
    const OF_SURPRISE: [&str; 3] =
        ["first_motion_since_arming", "robot_plans_its_own_path", "speed_above_half_of_limit"];
    for combination in 0..1_u32 << HIGH.len() {
        let mut about = Circumstances { seen: true, ..harmless() };
        let chosen = HIGH.iter().enumerate().filter(|(n, _)| combination & (1 << n) != 0);
        let applied: Vec<_> = chosen.map(|(_, change)| change).collect();
        applied.iter().for_each(|(_, change)| change(&mut about));
        let expected = match applied.iter().find(|(name, _)| !OF_SURPRISE.contains(name)) {
            Some((name, _)) => (Tier::High, *name),
            None => (Tier::Medium, "well_inside_limits"),
        };
        assert_eq!(tier_of(&about), expected, "{combination:b}");
    }
    let unclear = Circumstances { seen: true, speed_share: Some(f64::NAN), ..harmless() };
    assert_eq!(tier_of(&unclear), (Tier::High, "speed_above_half_of_limit"));
}

#[test]
fn a_call_that_moves_nothing_is_low_unless_a_rule_makes_it_high() {
    for (irreversible, configures, tainted, expected) in [
        (false, false, false, (Tier::Low, "write_in_own_scope")),
        (true, false, false, (Tier::High, "irreversible")),
        (false, true, true, (Tier::High, "changes_limits_or_settings")),
        (false, false, true, (Tier::High, "turn_has_read_untrusted_text")),
    ] {
        assert_eq!(tier_of(&Circumstances::of_call(irreversible, configures, tainted)), expected);
    }
}

#[test]
fn what_is_just_inside_is_not_high_and_a_number_that_is_none_is() {
    let check = |change: fn(&mut Circumstances), expected: Tier| {
        let mut about = harmless();
        change(&mut about);
        assert_eq!(tier_of(&about).0, expected, "{about:?}");
    };
    check(|about| about.margin_m = Some(0.10), Tier::Medium);
    check(|about| about.margin_m = None, Tier::Medium);
    check(|about| about.speed_share = Some(0.5), Tier::Medium);
    check(|about| about.force_share = Some(0.5), Tier::Medium);
    check(|about| about.person = PersonSeen::At(2.001), Tier::Medium);
    check(|about| about.person = PersonSeen::At(2.0), Tier::High);
    check(|about| about.margin_m = Some(f64::NAN), Tier::High);
    check(|about| about.speed_share = Some(f64::NAN), Tier::High);
    check(|about| about.force_share = Some(f64::NAN), Tier::High);
    check(|about| about.person = PersonSeen::At(f64::NAN), Tier::High);
}

#[test]
fn a_person_has_less_time_the_more_care_is_needed() {
    assert_eq!([Tier::Low, Tier::Medium, Tier::High].map(Tier::lifetime_ms), [600_000, 180_000, 60_000]);
}

fn of_goal(position_m: [f64; 3], speed_mps: f64) -> Option<(Tier, &'static str)> {
    let scene = scene().with(crate::ConstraintKind::MaxVelocity(1.0));
    let verdict = scene.judge(scene.command(goal(position_m, speed_mps)));
    (verdict.overall == Overall::Allow).then(|| tier_of(&Circumstances::of_motion(&verdict)))
}

#[test]
fn a_verdict_tells_how_near_and_how_fast_a_motion_is() {
    assert_eq!(of_goal([1.0, 0.0, 0.0], 0.5), Some((Tier::Medium, "well_inside_limits")));
    assert_eq!(of_goal([1.0, 0.0, 0.0], 0.51), Some((Tier::High, "speed_above_half_of_limit")));
    assert_eq!(of_goal([8.95, 0.0, 0.0], 0.01), Some((Tier::High, "margin_below_0_10_m")));
    let force = scene().with(crate::ConstraintKind::MaxForce(10.0)).with(crate::ConstraintKind::MaxVelocity(1.0));
    for (force_n, expected) in [(5.0, Tier::Medium), (5.1, Tier::High)] {
        let verdict = force.judge(force.command(with_force(force_n, goal([1.0, 0.0, 0.0], 0.1))));
        assert_eq!(tier_of(&Circumstances::of_motion(&verdict)).0, expected, "{force_n} N");
    }
}

#[test]
fn a_limit_that_is_neither_a_place_nor_a_speed_is_no_margin_and_no_share() {
    let scene = scene().with(crate::ConstraintKind::GoalJump(1.0));
    let verdict = scene.judge(scene.command(goal([0.95, 0.0, 0.0], 0.1)));
    let about = Circumstances::of_motion(&verdict);
    assert!(about.margin_m.is_some_and(|margin_m| margin_m > 5.0), "{about:?}");
    assert!(about.speed_share.is_some_and(|share| share < 0.01), "{about:?}");
}

#[test]
fn the_worst_of_several_numbers_counts_and_one_that_is_none_is_the_worst() {
    assert_eq!(worst([0.1, 0.5, 0.3].into_iter()), Some(0.5));
    assert_eq!(worst(std::iter::empty()), None);
    for numbers in [[f64::NAN, 0.5], [0.5, f64::NAN]] {
        assert!(worst(numbers.into_iter()).is_some_and(f64::is_nan), "{numbers:?}");
    }
}

proptest! {
    #![proptest_config(tried(256))]

    /// Property 11, through the judgement.
    #[test]
    fn prop_11_a_tier_never_falls_when_a_motion_gets_faster_or_nearer_to_a_limit(
        x in 0.0..8.9f64, farther in 0.0..1.0f64, speed_mps in 0.0..1.0f64, faster in 0.0..0.5f64,
    ) {
        if let (Some(slow), Some(fast)) = (of_goal([x, 0.0, 0.0], speed_mps), of_goal([x, 0.0, 0.0], speed_mps + faster)) {
            prop_assert!(slow.0 <= fast.0);
        }
        if let (Some(far), Some(near)) = (of_goal([x, 0.0, 0.0], speed_mps), of_goal([x + farther, 0.0, 0.0], speed_mps)) {
            prop_assert!(far.0 <= near.0);
        }
    }

    /// Property 11, on whatever the rules can be told.
    #[test]
    fn prop_11_a_tier_never_falls_when_a_number_gets_worse(
        bits in 0..64_u32, margin_m in 0.0..0.3f64, speed in 0.0..1.0f64, force in 0.0..1.0f64, worse in 0.0..0.5f64,
    ) {
        let flag = |n: u32| bits & (1 << n) != 0;
        let about = Circumstances {
            irreversible: flag(0),
            tainted: flag(1),
            first_motion: flag(2),
            goal_only: flag(3),
            contact_free: flag(4),
            escape: flag(5),
            margin_m: Some(margin_m),
            speed_share: Some(speed),
            force_share: Some(force),
            ..harmless()
        };
        let before = tier_of(&about).0;
        for now in [
            Circumstances { margin_m: Some(margin_m - worse), ..about.clone() },
            Circumstances { speed_share: Some(speed + worse), ..about.clone() },
            Circumstances { force_share: Some(force + worse), ..about.clone() },
        ] {
            prop_assert!(before <= tier_of(&now).0);
        }
    }
}
