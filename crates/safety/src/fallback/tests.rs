//! Every class to its end, with every step acknowledged or not.

use std::time::Duration;

use robot::Instant;

use super::{Evidence, FallbackClass, FallbackOutcome, FallbackRun, FallbackStep, Report, StopTimes};

use FallbackOutcome::{Begun, Done, Failed};
use FallbackStep::{AlertAgent, PauseAllMissions, StopActuators};

const TIMES: StopTimes = StopTimes { ack: Duration::from_millis(300), stopping: Duration::from_millis(800) };
const TICK_MS: u64 = 100;
/// Longer than all steps can take together.
const END_MS: u64 = 10_000;

const ALL_WELL: Evidence = Evidence { acknowledged: true, still: true, paused: true, alerted: true, latched: true };

/// Every report of a run under unchanging evidence, with the time of each.
fn reports(class: FallbackClass, evidence: Evidence) -> Vec<(u64, FallbackStep, FallbackOutcome)> {
    let mut run = FallbackRun::new(class, &[], TIMES);
    assert!(!run.is_over(), "nothing has begun");
    let mut told = Vec::new();
    for ms in (0..END_MS).step_by(usize::try_from(TICK_MS).unwrap()) {
        let found = run.advance(evidence, Instant::from_millis(ms));
        told.extend(found.into_iter().map(|Report { step, outcome }| (ms, step, outcome)));
    }
    assert!(run.is_over(), "{class:?} goes on for ever");
    told
}

fn check(class: FallbackClass, evidence: Evidence, expected: &[(FallbackStep, FallbackOutcome)]) {
    let told: Vec<_> = reports(class, evidence).into_iter().map(|(_, step, outcome)| (step, outcome)).collect();
    assert_eq!(told, expected, "{class:?} with {evidence:?}");
}

#[test]
fn every_class_does_its_steps_in_order_and_each_is_acknowledged() {
    for class in FallbackClass::ALL {
        let expected: Vec<_> = class.steps().iter().flat_map(|step| [(*step, Begun), (*step, Done)]).collect();
        check(class, ALL_WELL, &expected);
    }
}

#[test]
fn f18_a_step_that_fails_is_followed_by_the_next_and_missions_that_go_on_are_stopped() {
    let deaf = Evidence { acknowledged: false, ..ALL_WELL };
    check(
        FallbackClass::Breach,
        deaf,
        &[(StopActuators, Begun), (StopActuators, Failed), (AlertAgent, Begun), (AlertAgent, Done)],
    );
    let going_on = Evidence { paused: false, still: false, ..ALL_WELL };
    check(
        FallbackClass::DeniedOften,
        going_on,
        &[
            (PauseAllMissions, Begun),
            (PauseAllMissions, Failed),
            (StopActuators, Begun),
            (StopActuators, Failed),
            (AlertAgent, Begun),
            (AlertAgent, Done),
        ],
    );
}

#[test]
fn f18_nothing_that_fails_is_silent() {
    for class in FallbackClass::ALL {
        let told = reports(class, Evidence::default());
        let begun: Vec<_> = told.iter().filter(|(_, _, outcome)| *outcome == Begun).map(|told| told.1).collect();
        let failed: Vec<_> = told.iter().filter(|(_, _, outcome)| *outcome == Failed).map(|told| told.1).collect();
        assert_eq!(begun, failed, "{class:?}");
        assert!(class.steps().iter().all(|step| begun.contains(step)), "{class:?} {begun:?}");
    }
}

#[test]
fn a_missing_acknowledgement_and_a_missing_standstill_are_each_found_in_their_time() {
    let failed_at = |evidence| {
        let told = reports(FallbackClass::Link, evidence);
        told.into_iter().find(|(_, step, outcome)| (*step, *outcome) == (StopActuators, Failed)).unwrap().0
    };
    let deaf = failed_at(Evidence { acknowledged: false, ..ALL_WELL });
    assert!((300..=300 + 2 * TICK_MS).contains(&deaf), "{deaf} ms");
    let rolling = failed_at(Evidence { still: false, ..ALL_WELL });
    assert!((1_400..=1_400 + 2 * TICK_MS).contains(&rolling), "{rolling} ms");
}

#[test]
fn f18_a_step_has_all_of_its_time_and_is_given_up_at_the_first_look_after_it() {
    let deaf = Evidence { acknowledged: false, ..ALL_WELL };
    for (late_ms, given_up) in [(299, false), (300, false), (301, true), (5_000, true)] {
        let mut run = FallbackRun::new(FallbackClass::Breach, &[], TIMES);
        run.advance(deaf, Instant::from_millis(0));
        let found = run.advance(deaf, Instant::from_millis(late_ms));
        assert_eq!(found.contains(&Report { step: StopActuators, outcome: Failed }), given_up, "{late_ms} ms");
    }
}

#[test]
fn mi_11_further_steps_follow_the_steps_of_the_class_each_once_and_take_none_away() {
    for class in FallbackClass::ALL {
        for further in
            [&[][..], &FallbackStep::ALL, &[AlertAgent, AlertAgent], &[FallbackStep::HaltAndWait, StopActuators]]
        {
            let steps = class.steps_and(further);
            assert!(steps.starts_with(class.steps()), "{class:?} with {further:?}");
            assert!(further.iter().all(|step| steps.contains(step)));
            assert!(FallbackStep::ALL.iter().all(|step| steps.iter().filter(|other| *other == step).count() <= 1));
        }
    }
    let mut run = FallbackRun::new(FallbackClass::Denied, &[PauseAllMissions], TIMES);
    let going_on = Evidence { paused: false, still: false, ..ALL_WELL };
    let looks = (0..END_MS).step_by(100);
    let begun: Vec<FallbackStep> = looks
        .flat_map(|ms| run.advance(going_on, Instant::from_millis(ms)))
        .filter(|report| report.outcome == Begun)
        .map(|report| report.step)
        .collect();
    assert_eq!(begun, [AlertAgent, PauseAllMissions, StopActuators], "missions that go on are stopped");
}
