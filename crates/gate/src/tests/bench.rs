//! A robot for the contract: a point on a line that obeys, or does not, and the two ways to it.

use std::collections::VecDeque;

use bridge::ClockFn;
use robot::{Manifest, RawMotion, Reason, StopMeans};

use super::stage::goal_at;
use crate::adapter::Adapter;

/// The manifest of a rover.
pub const ROVER: &str = include_str!("../../examples/rover-9.toml");
/// Deceleration and acceleration, metres per second squared.
const CHANGE_MPS2: f64 = 1.0;
/// Delay of the answers of a late robot, steps of 20 ms.
const LATE_STEPS: usize = 10;

/// An adapter and its robot's end.
pub trait Bench {
    /// The adapter.
    type Adapter: Adapter + 'static;
    /// True if it sends velocities that are in force again and again.
    const REFRESHES: bool;
    /// True if it takes goals; one that does not is driven by velocities.
    const GOES_TO_GOALS: bool = true;
    /// True if it takes velocities; one that does not is driven by goals.
    const TAKES_VELOCITIES: bool = true;
    /// The reason that a goal beyond the workspace is refused for.
    const TOO_FAR: Reason = Reason::Workspace;
    /// True if the robot answers a hold; one that hears only velocities cannot.
    const HOLD_IS_ANSWERED: bool = true;
    /// Ticks for which the stop goes on after standstill was measured.
    const LINGERS_STEPS: u64 = 0;

    /// The manifest of its robot.
    fn manifest() -> Manifest {
        Manifest::parse(ROVER, "rover-9").unwrap()
    }

    /// A goal so far ahead, at this speed.
    fn goal(x_m: f64, speed_mps: f64) -> RawMotion {
        goal_at(x_m, speed_mps)
    }

    /// A robot that nobody has spoken to yet.
    fn open(clock: &ClockFn) -> (Self, Self::Adapter)
    where
        Self: Sized;

    /// The robot says this; the adapter has it when this returns.
    fn say(&mut self, adapter: &mut Self::Adapter, said: Vec<Said>);

    /// Everything that was sent to the robot since the last call.
    fn sent(&mut self, adapter: &mut Self::Adapter) -> Vec<Sent>;
}

/// A message of the robot.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// Its place and the speed that it says it has, at its own time.
    State { stamp_ms: f64, x_m: f64, speed_mps: f64 },
    /// It has taken in the message of this number.
    Ack(u64),
    /// It refuses it.
    Failed(u64),
    /// Another source of motion.
    Foreign(Option<String>),
}

/// A message to the robot.
#[derive(Debug, Clone, PartialEq)]
pub enum Sent {
    /// Move: towards a place, or for a time.
    Move { number: u64, speed_mps: f64 },
    /// A velocity that is in force.
    SetPoint,
    /// Stop.
    Stop(u64),
    /// Stop by one means alone.
    Alone { number: u64, means: StopMeans },
}

/// Conduct of a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    Obedient,
    /// It obeys at once and answers 200 ms later.
    Late,
    /// It moves, and refuses to stop.
    Refusing,
    /// It moves and measures itself until it is to stop; from then on it says nothing.
    Silent,
    /// It does not stop, and says that it stands.
    Lying,
    /// It hears every means of stopping but its stop service.
    Deaf,
    /// Its stop service answers, and stops nothing.
    AnswersOnly,
}

/// A robot.
pub struct Robot {
    behaviour: Behaviour,
    pub x_m: f64,
    pub mps: f64,
    wanted_mps: f64,
    steps: u64,
    is_told_to_stop: bool,
    late: VecDeque<Vec<Said>>,
    answers: Vec<Said>,
}

impl Robot {
    pub fn new(behaviour: Behaviour) -> Self {
        Self {
            behaviour,
            x_m: 0.0,
            mps: 0.0,
            wanted_mps: 0.0,
            steps: 0,
            is_told_to_stop: false,
            late: VecDeque::new(),
            answers: Vec::new(),
        }
    }

    pub fn hear(&mut self, sent: &Sent) {
        match *sent {
            Sent::Move { number, speed_mps } => {
                self.wanted_mps = speed_mps;
                self.answers.push(Said::Ack(number));
            }
            Sent::SetPoint => {}
            Sent::Alone { number, ref means } => self.hear_alone(number, means),
            Sent::Stop(number) => {
                self.is_told_to_stop = true;
                match self.behaviour {
                    Behaviour::Refusing => self.answers.push(Said::Failed(number)),
                    Behaviour::Lying => self.answers.push(Said::Ack(number)),
                    Behaviour::Obedient
                    | Behaviour::Late
                    | Behaviour::Silent
                    | Behaviour::Deaf
                    | Behaviour::AnswersOnly => {
                        self.wanted_mps = 0.0;
                        self.answers.push(Said::Ack(number));
                    }
                }
            }
        }
    }

    fn hear_alone(&mut self, number: u64, means: &StopMeans) {
        let is_deaf_to = |means: &StopMeans| match (self.behaviour, means) {
            (_, StopMeans::Lock) | (Behaviour::Lying | Behaviour::Refusing, _) => true,
            (Behaviour::Deaf | Behaviour::AnswersOnly, StopMeans::Service(_)) => true,
            (_, StopMeans::Zeros | StopMeans::Goals(_) | StopMeans::Cancel(_) | StopMeans::Service(_)) => false,
        };
        if !is_deaf_to(means) {
            self.wanted_mps = 0.0;
        }
        if means.is_answered() && (!is_deaf_to(means) || self.behaviour != Behaviour::Deaf) {
            self.answers.push(Said::Ack(number));
        }
    }

    /// 20 ms pass; everything it says meanwhile.
    pub fn step(&mut self) -> Vec<Said> {
        self.steps += 1;
        let most = CHANGE_MPS2 * 0.02;
        self.mps += (self.wanted_mps - self.mps).clamp(-most, most);
        self.x_m += self.mps * 0.02;
        let answers = std::mem::take(&mut self.answers);
        let mut said = if self.behaviour == Behaviour::Late {
            self.late.push_back(answers);
            if self.late.len() > LATE_STEPS { self.late.pop_front().unwrap() } else { Vec::new() }
        } else {
            answers
        };
        let is_lie = self.behaviour == Behaviour::Lying && self.is_told_to_stop;
        let speed_mps = if is_lie { 0.0 } else { self.mps };
        said.push(Said::State { stamp_ms: 5e6 + 20.0 * self.steps as f64, x_m: self.x_m, speed_mps });
        if self.behaviour == Behaviour::Silent && self.is_told_to_stop { Vec::new() } else { said }
    }
}
