//! The steps of several rounds: joints of an arm, and means of stopping, each alone.

use bridge::commissioning::CommissionAct;
use bridge::envelope::{GateFault, Status};
use robot::CommissioningStep::{AxisX, EachStop, HardwareStop, Joints, Silence};
use robot::{MeansOutcome, MeansResult, RawJoints, RawMotion, Reason, StepOutcome, StepResult, StopMeans};
use safety::Commissioning;

use super::bench::Behaviour;
use super::mock::MeansBench;
use super::stage::{Stage, drive_at, passed};
use super::{Bench, Sent, no_motion, stops};

type Base = Stage<MeansBench>;

/// A base that goes ahead, and keeps moving in silence.
fn measured() -> Vec<StepResult> {
    let mut steps = passed(&[AxisX, Silence, HardwareStop]);
    (steps[1].outcome, steps[1].time_ms) = (StepOutcome::KeepsMoving, None);
    steps
}

fn of_means<B: Bench>(stage: &Stage<B>) -> Vec<MeansResult> {
    let result = stage.account().results.iter().find(|result| result.step == EachStop);
    result.map(|result| result.means.clone()).unwrap_or_default()
}

fn alone(sent: &[Sent]) -> Vec<StopMeans> {
    let mut means: Vec<_> = sent
        .iter()
        .filter_map(|sent| match sent {
            Sent::Alone { means, .. } => Some(means.clone()),
            Sent::Move { .. } | Sent::SetPoint | Sent::Stop(_) => None,
        })
        .collect();
    means.dedup();
    means
}

#[test]
fn rg_31_each_means_of_a_base_is_tried_alone_while_it_moves_and_a_lock_stops_nothing() {
    let mut stage = Base::armed_with(Behaviour::Obedient, &measured(), true);
    assert!(stage.account().needed.contains(&EachStop) && stage.account().not_possible.is_empty());
    assert_eq!(stage.hold_button(EachStop), Some(Status::Done));
    assert_eq!(stage.outcome(EachStop), Some(StepOutcome::Passed));
    let means = of_means(&stage);
    let outcomes: Vec<_> = means.iter().map(|found| found.outcome).collect();
    assert_eq!(outcomes, [MeansOutcome::Stopped, MeansOutcome::StopsNothing, MeansOutcome::Stopped], "{means:?}");
    assert!(means[2].time_ms.is_some_and(|ms| ms > 0) && means[2].distance_m.is_some_and(|way_m| way_m > 0.0));
    assert_eq!(means[1].time_ms, None);
    stage.beats(30);
    let sent = stage.taken();
    assert_eq!(alone(&sent).len(), 3);
    assert!(stops(&sent) >= 3, "each round ends with all of them");
    assert_eq!(stage.robot_mps(), 0.0);
}

#[test]
fn rg_31_a_stop_service_that_is_deaf_or_only_says_so_fails_and_the_robot_is_stopped_by_every_means() {
    for (behaviour, outcome) in
        [(Behaviour::Deaf, MeansOutcome::NoAnswer), (Behaviour::AnswersOnly, MeansOutcome::KeptMoving)]
    {
        let mut stage = Base::armed_with(behaviour, &measured(), true);
        stage.hold_button(EachStop);
        assert_eq!(stage.outcome(EachStop), Some(StepOutcome::MeansFails), "{behaviour:?}");
        assert_eq!(of_means(&stage).last().map(|found| (found.outcome, found.time_ms)), Some((outcome, None)));
        stage.beats(30);
        assert_eq!(stage.robot_mps(), 0.0, "the gate has stopped it");
        assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::Missing);
    }
}

#[test]
fn rg_31_a_robot_that_says_it_stands_and_goes_on_passes_no_means() {
    let mut stage = Base::armed_with(Behaviour::Lying, &measured(), true);
    stage.hold_button(EachStop);
    assert_eq!(stage.outcome(EachStop), Some(StepOutcome::MeansFails));
    assert_eq!(of_means(&stage)[0].outcome, MeansOutcome::KeptMoving, "the zeros");
}

#[test]
fn rg_31_a_trial_ends_with_the_button_a_stop_and_a_fault() {
    for end in 0..3 {
        let mut stage = Base::armed_with(Behaviour::AnswersOnly, &measured(), true);
        for _ in 0..10_000 {
            if stage.wish(CommissionAct::Run(EachStop)) == Some(Status::Received) {
                stage.command_wished();
            }
            stage.beats(2);
            if alone(&stage.taken()).contains(&StopMeans::Lock) {
                break;
            }
        }
        assert!(stage.robot_mps() > 0.02);
        match end {
            0 => {
                stage.wish(CommissionAct::LetGo);
            }
            1 => stage.stop(),
            _ => stage.fail(GateFault::Late),
        }
        assert!(stops(&stage.taken()) >= 1, "{end}");
        stage.beats(30);
        assert_eq!((stage.robot_mps(), stage.outcome(EachStop)), (0.0, None), "{end}");
        assert!(alone(&stage.taken()).is_empty(), "and nothing is tried any more");
    }
}

#[test]
fn rg_31_means_are_tried_only_once_the_robot_goes_where_it_is_told_and_its_silence_was_measured() {
    for known in [&[HardwareStop][..], &[AxisX, HardwareStop]] {
        let mut stage = Base::armed_with(Behaviour::Obedient, &passed(known), true);
        assert_eq!(stage.hold_button(EachStop), Some(Status::Refused(Reason::NotCommissioned)));
        stage.command(drive_at(0.05));
        assert!(no_motion(&stage.taken()));
    }
}

#[cfg(feature = "ros2")]
mod arm {
    use super::*;
    use crate::adapters::ros2::tests::goals::GoalBench;

    type Arm = Stage<GoalBench<true>>;

    #[test]
    fn rg_31_an_arm_is_commissioned_by_its_joints_and_takes_goals_then() {
        let mut stage = Arm::armed_with(Behaviour::Obedient, &passed(&[EachStop, HardwareStop]), true);
        assert_eq!(
            (&stage.account().needed[..], &stage.account().not_possible[..]),
            (&[Joints, EachStop, HardwareStop][..], &[][..])
        );
        assert_eq!(stage.account().missing, Some(Joints), "a record without the step is no commissioning");
        assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::Missing);
        assert_eq!(stage.hold_button(Joints), Some(Status::Done));
        let result = stage.account().results.iter().find(|result| result.step == Joints).unwrap().clone();
        assert_eq!((result.outcome, result.joints.len()), (StepOutcome::Passed, 1), "{result:?}");
        assert!(result.joints[0].measured > 0.01 && result.joints[0].measured < 0.045, "{result:?}");
        stage.beats(30);
        assert_eq!((stage.robot_mps(), stage.account().missing), (0.0, None));
        assert_eq!(stage.runner().gate().state().commissioning(), Commissioning::KeepsMoving { supervised: true });
    }

    #[test]
    fn rg_31_an_arm_that_does_not_stop_is_not_commissioned_whatever_it_says() {
        let mut stage = Arm::armed_with(Behaviour::Lying, &passed(&[HardwareStop]), true);
        stage.hold_button(Joints);
        assert_eq!(stage.outcome(Joints), Some(StepOutcome::StopsWorse));
        assert_eq!(stage.account().missing, Some(Joints));
    }

    #[test]
    fn rg_30_no_goal_but_that_of_the_joint_whose_turn_it_is_moves_an_arm_that_is_being_commissioned() {
        let mut stage = Arm::armed_with(Behaviour::Obedient, &[], true);
        let slide = |to: f64| {
            RawMotion::Joints(RawJoints {
                names: vec!["slide".to_owned()],
                positions_rad: vec![to],
                speed_radps: Some(0.05),
            })
        };
        assert_eq!(stage.command(slide(0.05)), Some(Status::Refused(Reason::NotCommissioned)), "no step is held");
        stage.wish(CommissionAct::Run(Joints));
        stage.beats(2);
        assert_eq!(stage.command(slide(0.5)), Some(Status::Refused(Reason::NotCommissioned)), "another goal");
        stage.beats(1);
        assert_eq!((&stage.account().running, stage.account().broken_off), (&None, Some(Joints)));
        assert!(no_motion(&stage.taken()));
        stage.wish(CommissionAct::LetGo);
        stage.wish(CommissionAct::Run(Joints));
        stage.beats(2);
        stage.taken();
        stage.command_wished();
        stage.beats(10);
        assert!(stage.robot_mps() > 0.02);
        stage.wish(CommissionAct::LetGo);
        assert!(stops(&stage.taken()) >= 1, "in the call that heard of it");
        stage.beats(30);
        assert_eq!((stage.robot_mps(), stage.outcome(Joints)), (0.0, None));
    }

    #[test]
    fn rg_31_the_cancel_and_the_service_of_an_arm_are_tried_on_the_way_of_its_joint() {
        for (behaviour, outcome) in
            [(Behaviour::Obedient, StepOutcome::Passed), (Behaviour::Deaf, StepOutcome::MeansFails)]
        {
            let mut stage = Arm::armed_with(behaviour, &passed(&[HardwareStop]), true);
            assert_eq!(stage.hold_button(EachStop), Some(Status::Refused(Reason::NotCommissioned)), "its joints first");
            stage.hold_button(Joints);
            stage.wish(CommissionAct::LetGo);
            stage.beats(50);
            stage.hold_button(EachStop);
            assert_eq!(stage.outcome(EachStop), Some(outcome), "{behaviour:?} {:?}", of_means(&stage));
            let means = of_means(&stage);
            assert_eq!(means[0].means, StopMeans::Goals("/controller/follow_joint_trajectory".to_owned()));
            assert_eq!((means[0].outcome, means.len()), (MeansOutcome::Stopped, 2));
            stage.beats(30);
            assert_eq!(stage.robot_mps(), 0.0);
        }
    }
}
