use robot::CommissioningStep::{AxisX, HardwareStop, Silence, StopFromSpeed};

use super::*;

const TICK_MS: u64 = 20;
const BOUNDS: Bounds =
    Bounds { reaction_s: 0.3, decel_mps2: 0.5, localisation_error_m: 0.005, silence_max: Duration::from_millis(1_500) };

/// A point on the x axis that is moved by whoever calls it, and the step that watches it.
struct Track {
    run: Run,
    ms: u64,
    x_m: f64,
    /// Share of a commanded speed that the robot takes on.
    gain: f64,
    /// Part of a commanded speed that goes along y.
    sideways: f64,
    mps: f64,
    wanted_mps: f64,
    /// The error of its velocity.
    error_mps: f64,
}

impl Track {
    fn begin(step: CommissioningStep, gain: f64) -> Self {
        let motion = (step != HardwareStop).then(|| StepMotion::along(AxisX).unwrap());
        let run = Run::begin(step, motion, "Ada".to_owned(), Instant::from_millis(1_000), false);
        Self { run, ms: 1_000, x_m: 2.0, gain, sideways: 0.0, mps: 0.0, wanted_mps: 0.0, error_mps: 0.0 }
    }

    fn tick(&mut self, moves: bool, held: bool, local: bool) -> Next {
        self.ms += TICK_MS;
        let now = Instant::from_millis(self.ms);
        // 0.2 m/s²
        self.mps += (self.wanted_mps - self.mps).clamp(-0.004, 0.004);
        self.x_m += self.mps * 0.02;
        if held {
            self.run.renew(now);
        }
        let look = Look {
            position_m: Some([self.x_m, 0.0, 0.0]),
            velocity: Some([self.mps + self.error_mps, self.sideways * self.mps, 0.0, 0.0, 0.0, 0.0]),
            stands: self.mps.abs() <= 0.02,
            local,
            moves,
            ..Look::default()
        };
        self.run.look(&look, &BOUNDS, Now { station: now, wall_ms: 77 })
    }

    /// The button is held until the gate does something.
    fn hold(&mut self) -> Next {
        self.wanted_mps = self.gain * 0.05;
        for _ in 0..200 {
            match self.tick(true, true, false) {
                Next::GoOn => {}
                next @ (Next::Hold | Next::Try(_) | Next::FallSilent | Next::End(_)) => return next,
            }
        }
        panic!("the gate does nothing");
    }

    /// The robot goes on, told to move at `wanted_mps`, until the step is over.
    fn watch(&mut self, wanted_mps: f64) -> Next {
        self.wanted_mps = wanted_mps;
        for _ in 0..500 {
            match self.tick(false, true, false) {
                Next::GoOn => {}
                next @ (Next::Hold | Next::Try(_) | Next::FallSilent | Next::End(_)) => return next,
            }
        }
        panic!("the step does not end");
    }
}

fn result(next: Next) -> StepResult {
    match next {
        Next::End(Some(result)) => *result,
        other @ (Next::GoOn | Next::Hold | Next::Try(_) | Next::FallSilent | Next::End(None)) => panic!("{other:?}"),
    }
}

#[test]
fn rg_31_the_direction_of_an_axis_is_told_from_the_robot_s_own_measurements() {
    for (gain, sideways, expected) in [
        (1.0, 0.0, StepOutcome::Passed),
        (0.6, 0.1, StepOutcome::Passed),
        (-1.0, 0.0, StepOutcome::WrongWay),
        (0.0, 0.0, StepOutcome::NoSuchAxis),
        (1.0, 1.0, StepOutcome::WrongWay),
    ] {
        let mut track = Track::begin(AxisX, gain);
        track.sideways = sideways;
        let result = result(track.hold());
        assert_eq!((result.outcome, result.person.as_str(), result.at_ms), (expected, "Ada", 77), "{gain} {sideways}");
        assert!(track.ms - 1_000 <= 1_100, "after a second of motion");
        assert!(result.speeds.len() > 10 && result.speeds.iter().any(|point| point.commanded == 0.05));
    }
}

#[test]
fn rg_31_positions_that_contradict_the_velocity_are_the_wrong_way() {
    let mut track = Track::begin(AxisX, 1.0);
    track.wanted_mps = 0.05;
    let mut next = Next::GoOn;
    while next == Next::GoOn {
        next = track.tick(true, true, false);
        // The velocity source says forward, and the robot goes back.
        track.x_m -= 2.0 * track.mps * 0.02;
    }
    assert_eq!(result(next).outcome, StepOutcome::WrongWay);
}

#[test]
fn rg_31_a_stop_is_measured_in_time_and_way_and_held_against_the_manifest() {
    let mut track = Track::begin(StopFromSpeed, 1.0);
    assert_eq!(track.hold(), Next::Hold, "the gate stops the robot itself");
    let quick = result(track.watch(0.0));
    assert_eq!((quick.outcome, quick.time_ms_max), (StepOutcome::Passed, Some(400)));
    assert!((140..=200).contains(&quick.time_ms.unwrap()), "{quick:?}");
    assert!(quick.distance_m.unwrap() > 0.004 && quick.distance_m < quick.distance_m_max, "{quick:?}");

    let mut late = Track::begin(StopFromSpeed, 1.0);
    late.hold();
    (0..20).for_each(|_| assert_eq!(late.tick(false, true, false), Next::GoOn));
    assert_eq!(result(late.watch(0.0)).outcome, StepOutcome::StopsWorse, "it went on for 0.4 s");

    let mut never = Track::begin(StopFromSpeed, 1.0);
    never.hold();
    let never = result(never.watch(0.05));
    assert_eq!((never.outcome, never.time_ms), (StepOutcome::StopsWorse, None));
}

#[test]
fn rg_31_in_silence_a_robot_stops_by_itself_or_counts_as_one_that_never_does() {
    let mut track = Track::begin(Silence, 1.0);
    assert_eq!(track.hold(), Next::FallSilent);
    let stopped = result(track.watch(0.0));
    assert_eq!(stopped.outcome, StepOutcome::Passed);
    assert!((140..=200).contains(&stopped.time_ms.unwrap()), "{stopped:?}");

    let mut track = Track::begin(Silence, 1.0);
    track.hold();
    let before_ms = track.ms;
    let result = result(track.watch(0.05));
    assert_eq!((result.outcome, result.time_ms), (StepOutcome::KeepsMoving, None));
    assert_eq!(track.ms - before_ms, 1_520, "then the gate stops it");
}

#[test]
fn rg_31_a_button_that_is_let_go_and_control_at_the_robot_break_a_step_off_silence_included() {
    let mut track = Track::begin(AxisX, 1.0);
    (0..10).for_each(|_| assert_eq!(track.tick(true, true, false), Next::GoOn));
    assert_eq!(track.run.let_go(0), Next::End(None));
    (0..25).for_each(|_| assert_eq!(track.tick(true, false, false), Next::GoOn));
    assert_eq!(track.tick(true, false, false), Next::End(None), "not heard of for 500 ms");

    let mut track = Track::begin(AxisX, 1.0);
    assert_eq!(track.tick(true, true, true), Next::End(None), "somebody at the robot has control");
    let mut track = Track::begin(Silence, 1.0);
    track.hold();
    assert_eq!(track.run.let_go(0), Next::End(None));
    assert_eq!(track.tick(false, true, true), Next::End(None));
}

#[test]
fn rg_31_a_robot_that_does_not_come_up_to_speed_is_not_measured() {
    let mut track = Track::begin(StopFromSpeed, 0.3);
    assert_eq!(track.hold_for_ever(), Next::End(None));
}

impl Track {
    fn hold_for_ever(&mut self) -> Next {
        self.wanted_mps = self.gain * 0.05;
        for _ in 0..1_000 {
            let next = self.tick(true, true, false);
            if next != Next::GoOn {
                return next;
            }
        }
        Next::GoOn
    }
}

#[test]
fn rg_31_a_hardware_stop_shows_as_control_at_the_robot_or_a_person_says_that_nothing_shows() {
    let mut track = Track::begin(HardwareStop, 0.0);
    (0..100).for_each(|_| assert_eq!(track.tick(false, false, false), Next::GoOn));
    assert_eq!(result(track.tick(false, false, true)).outcome, StepOutcome::Passed);
    let track = Track::begin(HardwareStop, 0.0);
    assert_eq!(result(track.run.let_go(5)).outcome, StepOutcome::NotVisible);
}

#[test]
fn rg_31_an_axis_that_the_adapter_refuses_is_none_and_once_it_moved_a_refusal_says_nothing() {
    let mut track = Track::begin(AxisX, 1.0);
    let Next::End(Some(result)) = track.run.cannot(9) else { panic!("the step goes on") };
    assert_eq!((result.outcome, result.at_ms), (StepOutcome::NoSuchAxis, 9));
    track.tick(true, true, false);
    assert!(matches!(track.run.cannot(9), Next::GoOn));
    assert!(matches!(Track::begin(Silence, 1.0).run.cannot(9), Next::GoOn), "only an axis can be missing");
}

#[test]
fn rg_31_only_the_way_while_a_velocity_is_in_force_tells_of_an_axis() {
    let mut track = Track::begin(AxisX, 0.0);
    track.error_mps = 0.01;
    (0..500).for_each(|_| assert_eq!(track.tick(false, true, false), Next::GoOn));
    // Somebody has pushed it meanwhile.
    track.x_m += 0.5;
    assert_eq!(result(track.hold()).outcome, StepOutcome::NoSuchAxis);
}

#[test]
fn rg_31_a_robot_that_does_not_tell_how_it_moves_is_held_and_has_no_result() {
    let mut track = Track::begin(AxisX, 1.0);
    (0..10).for_each(|_| assert_eq!(track.tick(true, true, false), Next::GoOn));
    let now = Now { station: Instant::from_millis(track.ms + TICK_MS), wall_ms: 77 };
    let mut look = |moves| track.run.look(&Look { moves, ..Look::default() }, &BOUNDS, now);
    assert_eq!(look(false), Next::GoOn, "nothing is commanded");
    assert_eq!(look(true), Next::End(None));
}

#[test]
fn rg_31_a_velocity_that_is_much_slower_than_that_of_the_step_shows_nothing() {
    let mut track = Track::begin(AxisX, 0.2);
    for (mps, part) in [(0.06, Part::None), (0.01, Part::Motion)] {
        let motion = Motion::Velocity { linear_mps: [mps, 0.0, 0.0], angular_radps: [0.0; 3] };
        assert_eq!(track.run.part_of(&motion), part);
    }
    assert_eq!(track.hold_for_ever(), Next::End(None));
    assert!(track.run.speeds.iter().all(|point| point.commanded == 0.01));
}

#[test]
fn rg_31_a_hardware_stop_is_one_that_is_pressed_during_its_step_and_no_other_program() {
    let mut track = Track::begin(HardwareStop, 0.0);
    assert_eq!(track.tick(false, false, true), Next::End(None), "it was pressed before");
    let mut track = Track::begin(HardwareStop, 0.0);
    let mut look = |local, is_foreign| {
        track.ms += TICK_MS;
        let look = Look { local, is_foreign, ..Look::default() };
        track.run.look(&look, &BOUNDS, Now { station: Instant::from_millis(track.ms), wall_ms: 77 })
    };
    assert_eq!([look(false, false), look(true, true), look(true, true)], [Next::GoOn, Next::GoOn, Next::GoOn]);
    assert_eq!(result(look(true, false)).outcome, StepOutcome::Passed);
}

#[test]
fn rg_31_a_hardware_stop_counts_from_the_answer_on_and_not_while_something_else_hides_it() {
    let local = |is_foreign| Look { local: true, is_foreign, ..Look::default() };
    let now = |ms| Now { station: Instant::from_millis(ms), wall_ms: 77 };
    let begun = |is_free| Run::begin(HardwareStop, None, "Ada".to_owned(), Instant::from_millis(1_000), is_free);
    let pressed_at_once = begun(true).look(&local(false), &BOUNDS, now(1_020));
    assert_eq!(result(pressed_at_once).outcome, StepOutcome::Passed);
    let mut pressed_before = begun(false);
    assert_eq!(pressed_before.look(&local(true), &BOUNDS, now(1_020)), Next::GoOn, "a program moves it");
    assert_eq!(pressed_before.look(&local(false), &BOUNDS, now(1_040)), Next::End(None));
}
