//! A robot that is moved by whoever calls it, and the series that watches it.

use robot::{
    CommandId, LeaseToken, Manifest, ParseContext, RawCommand, RawJoints, RawMotion, RawVelocity, Source, StopMeans,
    parse_command,
};
use safety::JointPositions;

use super::super::*;

pub const ARM: &str = include_str!("../../../../examples/ur-1.toml");
const TICK_MS: u64 = 20;
pub const BOUNDS: Bounds =
    Bounds { reaction_s: 0.2, decel_mps2: 1.0, localisation_error_m: 0.005, silence_max: Duration::from_secs(2) };
const AHEAD: StepMotion = StepMotion { linear_mps: [0.05, 0.0, 0.0], angular_radps: [0.0; 3] };

/// A robot that is moved by whoever calls it: its joints, and the speed of its base.
pub struct Robot {
    pub rounds: Series,
    pub ms: u64,
    pub joints: Box<[f64]>,
    /// The joint that is driven, to where, and how fast it is.
    pub driven: Option<(usize, f64)>,
    pub radps: f64,
    pub mps: f64,
    pub wanted_mps: f64,
    pub moves: bool,
    pub trial: Option<StopMeans>,
    pub answers: bool,
    pub tried: u64,
    /// It stops by itself after this time, milliseconds.
    pub by_itself_ms: Option<u64>,
    /// Its behaviour.
    pub behaviour: Behaviour,
    pub holds: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Behaviour {
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

pub fn service() -> StopMeans {
    StopMeans::Service("/stop".to_owned())
}

fn begin(found: Found) -> Begin {
    Begin { found, person: "Ada".to_owned(), now: Instant::from_millis(1_000) }
}

impl Robot {
    pub fn of(rounds: Series, behaviour: Behaviour) -> Self {
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
            behaviour,
            holds: 0,
        }
    }

    pub fn arm(behaviour: Behaviour) -> Self {
        let plan = Arc::new(Plan::new(&Manifest::parse(ARM, "ur-1").unwrap(), true, Vec::new()));
        let rounds = Series::of_joints(&plan, begin(Found::default()));
        Self::of(rounds, behaviour)
    }

    /// A base without arms, or an arm without a base, whose means of stopping are tried.
    pub fn stopped_by(means: &[StopMeans], is_arm: bool, behaviour: Behaviour) -> Self {
        let plan = Arc::new(Plan::new(&Manifest::parse(ARM, "ur-1").unwrap(), is_arm, means.to_vec()));
        let velocity = (!is_arm).then_some(AHEAD);
        let found = Found::default();
        let rounds = Series::of_stops(&plan, velocity, None, begin(found));
        Self::of(rounds, behaviour)
    }

    pub fn obey(&mut self) {
        match self.rounds.wants().cloned() {
            Some(StepWish::Velocity(motion)) => {
                (self.wanted_mps, self.moves) = (motion.linear_mps[0], true);
                let (linear_mps, angular_radps) = (vec![0.04, 0.0, 0.0], vec![0.0; 3]);
                assert_eq!(self.ask(RawMotion::Velocity(RawVelocity { linear_mps, angular_radps })), Part::Motion);
            }
            Some(StepWish::Joints(goal)) => {
                let moved = |(_, (to, at)): &(usize, (&f64, &f64))| (*to - *at).abs() > 1e-9;
                let (joint, (to, _)) = goal.positions.iter().zip(&self.joints).enumerate().find(moved).unwrap();
                // The reach of all its joints, and the limit of 0.2 m/s.
                assert!(goal.speed <= 0.1 && goal.speed * 3.45 <= 0.2, "{goal:?}");
                (self.driven, self.moves) = (Some((joint, *to)), true);
                let names = goal.names.iter().map(ToString::to_string).collect();
                let joints = RawJoints { names, positions_rad: goal.positions, speed_radps: Some(goal.speed) };
                assert_eq!(self.ask(RawMotion::Joints(joints.clone())), Part::Motion);
                assert_eq!(self.ask(RawMotion::Joints(joints)), Part::Late, "once");
            }
            None => {}
        }
    }

    pub fn ask(&mut self, motion: RawMotion) -> Part {
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
    pub fn pass(&mut self) {
        let is_silent = self.trial.is_some() && self.by_itself_ms.is_some_and(|ms| self.ms - self.tried > ms);
        let is_stopped = match (&self.trial, self.behaviour) {
            _ if is_silent => true,
            (None, _) | (Some(StopMeans::Lock), _) => false,
            (Some(_), Behaviour::Deaf | Behaviour::AnswersOnly) => false,
            (Some(_), _) => true,
        };
        self.answers = self.trial.as_ref().is_some_and(StopMeans::is_answered) && self.behaviour != Behaviour::Deaf;
        let wanted_mps = if is_stopped { 0.0 } else { self.wanted_mps };
        self.mps += (wanted_mps - self.mps).clamp(-0.01, 0.01);
        let Some((joint, to)) = self.driven else {
            self.radps = 0.0;
            return;
        };
        let way = to - self.joints[joint];
        let speed = if is_stopped || way.abs() < 1e-3 { 0.0 } else { 0.08 * way.signum() };
        self.radps = speed;
        match self.behaviour {
            Behaviour::Stiff => self.radps = 0.0,
            Behaviour::Reversed => self.joints[joint] -= speed * 0.02,
            Behaviour::WrongJoint => self.joints[(joint + 1) % 6] += speed * 0.02,
            Behaviour::Obedient | Behaviour::Deaf | Behaviour::AnswersOnly => self.joints[joint] += speed * 0.02,
        }
        self.moves &= way.abs() >= 1e-3;
    }

    pub fn look(&mut self) -> Next {
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
    pub fn run(&mut self) -> StepResult {
        for _ in 0..10_000 {
            self.obey();
            match self.look() {
                Next::GoOn => {}
                Next::Hold if self.behaviour == Behaviour::Deaf && self.trial.is_none() => self.holds += 1,
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
