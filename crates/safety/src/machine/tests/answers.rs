//! The growth of causes, and the answers to them.

use super::*;

#[test]
fn f19_only_a_hold_that_its_cause_lets_grow_does() {
    let asked = with(&[SafetyCause::HoldRequested]);
    let told = [(10_500, asked), (16_000, asked), (60_000, asked)];
    let held = told.iter().fold(in_state(State::Armed), |safety, (ms, inputs)| step(&safety, inputs, at(*ms)).0);
    assert_eq!(held.state(), State::Hold);
    // Disarming just as it grows does not take back the stop.
    let stale = with(&[SafetyCause::PoseStale]);
    let grown = Inputs { act: Some(Act::Disarm { looked: false }), ..stale };
    let stopped = [(10_500, stale), (15_500, grown)];
    let stopped = stopped.iter().fold(in_state(State::Armed), |safety, (ms, inputs)| step(&safety, inputs, at(*ms)).0);
    assert_eq!(stopped.state(), State::SafeStop);
}

#[test]
fn a_breach_after_another_cause_is_a_first_one() {
    let told = [
        (10_500, with(&[SafetyCause::BeatLate])),
        (10_600, with(&[])),
        (11_600, with(&[])),
        (11_700, with(&[SafetyCause::Breach])),
    ];
    let breached = told.iter().fold(in_state(State::Armed), |safety, (ms, inputs)| step(&safety, inputs, at(*ms)).0);
    assert_eq!(breached.state(), State::SafeStop);
}

#[test]
fn a_look_at_the_robot_answers_only_what_asks_for_a_look() {
    let told =
        [(10_500, with(&[SafetyCause::OverSpeed])), (10_600, act(Act::Disarm { looked: true })), (20_000, with(&[]))];
    let looked = told.iter().fold(in_state(State::Armed), |safety, (ms, inputs)| step(&safety, inputs, at(*ms)).0);
    assert_eq!(looked.state(), State::SafeStop, "nobody has named it");
}

#[test]
fn only_a_stop_that_was_confirmed_late_is_cleared_in_another_way_once_it_is_gone() {
    for cause in SafetyCause::ALL {
        let rule = cause.rule();
        let present = ActiveCause::new(cause, rule.severity, at(0));
        let gone = ActiveCause { gone_since: Some(at(1)), ..present };
        let late = if cause == SafetyCause::StopUnconfirmed { Clears::OnAcknowledge } else { rule.clears };
        assert_eq!((present.clears(), gone.clears()), (rule.clears, late), "{cause:?}");
    }
}
