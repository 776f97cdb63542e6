//! The measurement of a step of several rounds: each joint alone, or each means of stopping alone. Looks at the robot come
//! in, and the gate's next act comes out. Pure.
//!
//! Each round begins with a robot that stands, waits for the motion that it wishes for, ends that motion by one means, and
//! measures. A round that fails ends the step.

mod tried;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use robot::{
    ActuatorId, Command, CommissioningStep, Instant, JointGoal, JointMotion, JointResult, JointSpec, Manifest,
    MeansResult, Motion, Now, RunningStep, SpeedPoint, StepMotion, StepOutcome, StepPhase, StepResult, StepWish,
    StopMeans, commissioned_arms,
};

use super::Part;
use super::measure::{
    Bounds, FOLLOWS, LET_GO_AFTER, Look, MOVE_FOR, Next, STAND_WITHIN, STRAYS, UP_TO_SPEED, whole_ms,
};

/// Way of a joint that turns, radians, and of one that slides, metres.
const TRAVEL_RAD: f64 = 0.1;
const TRAVEL_M: f64 = 0.05;
/// Speed of a joint that turns, radians per second, and of one that slides, metres per second.
const SPEED_RADPS: f64 = 0.1;
const SPEED_MPS: f64 = 0.05;
/// A joint with less room than this share of its way cannot be tried.
const ROOM_MIN: f64 = 0.1;
/// A joint that has covered this share of its way has gone to its goal, whatever was to stop it.
const RAN_ON: f64 = 0.9;
/// A round that takes longer is given up; a person may have to release the robot from the stop before it.
const ROUND_WITHIN: Duration = Duration::from_secs(60);
/// A motion that is not seen to be in force by then has ended.
const IN_FORCE_WITHIN: Duration = Duration::from_millis(100);
/// Standstill is seen so much later than it is: by the way of the last moment.
const SEEN_LATE_S: f64 = 0.1;
/// Numbers of a command that are this near are those that were wished for.
const SAME: f64 = 1e-6;
/// Period of points of the speed over time, and the points that are kept.
const POINT_EVERY: Duration = Duration::from_millis(100);
const POINTS_MAX: usize = 250;

/// The part of a robot that rounds are about.
#[derive(Debug, Default)]
pub struct Plan {
    arms: Vec<Arm>,
    stops: Vec<StopMeans>,
}

#[derive(Debug)]
struct Arm {
    actuator: ActuatorId,
    joints: Box<[JointSpec]>,
}

/// Everything that was found so far. A step that is begun again goes on after it.
#[derive(Debug, Clone, Default)]
pub struct Found {
    joints: Vec<JointResult>,
    means: Vec<MeansResult>,
}

/// One round: a motion, and the one means that ends it; the hold of every day if it names none.
#[derive(Debug, Clone)]
struct Round {
    moves: Moves,
    means: Option<StopMeans>,
}

/// The motion of a round.
#[derive(Debug, Clone, Copy)]
enum Moves {
    /// A velocity of the base.
    Velocity(StepMotion),
    /// A joint, by the places of its arm and of itself.
    Joint(usize, usize),
    /// None: no step moves the robot in a way that the means ends.
    Nothing,
}

/// A step of rounds that is under way.
#[derive(Debug)]
pub struct Series {
    step: CommissioningStep,
    person: String,
    plan: Arc<Plan>,
    rounds: VecDeque<Round>,
    phase: Phase,
    began: Instant,
    /// Beginning of the round.
    since: Instant,
    renewed: Instant,
    looked: Instant,
    wish: Option<StepWish>,
    /// Wishes that are over; a command for one of them comes late.
    earlier: Vec<StepWish>,
    /// Time at which the motion of the round was begun.
    begun: Option<Instant>,
    track: Track,
    /// Time after which the base stops by itself in silence; none of a robot that keeps moving.
    by_itself: Option<Duration>,
    found: Found,
    speeds: Vec<SpeedPoint>,
}

/// Part of a round.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Waiting,
    Moving,
    Stopping(Stop),
    Trying(Stop),
}

/// The moment at which the motion was to end.
#[derive(Debug, Clone, Copy)]
struct Stop {
    since: Instant,
    /// Speed then, metres per second.
    from_mps: f64,
    /// Way of the joint until then.
    covered: f64,
}

/// The way of one round.
#[derive(Debug, Default)]
struct Track {
    /// Positions of the arm's joints at its beginning.
    from: Box<[f64]>,
    /// Way that is commanded of the joint, with its sign.
    commanded: f64,
    /// Position of the joint at the last point of the speed over time.
    noted: Option<f64>,
    /// Time for which a velocity was in force.
    in_force: Duration,
    /// Way since the stop, metres.
    stopping_m: f64,
}

impl Plan {
    /// The arms of a manifest if the adapter takes goals of joints, and the adapter's means of stopping.
    pub fn new(manifest: &Manifest, takes_joints: bool, stops: Vec<StopMeans>) -> Self {
        let arm = |arm: &robot::Actuator| Arm { actuator: arm.id.clone(), joints: arm.joints.clone().into() };
        Self { arms: commissioned_arms(manifest).filter(|_| takes_joints).map(arm).collect(), stops }
    }

    /// True if it moves joints.
    pub fn has_joints(&self) -> bool {
        self.arms.iter().any(|arm| !arm.joints.is_empty())
    }

    /// One round for each joint.
    fn of_joints(&self) -> impl Iterator<Item = Round> {
        let joints = |(place, arm): (usize, &Arm)| (0..arm.joints.len()).map(move |joint| Moves::Joint(place, joint));
        self.arms.iter().enumerate().flat_map(joints).map(|moves| Round { moves, means: None })
    }

    /// One round for each means of stopping, with the motion that it ends.
    fn of_stops(&self, velocity: Option<StepMotion>) -> impl Iterator<Item = Round> {
        let joint = self.has_joints().then_some(Moves::Joint(0, 0));
        self.stops.iter().map(move |means| {
            let moves = match means {
                StopMeans::Zeros | StopMeans::Lock => velocity.map(Moves::Velocity),
                StopMeans::Goals(_) => joint,
                StopMeans::Service(_) => velocity.map(Moves::Velocity).or(joint),
                StopMeans::Cancel(_) => None,
            };
            Round { moves: moves.unwrap_or(Moves::Nothing), means: Some(means.clone()) }
        })
    }

    fn joint(&self, arm: usize, joint: usize) -> Option<(&Arm, &JointSpec)> {
        let arm = self.arms.get(arm)?;
        arm.joints.get(joint).map(|spec| (arm, spec))
    }
}

impl Series {
    /// The joints that were not moved yet.
    pub fn of_joints(plan: &Arc<Plan>, found: Found, person: String, now: Instant) -> Self {
        let is_new = |round: &Round| match round.moves {
            Moves::Joint(arm, joint) => plan.joint(arm, joint).is_some_and(|(arm, spec)| {
                !found.joints.iter().any(|known| known.actuator == arm.actuator && known.joint == spec.name)
            }),
            Moves::Velocity(_) | Moves::Nothing => true,
        };
        let rounds = plan.of_joints().filter(is_new).collect();
        Self::begin(CommissioningStep::Joints, plan, rounds, found, person, now)
    }

    /// The means of stopping that were not tried yet; a base is moved at `velocity`, which ends when a means is tried. One
    /// that stops by itself after the time `by_itself` has to stop earlier, or else silence has done it.
    pub fn of_stops(
        plan: &Arc<Plan>,
        velocity: Option<StepMotion>,
        by_itself: Option<Duration>,
        found: Found,
        person: String,
        now: Instant,
    ) -> Self {
        let is_new = |round: &Round| !found.means.iter().any(|known| Some(&known.means) == round.means.as_ref());
        let rounds = plan.of_stops(velocity).filter(is_new).collect();
        Self { by_itself, ..Self::begin(CommissioningStep::EachStop, plan, rounds, found, person, now) }
    }

    fn begin(
        step: CommissioningStep,
        plan: &Arc<Plan>,
        rounds: VecDeque<Round>,
        found: Found,
        person: String,
        now: Instant,
    ) -> Self {
        Self {
            step,
            person,
            plan: Arc::clone(plan),
            rounds,
            phase: Phase::Waiting,
            began: now,
            since: now,
            renewed: now,
            looked: now,
            wish: None,
            earlier: Vec::new(),
            begun: None,
            track: Track::default(),
            by_itself: None,
            found,
            speeds: Vec::new(),
        }
    }

    /// The step.
    pub const fn step(&self) -> CommissioningStep {
        self.step
    }

    /// Its part.
    pub const fn phase(&self) -> StepPhase {
        match self.phase {
            Phase::Waiting | Phase::Moving => StepPhase::Moving,
            Phase::Stopping(_) => StepPhase::Stopping,
            Phase::Trying(_) => StepPhase::Trying,
        }
    }

    /// The motion that it waits for, if that is to be sent now.
    pub const fn wants(&self) -> Option<&StepWish> {
        match &self.wish {
            Some(StepWish::Joints(_)) if self.begun.is_some() => None,
            Some(wish) => Some(wish),
            None => None,
        }
    }

    /// The button is still held.
    pub const fn renew(&mut self, now: Instant) {
        self.renewed = now;
    }

    /// Everything that was found so far.
    pub fn found(&self) -> Found {
        self.found.clone()
    }

    /// The same for people.
    pub fn shown(&self) -> RunningStep {
        RunningStep {
            step: self.step,
            phase: self.phase(),
            speeds: self.speeds.clone(),
            wants: self.wants().cloned(),
            joints: self.found.joints.clone(),
            means: self.found.means.clone(),
        }
    }

    /// The place of a command in the step. The gate begins one that is its motion.
    pub fn part_of(&mut self, command: &Command, now: Instant) -> Part {
        match &self.wish {
            Some(StepWish::Joints(_)) if self.begun.is_some() => {}
            Some(wish) if is_wished(wish, command) => {
                self.begun.get_or_insert(now);
                return Part::Motion;
            }
            Some(_) | None => {}
        }
        let is_known = self.wish.iter().chain(&self.earlier).any(|wish| is_wished(wish, command));
        if is_known { Part::Late } else { Part::None }
    }

    /// The adapter has refused the motion, which may come again.
    pub const fn note_refused(&mut self) {
        self.begun = None;
    }

    /// Takes in a look at the robot.
    pub fn look(&mut self, look: &Look, bounds: &Bounds, now: Now) -> Next {
        let Now { station, wall_ms } = now;
        let passed = station.since(std::mem::replace(&mut self.looked, station));
        let is_left = station.since(self.renewed) > LET_GO_AFTER || station.since(self.since) > ROUND_WITHIN;
        let Some(round) = self.rounds.front().cloned().filter(|_| !look.local && !is_left) else {
            return if self.rounds.is_empty() { self.over(StepOutcome::Passed, wall_ms) } else { Next::End(None) };
        };
        self.note(&round, look, passed);
        match self.phase {
            Phase::Waiting => self.wait(&round, look, now),
            Phase::Moving => self.go(&round, look, now),
            Phase::Stopping(stop) => self.stand(&round, stop, look, bounds, now),
            Phase::Trying(stop) => self.attempt(&round, stop, look, bounds, now),
        }
    }

    /// A robot that stands is wished to move.
    fn wait(&mut self, round: &Round, look: &Look, now: Now) -> Next {
        if !look.stands || look.moves {
            return Next::GoOn;
        }
        self.track = Track::default();
        self.begun = None;
        let wish = match round.moves {
            Moves::Nothing => return self.stop(round, look, now.station),
            Moves::Velocity(motion) => StepWish::Velocity(motion),
            Moves::Joint(arm, joint) => {
                let plan = Arc::clone(&self.plan);
                let Some((arm, spec)) = plan.joint(arm, joint) else { return Next::End(None) };
                let Some(from) = positions(arm, look) else { return Next::GoOn };
                let way = way_with_room(spec, from[joint]);
                if way.abs() < ROOM_MIN * travel(spec) {
                    let found = JointResult { outcome: StepOutcome::DoesNotMove, ..joint_result(arm, spec) };
                    return self.note_joint(found, now);
                }
                self.track.commanded = way;
                let wish = goal(arm, joint, &from, way);
                self.track.from = from;
                wish
            }
        };
        self.wish = Some(wish);
        self.phase = Phase::Moving;
        Next::GoOn
    }

    /// A robot that moves is stopped once it is seen to go the right way.
    fn go(&mut self, round: &Round, look: &Look, now: Now) -> Next {
        match round.moves {
            Moves::Nothing => Next::End(None),
            Moves::Velocity(motion) => {
                let (axis, commanded) = motion.axis();
                let speed = look.velocity.map_or(0.0, |velocity| velocity[axis]);
                let is_up = self.track.in_force >= MOVE_FOR && !look.stands && speed >= UP_TO_SPEED * commanded;
                if is_up && look.moves { self.stop(round, look, now.station) } else { Next::GoOn }
            }
            Moves::Joint(arm, joint) => {
                let plan = Arc::clone(&self.plan);
                let Some((arm, spec)) = plan.joint(arm, joint) else { return Next::End(None) };
                let Some(ways) = self.ways(arm, look) else { return Next::GoOn };
                let covered = ways[joint] * self.track.commanded.signum();
                let has_ended =
                    !look.moves && self.begun.is_some_and(|begun| now.station.since(begun) > IN_FORCE_WITHIN);
                let wanted = FOLLOWS * self.track.commanded.abs();
                let outcome = if strays(arm, joint, &ways) || covered < -wanted {
                    StepOutcome::WrongWay
                } else if has_ended {
                    StepOutcome::DoesNotMove
                } else if covered >= wanted && look.moves {
                    return self.stop(round, look, now.station);
                } else {
                    return Next::GoOn;
                };
                let commanded = self.track.commanded;
                self.note_joint(
                    JointResult { outcome, commanded, measured: ways[joint], ..joint_result(arm, spec) },
                    now,
                )
            }
        }
    }

    /// Ends the motion of a round by its means.
    fn stop(&mut self, round: &Round, look: &Look, now: Instant) -> Next {
        let (commanded_mps, covered) = match round.moves {
            Moves::Nothing => (0.0, 0.0),
            Moves::Velocity(motion) => (motion.axis().1, 0.0),
            Moves::Joint(arm, joint) => {
                let spec = self.plan.joint(arm, joint);
                let covered = spec.and_then(|(arm, _)| self.ways(arm, look)).map_or(0.0, |ways| ways[joint]);
                (spec.map_or(0.0, |(_, spec)| spec.reach_m * speed(spec)), covered)
            }
        };
        let stop = Stop { since: now, from_mps: look.speed_mps.max(commanded_mps), covered };
        self.earlier.extend(self.wish.take());
        match &round.means {
            None => {
                self.phase = Phase::Stopping(stop);
                Next::Hold
            }
            Some(means) => {
                self.phase = Phase::Trying(stop);
                Next::Try(means.clone())
            }
        }
    }

    /// A joint that was held comes to stand.
    fn stand(&mut self, round: &Round, stop: Stop, look: &Look, bounds: &Bounds, now: Now) -> Next {
        let Moves::Joint(arm, joint) = round.moves else { return Next::End(None) };
        let plan = Arc::clone(&self.plan);
        let Some((arm, spec)) = plan.joint(arm, joint) else { return Next::End(None) };
        let took = now.station.since(stop.since);
        let Some(ways) = self.ways(arm, look).filter(|_| look.stands || took > STAND_WITHIN) else { return Next::GoOn };
        let (commanded, measured) = (self.track.commanded, ways[joint]);
        let time_s_max = time_s_max(stop, bounds);
        let way_m = spec.reach_m * (measured - stop.covered).abs();
        let is_as_said = look.stands && took.as_secs_f64() <= time_s_max && way_m <= way_m_max(stop, bounds);
        let outcome = if strays(arm, joint, &ways) {
            StepOutcome::WrongWay
        } else if is_as_said && measured * commanded.signum() < RAN_ON * commanded.abs() {
            StepOutcome::Passed
        } else {
            StepOutcome::StopsWorse
        };
        let found = JointResult {
            outcome,
            commanded,
            measured,
            time_ms: look.stands.then(|| whole_ms(took)),
            time_ms_max: Some(ms_of(time_s_max)),
            ..joint_result(arm, spec)
        };
        self.note_joint(found, now)
    }

    /// Keeps the result of a joint; one that fails ends the step.
    fn note_joint(&mut self, found: JointResult, now: Now) -> Next {
        let outcome = found.outcome;
        self.found.joints.push(found);
        if outcome.counts() { self.next_round(now, Next::GoOn) } else { self.over(outcome, now.wall_ms) }
    }

    fn next_round(&mut self, now: Now, then: Next) -> Next {
        self.rounds.pop_front();
        if self.rounds.is_empty() {
            return self.over(StepOutcome::Passed, now.wall_ms);
        }
        self.earlier.extend(self.wish.take());
        self.phase = Phase::Waiting;
        self.since = now.station;
        then
    }

    fn over(&self, outcome: StepOutcome, at_ms: i64) -> Next {
        let Found { joints, means } = self.found.clone();
        let times = joints.iter().map(|joint| joint.time_ms).chain(means.iter().map(|means| means.time_ms));
        Next::End(Some(Box::new(StepResult {
            step: self.step,
            outcome,
            time_ms: times.flatten().max(),
            distance_m: None,
            time_ms_max: None,
            distance_m_max: None,
            speeds: self.speeds.clone(),
            joints,
            means,
            person: self.person.clone(),
            at_ms,
        })))
    }

    /// The way of each joint since the round began.
    fn ways(&self, arm: &Arm, look: &Look) -> Option<Box<[f64]>> {
        let at = positions(arm, look).filter(|at| at.len() == self.track.from.len())?;
        Some(at.iter().zip(&self.track.from).map(|(at, from)| at - from).collect())
    }

    fn note(&mut self, round: &Round, look: &Look, passed: Duration) {
        if look.moves {
            self.track.in_force += passed;
        }
        if matches!(self.phase, Phase::Stopping(_) | Phase::Trying(_)) {
            self.track.stopping_m += look.speed_mps * passed.as_secs_f64();
        }
        let t_ms = whole_ms(self.looked.since(self.began));
        let gap_ms = self.speeds.last().map_or(t_ms, |last| t_ms - last.t_ms);
        let is_due = self.speeds.is_empty() || u128::from(gap_ms) >= POINT_EVERY.as_millis();
        if !is_due || self.speeds.len() >= POINTS_MAX {
            return;
        }
        let (commanded, measured) = match round.moves {
            Moves::Nothing => (0.0, 0.0),
            Moves::Velocity(motion) => {
                let (axis, commanded) = motion.axis();
                (commanded, look.velocity.map_or(0.0, |velocity| velocity[axis]))
            }
            Moves::Joint(arm, joint) => {
                let Some((arm, spec)) = self.plan.joint(arm, joint) else { return };
                let at = positions(arm, look).map(|at| at[joint]);
                let way = at.zip(self.track.noted).map_or(0.0, |(at, noted)| at - noted);
                self.track.noted = at;
                let speed = speed(spec) * self.track.commanded.signum();
                (speed, way * 1_000.0 / f64::from(gap_ms.max(1)))
            }
        };
        let commanded = if look.moves { commanded } else { 0.0 };
        self.speeds.push(SpeedPoint { t_ms, commanded, measured });
    }
}

/// Largest time to standstill that a manifest allows, with the time after which it is seen, seconds.
fn time_s_max(stop: Stop, bounds: &Bounds) -> f64 {
    bounds.reaction_s + stop.from_mps / bounds.decel_mps2 + SEEN_LATE_S
}

/// The longest way to standstill, metres.
fn way_m_max(stop: Stop, bounds: &Bounds) -> f64 {
    stop.from_mps * (bounds.reaction_s + SEEN_LATE_S) + stop.from_mps * stop.from_mps / (2.0 * bounds.decel_mps2)
}

fn ms_of(seconds: f64) -> u32 {
    whole_ms(Duration::from_secs_f64(seconds.clamp(0.0, 1e6)))
}

/// Positions of an arm's joints; none unless every one is measured.
fn positions(arm: &Arm, look: &Look) -> Option<Box<[f64]>> {
    let measured = look.joints.as_ref()?;
    let position = |spec: &JointSpec| measured.of(&spec.name).filter(|position| position.is_finite());
    arm.joints.iter().map(position).collect()
}

const fn travel(spec: &JointSpec) -> f64 {
    match spec.motion {
        JointMotion::Turning => TRAVEL_RAD,
        JointMotion::Sliding => TRAVEL_M,
    }
}

const fn speed(spec: &JointSpec) -> f64 {
    let step = match spec.motion {
        JointMotion::Turning => SPEED_RADPS,
        JointMotion::Sliding => SPEED_MPS,
    };
    step.min(spec.velocity)
}

/// Way of a joint to the side where it has more room.
fn way_with_room(spec: &JointSpec, at: f64) -> f64 {
    let [low, high] = spec.position;
    let (up, down) = (high - at, at - low);
    let way = travel(spec).min(up.max(down) / 2.0).max(0.0);
    if up >= down { way } else { -way }
}

/// The goal that moves one joint and keeps the others.
fn goal(arm: &Arm, joint: usize, from: &[f64], way: f64) -> StepWish {
    let mut positions = from.to_vec();
    positions[joint] += way;
    let names = arm.joints.iter().map(|spec| spec.name.clone()).collect();
    StepWish::Joints(JointGoal { actuator: arm.actuator.clone(), names, positions, speed: speed(&arm.joints[joint]) })
}

/// True if another joint of the arm has moved.
fn strays(arm: &Arm, joint: usize, ways: &[f64]) -> bool {
    let others = arm.joints.iter().zip(ways).enumerate().filter(|(place, _)| *place != joint);
    others.into_iter().any(|(_, (spec, way))| way.abs() > STRAYS * travel(spec))
}

fn joint_result(arm: &Arm, spec: &JointSpec) -> JointResult {
    JointResult {
        actuator: arm.actuator.clone(),
        joint: spec.name.clone(),
        outcome: StepOutcome::Passed,
        commanded: 0.0,
        measured: 0.0,
        time_ms: None,
        time_ms_max: None,
    }
}

/// True if a command is what was wished for, or slower.
fn is_wished(wish: &StepWish, command: &Command) -> bool {
    match (wish, &command.motion) {
        (StepWish::Velocity(step), Motion::Velocity { linear_mps, angular_radps }) => {
            step.covers(&StepMotion { linear_mps: *linear_mps, angular_radps: *angular_radps })
        }
        (StepWish::Joints(goal), Motion::Joints { names, positions_rad, speed_radps }) => {
            let is_there = |(one, other): (&f64, &f64)| (one - other).abs() <= SAME;
            goal.actuator == command.actuator
                && goal.names.iter().eq(names.iter())
                && goal.positions.len() == positions_rad.len()
                && goal.positions.iter().zip(positions_rad).all(is_there)
                && speed_radps.is_some_and(|speed| speed <= goal.speed + SAME)
        }
        (StepWish::Velocity(_) | StepWish::Joints(_), _) => false,
    }
}

#[cfg(test)]
mod tests;
