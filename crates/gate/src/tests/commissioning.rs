//! A robot that is not commissioned, behind its gate: watched, stopped, and moved for nothing but the steps.

use bridge::commissioning::{CommissionAct, CommissionMessage};
use bridge::envelope::{Claim, Failure, Status};
use robot::CommissioningStep::{AxisX, HardwareStop, Silence};
use robot::{CommissioningStep, JointGoal, RawJoints, RawMotion, Reason, StepOutcome, StepWish};
use safety::Commissioning;

use super::bench::{Behaviour, Bench};
use super::mock::MockBench;
use super::stage::{Stage, drive_at, goal_at, passed, station};
use super::{no_motion, stops};

type Mocked = Stage<MockBench>;

impl<B: Bench> Stage<B> {
    pub fn wish(&mut self, act: CommissionAct) -> Option<Status> {
        self.wishes += 1;
        let (robot, n) = (self.robot_id(), self.wishes);
        let message = CommissionMessage { robot, station: station(), epoch: 1, n, person: "Ada".to_owned(), act };
        self.signed(&self.keys().commission(), &message);
        self.last_status()
    }

    /// The button of a step is held until the gate says that it is over.
    pub fn hold_button(&mut self, step: CommissioningStep) -> Option<Status> {
        // Simulated time runs ahead of the disk that keeps the result.
        for _ in 0..20_000 {
            match self.wish(CommissionAct::Run(step)) {
                Some(Status::Received) => {
                    self.command_wished();
                }
                Some(Status::Running) => {}
                over => return over,
            }
            self.beats(5);
        }
        None
    }

    /// The command that the gate waits for, as a station sends it.
    pub fn command_wished(&mut self) {
        match self.account().running.as_ref().and_then(|running| running.wants.clone()) {
            Some(StepWish::Joints(JointGoal { names, positions, speed, .. })) => {
                let names = names.iter().map(ToString::to_string).collect();
                let joints = RawJoints { names, positions_rad: positions, speed_radps: Some(speed) };
                self.command(RawMotion::Joints(joints));
            }
            Some(StepWish::Velocity(_)) | None => {
                self.command(drive_at(0.05));
            }
        }
    }

    pub fn outcome(&self, step: CommissioningStep) -> Option<StepOutcome> {
        self.account().results.iter().find(|result| result.step == step).map(|result| result.outcome)
    }
}

#[test]
fn rg_30_an_uncommissioned_robot_is_watched_and_stopped_and_not_moved() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &[], false);
    assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::Missing);
    for motion in [drive_at(0.05), goal_at(0.5, 0.1)] {
        assert_eq!(stage.command(motion), Some(Status::Refused(Reason::NotCommissioned)));
    }
    assert_eq!(stage.wish(CommissionAct::Run(AxisX)), Some(Status::Refused(Reason::Lease)), "claimed for work");
    stage.beats(10);
    assert!(no_motion(&stage.taken()));
    stage.stop();
    assert!(stops(&stage.taken()) >= 1, "stopping needs no commissioning");
}

#[test]
fn rg_30_a_claim_for_commissioning_passes_the_motion_of_the_step_that_is_held_and_no_other() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &[], true);
    assert_eq!(stage.command(drive_at(0.05)), Some(Status::Refused(Reason::NotCommissioned)), "no step is held");
    assert_eq!(stage.command(goal_at(0.5, 0.1)), Some(Status::Refused(Reason::NotCommissioned)));
    assert!(no_motion(&stage.taken()));
    assert_eq!(stage.wish(CommissionAct::Run(AxisX)), Some(Status::Received));
    assert_eq!(stage.command(drive_at(0.05)), Some(Status::Running));
    assert_eq!(stage.command(drive_at(0.1)), Some(Status::Failed(Failure::Held)), "and the step is broken off");
    stage.beats(30);
    assert_eq!(stage.robot_mps(), 0.0);
    assert_eq!(stage.account().broken_off, Some(AxisX));
    assert_eq!(stage.command(drive_at(0.25)), Some(Status::Refused(Reason::NotCommissioned)), "above the caps");

    assert_eq!(stage.wish(CommissionAct::LetGo), Some(Status::Received));
    assert_eq!(stage.hold_button(AxisX), Some(Status::Done));
    assert_eq!(stage.outcome(AxisX), Some(StepOutcome::Passed));
    stage.beats(30);
    assert_eq!(stage.robot_mps(), 0.0, "held at the end of the step, though the button was held");
    assert_eq!(
        stage.hold_button(CommissioningStep::Joints),
        Some(Status::Refused(Reason::NotCommissioned)),
        "not needed"
    );
}

#[test]
fn rg_31_the_button_that_is_let_go_ends_the_motion() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &[], true);
    stage.wish(CommissionAct::Run(AxisX));
    stage.command(drive_at(0.05));
    stage.beats(10);
    assert!(stage.robot_mps() > 0.04);
    stage.taken();
    stage.wish(CommissionAct::LetGo);
    assert!(stops(&stage.taken()) >= 1, "in the call that heard of it");
    stage.beats(20);
    assert_eq!((stage.robot_mps(), stage.outcome(AxisX)), (0.0, None));
}

#[test]
fn rg_31_a_robot_that_keeps_moving_in_silence_is_stopped_and_from_then_on_takes_goals_alone() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &passed(&[AxisX]), true);
    assert_eq!(stage.hold_button(Silence), Some(Status::Done));
    assert_eq!(stage.outcome(Silence), Some(StepOutcome::KeepsMoving));
    stage.beats(30);
    assert_eq!(stage.robot_mps(), 0.0, "the gate has stopped it");

    let mut keeps_moving = passed(&CommissioningStep::needed(stage.manifest(), false, true, true));
    let silence = keeps_moving.iter_mut().find(|result| result.step == Silence);
    silence.into_iter().for_each(|result| {
        result.outcome = StepOutcome::KeepsMoving;
        result.time_ms = None;
    });
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &keeps_moving, false);
    assert_eq!(stage.command(drive_at(0.05)), Some(Status::Refused(Reason::KeepsMoving)));
    assert_eq!(stage.command(goal_at(0.5, 0.1)), Some(Status::Running), "its manifest requires supervision");
    assert_eq!(stage.wish(accept("a fence")), Some(Status::Refused(Reason::Lease)), "claimed for work");

    let mut stage = Mocked::armed_with(Behaviour::Obedient, &keeps_moving, true);
    for reason in ["", &"x".repeat(501)] {
        assert_eq!(
            stage.wish(accept(reason)),
            Some(Status::Refused(Reason::NotCommissioned)),
            "{} letters",
            reason.len()
        );
    }
    assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::KeepsMoving { supervised: true });
    // Simulated time runs ahead of the disk that keeps it.
    let kept = (0..20_000).any(|_| {
        stage.beats(1);
        stage.wish(accept("a fence")) == Some(Status::Done)
    });
    assert!(kept);
    let accepted = stage.account().accepted.clone().unwrap();
    assert_eq!((accepted.person.as_str(), accepted.reason.as_str()), ("Ada", "a fence"));
    assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::Complete);
    assert!(stage.account().keeps_moving, "it does so all the same");

    assert_eq!(stage.hold_button(Silence), Some(Status::Done));
    assert_eq!(stage.account().accepted, None, "another silence was not accepted");
    assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::KeepsMoving { supervised: true });
}

fn accept(reason: &str) -> CommissionAct {
    CommissionAct::Accept(reason.to_owned())
}

#[test]
fn rg_32_a_robot_that_stops_by_itself_needs_no_acceptance() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &passed(&[AxisX, Silence]), true);
    assert_eq!(stage.wish(accept("a fence")), Some(Status::Refused(Reason::NotCommissioned)));
}

#[test]
fn rg_31_in_silence_nothing_is_sent_and_a_stop_gets_through() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &passed(&[AxisX]), true);
    while stage.wish(CommissionAct::Run(Silence)) != Some(Status::Running) {
        stage.command(drive_at(0.05));
        stage.beats(5);
    }
    stage.taken();
    for _ in 0..6 {
        stage.wish(CommissionAct::Run(Silence));
        stage.beats(5);
    }
    assert_eq!(stage.taken(), [], "not even a zero, though the velocity's time is over");
    assert!(stage.robot_mps() > 0.04);
    stage.stop();
    assert!(stops(&stage.taken()) >= 1);
    stage.beats(20);
    assert_eq!((stage.robot_mps(), stage.outcome(Silence)), (0.0, None));
}

#[test]
fn rg_31_another_source_of_motion_is_no_hardware_stop() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &passed(&[AxisX, Silence]), true);
    stage.wish(CommissionAct::Run(HardwareStop));
    stage.beats(5);
    stage.foreign(Some("/joystick"));
    stage.beats(10);
    assert!(stage.runner().foreign().is_some());
    assert_eq!(stage.outcome(HardwareStop), None);
    assert_eq!(stage.account().running.as_ref().map(|running| running.step), Some(HardwareStop), "it is still awaited");
}

#[test]
fn rg_30_a_recorded_wish_starts_nothing() {
    let mut stage = Mocked::armed_with(Behaviour::Obedient, &[], true);
    stage.wish(CommissionAct::Run(AxisX));
    stage.wish(CommissionAct::LetGo);
    stage.wishes = 0;
    assert_eq!(stage.wish(CommissionAct::Run(AxisX)), Some(Status::Refused(Reason::Replay)));
    let robot = stage.robot_id();
    let claim = Claim { robot, station: station(), epoch: 1, ttl_ms: 2_000, commissioning: false };
    stage.signed(&stage.keys().claim(), &claim);
    assert_eq!(stage.last_status(), Some(Status::Refused(Reason::Lease)), "another purpose needs another epoch");
}
