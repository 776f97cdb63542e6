use proptest::prelude::*;

use super::*;
use crate::fixtures::*;

/// The number of commands, out of `count`, that are admitted if one comes every `every_us` microseconds.
fn admitted(rate: CommandRate, every_us: u64, count: u64) -> usize {
    let mut meter = RateMeter::default();
    (0..count).filter(|i| meter.admit(rate, NOW.plus(Duration::from_micros(i * every_us)))).count()
}

#[test]
fn a_burst_passes_at_once_and_then_one_per_period() {
    let rate = CommandRate { hz: 10.0, burst: 3 };
    let mut meter = RateMeter::default();
    let at = |ms: u64| Instant::from_millis(10_000 + ms);
    let outcomes = [0, 0, 0, 0, 99, 100, 100, 250, 300].map(|ms| meter.admit(rate, at(ms)));
    assert_eq!(outcomes, [true, true, true, false, false, true, false, true, true]);
}

#[test]
fn a7_ten_thousand_commands_a_second_become_the_rate_and_one_burst() {
    assert_eq!(admitted(CommandRate { hz: 50.0, burst: 10 }, 100, 10_000), 59);
    assert_eq!(admitted(CommandRate { hz: 50.0, burst: 10 }, 20_000, 500), 500);
}

#[test]
fn a_rate_that_is_no_number_admits_nothing() {
    for hz in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(admitted(CommandRate { hz, burst: 10 }, 100_000, 10), 0, "{hz} Hz");
    }
}

#[test]
fn the_least_of_all_rates_binds_its_actuator_only() {
    let limits = scene().with(rate("arm", 20.0, 30)).with(rate("arm", 40.0, 5)).limits();
    assert_eq!(limits.command_rate(&actuator("arm")), CommandRate { hz: 20.0, burst: 5 });
    assert_eq!(limits.command_rate(&actuator("gripper")), CommandRate::default());
    let wide = scene().with(rate("arm", 200.0, 50)).limits();
    assert_eq!(wide.command_rate(&actuator("arm")), CommandRate::default(), "a constraint never widens");
}

#[test]
fn a_denial_names_the_rate() {
    let scene = scene().with(rate("arm", 12.5, 3));
    let (limits, raw) = (scene.limits(), serde_json::from_value(goal([0.1, 0.0, 0.0], 0.1)).unwrap());
    let expected = limits.command_rate(&actuator("arm")).to_string();
    let rejection = robot::Rejection { reason: robot::Reason::RateLimited, field: "actuator", expected };
    let verdict = crate::Verdict::rejected(
        crate::Rejected { raw: &raw, id: context().fresh_id, rejection: &rejection },
        &limits,
        &scene.state,
        NOW,
    );
    assert_eq!(verdict.sentence(), "Denied: commands come faster than 12.5 per second and 3 at once.");
}

proptest! {
    #[test]
    fn a_stricter_rate_never_admits_more(
        hz in 1.0..200.0f64,
        burst in 1..50u32,
        slower in 0.1..1.0f64,
        gaps_ms in prop::collection::vec(0..200u64, 1..60),
    ) {
        let stricter = CommandRate { hz: (hz * slower).max(1.0), burst: burst.div_ceil(2) };
        let count = |rate: CommandRate| {
            let (mut meter, mut at) = (RateMeter::default(), NOW);
            gaps_ms.iter().filter(|gap_ms| {
                at = at.plus(Duration::from_millis(**gap_ms));
                meter.admit(rate, at)
            }).count()
        };
        let (fewer, more) = (count(stricter), count(CommandRate { hz, burst }));
        prop_assert!(fewer <= more, "{} of the stricter, {} of the other", fewer, more);
    }
}
