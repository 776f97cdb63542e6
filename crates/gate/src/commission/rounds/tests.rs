mod track;

use robot::{ActuatorKind, Manifest, MeansOutcome, StopMeans};

use super::*;
use track::{ARM, BOUNDS, Behaviour, Robot, service};

#[test]
fn rg_31_each_joint_moves_alone_to_where_it_has_more_room_and_stops_on_the_way() {
    let mut robot = Robot::arm(Behaviour::Obedient);
    let result = robot.run();
    assert_eq!((result.step, result.outcome), (CommissioningStep::Joints, StepOutcome::Passed));
    let names: Vec<_> = result.joints.iter().map(|joint| joint.joint.as_str()).collect();
    assert_eq!(names.len(), 6);
    assert_eq!((names[0], robot.holds), ("shoulder_pan_joint", 6));
    let [lift, elbow] = [&result.joints[1], &result.joints[2]];
    assert!(lift.commanded > 0.0 && elbow.commanded < 0.0, "away from the nearer limit: {elbow:?}");
    for joint in &result.joints {
        assert!((0.03..0.05).contains(&joint.measured.abs()), "held on the way: {joint:?}");
        assert!(joint.time_ms <= joint.time_ms_max && joint.time_ms.is_some());
    }
    assert!(result.speeds.iter().any(|point| point.measured > 0.06) && result.speeds.len() > 10);
}

#[test]
fn rg_31_a_joint_that_goes_the_other_way_moves_another_or_does_not_move_fails_the_step_at_once() {
    for (behaviour, outcome) in [
        (Behaviour::Reversed, StepOutcome::WrongWay),
        (Behaviour::WrongJoint, StepOutcome::WrongWay),
        (Behaviour::Deaf, StepOutcome::StopsWorse),
    ] {
        let result = Robot::arm(behaviour).run();
        assert_eq!((result.outcome, result.joints.len()), (outcome, 1), "{behaviour:?}");
        assert!(!result.outcome.counts());
    }
    // Its goal ends, and it has not moved.
    let mut robot = Robot::arm(Behaviour::Stiff);
    for _ in 0..10 {
        robot.obey();
        assert_eq!(robot.look(), Next::GoOn);
    }
    robot.moves = false;
    assert_eq!(robot.run().outcome, StepOutcome::DoesNotMove);
    let mut waits = Robot::arm(Behaviour::Stiff);
    assert_eq!(waits.run().outcome, StepOutcome::DoesNotMove, "nor does its goal ever end");
    assert!(waits.ms < 20_000);
}

#[test]
fn rg_31_an_arm_that_a_service_has_latched_is_asked_again_until_it_moves() {
    let mut robot = Robot::stopped_by(&[service(), StopMeans::Goals("/move".to_owned())], true, Behaviour::Obedient);
    let mut goals = 0;
    for _ in 0..50 {
        let is_asked = robot.rounds.wants().is_some();
        robot.obey();
        // It refuses each goal.
        (robot.driven, robot.moves) = (None, false);
        goals += usize::from(is_asked);
        assert_eq!(robot.look(), Next::GoOn);
    }
    assert!(goals > 2, "{goals} goals");
    assert_eq!(robot.run().outcome, StepOutcome::Passed);
}

#[test]
fn rg_31_a_step_that_was_broken_off_goes_on_with_the_joints_that_are_left() {
    let mut robot = Robot::arm(Behaviour::Obedient);
    while robot.rounds.found.joints.len() < 2 {
        robot.obey();
        if robot.look() == Next::Hold {
            (robot.driven, robot.moves) = (None, false);
        }
    }
    let plan = Arc::clone(&robot.rounds.plan);
    let now = Instant::from_millis(robot.ms);
    robot.rounds = Series::of_joints(&plan, Begin { found: robot.rounds.found(), person: "Ada".to_owned(), now });
    robot.obey();
    robot.look();
    let Some(StepWish::Joints(goal)) = robot.rounds.wants() else { panic!("it waits for nothing") };
    assert!((goal.positions[2] - robot.joints[2]).abs() > 0.05, "the third joint: {goal:?}");
    assert_eq!(robot.run().joints.len(), 6);
}

#[test]
fn rg_31_a_button_that_is_not_heard_of_and_somebody_at_the_robot_break_off() {
    for (local, silent_ms) in [(true, 20), (false, 520)] {
        let mut robot = Robot::arm(Behaviour::Obedient);
        robot.look();
        robot.obey();
        robot.look();
        let now = Instant::from_millis(robot.ms + silent_ms);
        let look = Look { local, moves: true, ..Look::default() };
        assert_eq!(robot.rounds.look(&look, &BOUNDS, Now { station: now, wall_ms: 77 }), Next::End(None));
    }
}

#[test]
fn rg_31_each_means_of_stopping_is_tried_alone() {
    let means = [StopMeans::Zeros, StopMeans::Lock, StopMeans::Cancel("/dock".to_owned()), service()];
    let result = Robot::stopped_by(&means, false, Behaviour::Obedient).run();
    assert_eq!((result.step, result.outcome), (CommissioningStep::EachStop, StepOutcome::Passed));
    let outcomes: Vec<_> = result.means.iter().map(|found| found.outcome).collect();
    use MeansOutcome::{Answered, Stopped, StopsNothing};
    assert_eq!(outcomes, [Stopped, StopsNothing, Answered, Stopped]);
    let [zeros, lock, cancel, stop] = &result.means[..] else { panic!("{:?}", result.means) };
    assert!(zeros.time_ms.is_some() && zeros.distance_m.is_some_and(|way_m| way_m > 0.0));
    assert_eq!((lock.time_ms, cancel.distance_m), (None, None), "it went on, and it stood");
    assert_eq!(stop.means, service());
}

#[test]
fn rg_31_a_service_that_is_not_answered_or_does_not_stop_fails_the_step() {
    for (behaviour, outcome) in
        [(Behaviour::Deaf, MeansOutcome::NoAnswer), (Behaviour::AnswersOnly, MeansOutcome::KeptMoving)]
    {
        for is_arm in [false, true] {
            let result = Robot::stopped_by(&[service(), StopMeans::Goals("/move".to_owned())], is_arm, behaviour).run();
            assert_eq!((result.outcome, result.means.len()), (StepOutcome::MeansFails, 1), "{behaviour:?} {is_arm}");
            let found = result.means[0].outcome;
            assert!(found == outcome || (is_arm && found == MeansOutcome::KeptMoving), "{found:?}");
        }
    }
    let result = Robot::stopped_by(&[StopMeans::Cancel("/dock".to_owned())], false, Behaviour::Deaf).run();
    assert_eq!(result.means[0].outcome, MeansOutcome::NoAnswer, "a robot that stands");
}

#[test]
fn rg_31_a_plan_moves_the_joints_of_arms_alone() {
    let manifest = Manifest::parse(ARM, "ur-1").unwrap();
    assert_eq!(manifest.actuators[0].kind, ActuatorKind::Tool);
    assert!(
        Plan::new(&manifest, true, Vec::new()).has_joints() && !Plan::new(&manifest, false, Vec::new()).has_joints()
    );
}

#[test]
fn rg_31_a_base_that_stops_by_itself_shows_only_what_stops_it_earlier() {
    let tried = |by_itself_ms: u64, behaviour| {
        let mut robot = Robot::stopped_by(&[StopMeans::Lock, service()], false, behaviour);
        robot.by_itself_ms = Some(by_itself_ms);
        robot.rounds.by_itself = Some(Duration::from_millis(by_itself_ms + 100));
        robot.run().means.into_iter().map(|found| found.outcome).collect::<Vec<_>>()
    };
    use MeansOutcome::{Answered, KeptMoving, Stopped, StopsNothing};
    assert_eq!(tried(500, Behaviour::Obedient), [StopsNothing, Stopped]);
    assert_eq!(tried(500, Behaviour::AnswersOnly), [StopsNothing, KeptMoving], "its watchdog stops it, later");
    assert_eq!(tried(100, Behaviour::AnswersOnly), [StopsNothing, Answered], "nobody can tell");
}
