use robot::{
    ActuatorKind, CommandId, LeaseToken, MeansOutcome, ParseContext, RawCommand, RawJoints, RawMotion, RawVelocity,
    Source, parse_command,
};
use safety::JointPositions;

use super::*;

const ARM: &str = include_str!("../../../examples/ur-1.toml");
const TICK_MS: u64 = 20;
const BOUNDS: Bounds =
    Bounds { reaction_s: 0.2, decel_mps2: 1.0, localisation_error_m: 0.005, silence_max: Duration::from_secs(2) };
const AHEAD: StepMotion = StepMotion { linear_mps: [0.05, 0.0, 0.0], angular_radps: [0.0; 3] };

/// A robot that is moved by whoever calls it: its joints, and the speed of its base.
struct Robot {
    rounds: Series,
    ms: u64,
    joints: Box<[f64]>,
    /// The joint that is driven, to where, and how fast it is.
    driven: Option<(usize, f64)>,
    radps: f64,
    mps: f64,
    wanted_mps: f64,
    moves: bool,
    trial: Option<StopMeans>,
    answers: bool,
    tried: u64,
    /// It stops by itself after this time, milliseconds.
    by_itself_ms: Option<u64>,
    /// Its conduct.
    conduct: Conduct,
    holds: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Conduct {
    Obedient,
    /// It goes the other way.
    Reversed,
    /// Another joint moves.
    WrongJoint,
    /// Nothing moves.
    Stiff,
    /// It does not hear that it is to stop.
    Deaf,
    /// It says that it stops, and moves on.
    AnswersOnly,
}

fn service() -> StopMeans {
    StopMeans::Service("/stop".to_owned())
}

impl Robot {
    fn of(rounds: Series, conduct: Conduct) -> Self {
        Self {
            rounds,
            ms: 1_000,
            joints: [0.0, -1.5, 3.1, 0.0, 0.0, 0.0].into(),
            driven: None,
            radps: 0.0,
            mps: 0.0,
            wanted_mps: 0.0,
            moves: false,
            trial: None,
            answers: false,
            tried: 0,
            by_itself_ms: None,
            conduct,
            holds: 0,
        }
    }

    fn arm(conduct: Conduct) -> Self {
        let plan = Arc::new(Plan::new(&Manifest::parse(ARM, "ur-1").unwrap(), true, Vec::new()));
        let rounds = Series::of_joints(&plan, Found::default(), "Ada".to_owned(), Instant::from_millis(1_000));
        Self::of(rounds, conduct)
    }

    /// A base without arms, or an arm without a base, whose means of stopping are tried.
    fn stopped_by(means: &[StopMeans], is_arm: bool, conduct: Conduct) -> Self {
        let plan = Arc::new(Plan::new(&Manifest::parse(ARM, "ur-1").unwrap(), is_arm, means.to_vec()));
        let velocity = (!is_arm).then_some(AHEAD);
        let found = Found::default();
        let rounds = Series::of_stops(&plan, velocity, None, found, "Ada".to_owned(), Instant::from_millis(1_000));
        Self::of(rounds, conduct)
    }

    fn obey(&mut self) {
        match self.rounds.wants().cloned() {
            Some(StepWish::Velocity(motion)) => {
                (self.wanted_mps, self.moves) = (motion.linear_mps[0], true);
                let (linear_mps, angular_radps) = (vec![0.04, 0.0, 0.0], vec![0.0; 3]);
                assert_eq!(self.ask(RawMotion::Velocity(RawVelocity { linear_mps, angular_radps })), Part::Motion);
            }
            Some(StepWish::Joints(goal)) => {
                let moved = |(_, (to, at)): &(usize, (&f64, &f64))| (*to - *at).abs() > 1e-9;
                let (joint, (to, _)) = goal.positions.iter().zip(&self.joints).enumerate().find(moved).unwrap();
                assert!(goal.speed <= 0.1, "{goal:?}");
                (self.driven, self.moves) = (Some((joint, *to)), true);
                let names = goal.names.iter().map(ToString::to_string).collect();
                let joints = RawJoints { names, positions_rad: goal.positions, speed_radps: Some(goal.speed) };
                assert_eq!(self.ask(RawMotion::Joints(joints.clone())), Part::Motion);
                assert_eq!(self.ask(RawMotion::Joints(joints)), Part::Late, "once");
            }
            None => {}
        }
    }

    fn ask(&mut self, motion: RawMotion) -> Part {
        let now = Instant::from_millis(self.ms);
        let raw = RawCommand {
            id: None,
            robot: "ur-1".parse().unwrap(),
            actuator: "arm".parse().unwrap(),
            frame: None,
            force_n: None,
            ttl_ms: None,
            mission_id: None,
            motion,
        };
        let context = ParseContext {
            fresh_id: CommandId(uuid::Uuid::from_u128(1)),
            source: Source::Person("Ada".to_owned()),
            lease: LeaseToken { station: "desk".parse().unwrap(), epoch: 1, seq: 1 },
            issued_at: now,
            approval: None,
        };
        let command = parse_command(&raw, &Manifest::parse(ARM, "ur-1").unwrap(), context).unwrap();
        self.rounds.part_of(&command, now)
    }

    /// 20 ms pass at the robot.
    fn pass(&mut self) {
        let is_silent = self.trial.is_some() && self.by_itself_ms.is_some_and(|ms| self.ms - self.tried > ms);
        let is_stopped = match (&self.trial, self.conduct) {
            _ if is_silent => true,
            (None, _) | (Some(StopMeans::Lock), _) => false,
            (Some(_), Conduct::Deaf | Conduct::AnswersOnly) => false,
            (Some(_), _) => true,
        };
        self.answers = self.trial.as_ref().is_some_and(StopMeans::is_answered) && self.conduct != Conduct::Deaf;
        let wanted_mps = if is_stopped { 0.0 } else { self.wanted_mps };
        self.mps += (wanted_mps - self.mps).clamp(-0.01, 0.01);
        let Some((joint, to)) = self.driven else {
            self.radps = 0.0;
            return;
        };
        let way = to - self.joints[joint];
        let speed = if is_stopped || way.abs() < 1e-3 { 0.0 } else { 0.08 * way.signum() };
        self.radps = speed;
        match self.conduct {
            Conduct::Stiff => self.radps = 0.0,
            Conduct::Reversed => self.joints[joint] -= speed * 0.02,
            Conduct::WrongJoint => self.joints[(joint + 1) % 6] += speed * 0.02,
            Conduct::Obedient | Conduct::Deaf | Conduct::AnswersOnly => self.joints[joint] += speed * 0.02,
        }
        self.moves &= way.abs() >= 1e-3;
    }

    fn look(&mut self) -> Next {
        self.ms += TICK_MS;
        self.pass();
        let now = Instant::from_millis(self.ms);
        self.rounds.renew(now);
        let names =
            Manifest::parse(ARM, "ur-1").unwrap().actuators[0].joints.iter().map(|spec| spec.name.clone()).collect();
        let look = Look {
            velocity: Some([self.mps, 0.0, 0.0, 0.0, 0.0, 0.0]),
            speed_mps: self.mps.abs() + self.radps.abs(),
            joints: Some(JointPositions { names, positions: self.joints.clone() }),
            stands: self.mps.abs() < 0.005 && self.radps == 0.0,
            moves: self.moves,
            is_answered: self.answers,
            ..Look::default()
        };
        self.rounds.look(&look, &BOUNDS, Now { station: now, wall_ms: 77 })
    }

    /// The button is held until the step is over.
    fn run(&mut self) -> StepResult {
        for _ in 0..10_000 {
            self.obey();
            match self.look() {
                Next::GoOn => {}
                Next::Hold if self.conduct == Conduct::Deaf && self.trial.is_none() => self.holds += 1,
                Next::Hold => {
                    self.holds += 1;
                    (self.driven, self.wanted_mps, self.moves, self.trial) = (None, 0.0, false, None);
                }
                Next::Try(means) => {
                    self.moves &= self.driven.is_some();
                    (self.trial, self.tried) = (Some(means), self.ms);
                }
                Next::End(Some(result)) => return *result,
                next @ (Next::End(None) | Next::FallSilent) => panic!("{next:?}"),
            }
        }
        panic!("the step does not end");
    }
}

#[test]
fn rg_31_each_joint_moves_alone_to_where_it_has_more_room_and_stops_on_the_way() {
    let mut robot = Robot::arm(Conduct::Obedient);
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
    for (conduct, outcome) in [
        (Conduct::Reversed, StepOutcome::WrongWay),
        (Conduct::WrongJoint, StepOutcome::WrongWay),
        (Conduct::Deaf, StepOutcome::StopsWorse),
    ] {
        let result = Robot::arm(conduct).run();
        assert_eq!((result.outcome, result.joints.len()), (outcome, 1), "{conduct:?}");
        assert!(!result.outcome.counts());
    }
    // Its goal ends, and it has not moved.
    let mut robot = Robot::arm(Conduct::Stiff);
    for _ in 0..10 {
        robot.obey();
        assert_eq!(robot.look(), Next::GoOn);
    }
    robot.moves = false;
    assert_eq!(robot.run().outcome, StepOutcome::DoesNotMove);
}

#[test]
fn rg_31_a_step_that_was_broken_off_goes_on_with_the_joints_that_are_left() {
    let mut robot = Robot::arm(Conduct::Obedient);
    while robot.rounds.found.joints.len() < 2 {
        robot.obey();
        if robot.look() == Next::Hold {
            (robot.driven, robot.moves) = (None, false);
        }
    }
    let plan = Arc::clone(&robot.rounds.plan);
    let now = Instant::from_millis(robot.ms);
    robot.rounds = Series::of_joints(&plan, robot.rounds.found(), "Ada".to_owned(), now);
    robot.obey();
    robot.look();
    let Some(StepWish::Joints(goal)) = robot.rounds.wants() else { panic!("it waits for nothing") };
    assert!((goal.positions[2] - robot.joints[2]).abs() > 0.05, "the third joint: {goal:?}");
    assert_eq!(robot.run().joints.len(), 6);
}

#[test]
fn rg_31_a_button_that_is_not_heard_of_and_somebody_at_the_robot_break_off() {
    for (local, silent_ms) in [(true, 20), (false, 520)] {
        let mut robot = Robot::arm(Conduct::Obedient);
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
    let result = Robot::stopped_by(&means, false, Conduct::Obedient).run();
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
    for (conduct, outcome) in
        [(Conduct::Deaf, MeansOutcome::NoAnswer), (Conduct::AnswersOnly, MeansOutcome::KeptMoving)]
    {
        for is_arm in [false, true] {
            let result = Robot::stopped_by(&[service(), StopMeans::Goals("/move".to_owned())], is_arm, conduct).run();
            assert_eq!((result.outcome, result.means.len()), (StepOutcome::MeansFails, 1), "{conduct:?} {is_arm}");
            let found = result.means[0].outcome;
            assert!(found == outcome || (is_arm && found == MeansOutcome::KeptMoving), "{found:?}");
        }
    }
    let result = Robot::stopped_by(&[StopMeans::Cancel("/dock".to_owned())], false, Conduct::Deaf).run();
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
    let tried = |by_itself_ms: u64, conduct| {
        let mut robot = Robot::stopped_by(&[StopMeans::Lock, service()], false, conduct);
        robot.by_itself_ms = Some(by_itself_ms);
        robot.rounds.by_itself = Some(Duration::from_millis(by_itself_ms + 100));
        robot.run().means.into_iter().map(|found| found.outcome).collect::<Vec<_>>()
    };
    use MeansOutcome::{Answered, KeptMoving, Stopped, StopsNothing};
    assert_eq!(tried(500, Conduct::Obedient), [StopsNothing, Stopped]);
    assert_eq!(tried(500, Conduct::AnswersOnly), [StopsNothing, KeptMoving], "its watchdog stops it, later");
    assert_eq!(tried(100, Conduct::AnswersOnly), [StopsNothing, Answered], "nobody can tell");
}
