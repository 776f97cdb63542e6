//! The measurement of a step of several rounds: each joint alone, or each means of stopping alone. Looks at the robot
//! come in, and the gate's next act comes out. Pure.
//!
//! Each round begins with a robot that stands, waits for the motion that it wishes for, ends that motion by one
//! means, and measures. A round that fails ends the step.

mod plan;
mod tried;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use robot::{
    Command, CommissioningStep, Instant, JointResult, MeansResult, Now, RunningStep, SpeedPoint, StepMotion,
    StepOutcome, StepPhase, StepResult, StepWish,
};

use super::Part;
use super::measure::{
    Bounds, FOLLOWS, LET_GO_AFTER, Look, MOVE_FOR, MOVE_WITHIN, Next, STAND_WITHIN, UP_TO_SPEED, whole_ms,
};
pub use plan::Plan;
use plan::{Arm, Moves, Round, goal, is_wished, joint_result, positions, strays, travel, way_with_room};

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
/// Period of points of the speed over time, and the points that are kept.
const POINT_EVERY: Duration = Duration::from_millis(100);
const POINTS_MAX: usize = 250;

/// Everything that was found so far. A step that is begun again goes on after it.
#[derive(Debug, Clone, Default)]
pub struct Found {
    joints: Vec<JointResult>,
    means: Vec<MeansResult>,
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

/// The beginning of a series, which may have been begun before.
#[derive(Debug)]
pub struct Begin {
    /// The results of the rounds before it.
    pub found: Found,
    /// The person that carries it out.
    pub person: String,
    pub now: Instant,
}

impl Series {
    /// The joints that were not moved yet.
    pub fn of_joints(plan: &Arc<Plan>, begin: Begin) -> Self {
        let is_new = |round: &Round| match round.moves {
            Moves::Joint(arm, joint) => plan.joint(arm, joint).is_some_and(|(arm, spec)| {
                !begin.found.joints.iter().any(|known| known.actuator == arm.actuator && known.joint == spec.name)
            }),
            Moves::Velocity(_) | Moves::Nothing => true,
        };
        let rounds = plan.of_joints().filter(is_new).collect();
        Self::begin(CommissioningStep::Joints, plan, rounds, begin)
    }

    /// The means of stopping that were not tried yet; a base is moved at `velocity`, which ends when a means is
    /// tried. One that stops by itself after the time `by_itself` has to stop earlier, or else silence has done it.
    pub fn of_stops(plan: &Arc<Plan>, velocity: Option<StepMotion>, by_itself: Option<Duration>, begin: Begin) -> Self {
        let is_new = |round: &Round| !begin.found.means.iter().any(|known| Some(&known.means) == round.means.as_ref());
        let rounds = plan.of_stops(velocity).filter(is_new).collect();
        Self { by_itself, ..Self::begin(CommissioningStep::EachStop, plan, rounds, begin) }
    }

    fn begin(step: CommissioningStep, plan: &Arc<Plan>, rounds: VecDeque<Round>, begin: Begin) -> Self {
        let Begin { found, person, now } = begin;
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
        // Before everything else: whoever lets go, or takes the robot over, ends the step in any of its parts.
        let is_left = station.since(self.renewed) > LET_GO_AFTER || station.since(self.since) > ROUND_WITHIN;
        let Some(round) = self.rounds.front().cloned().filter(|_| !look.local && !is_left) else {
            // A step that was broken off after its last round has nothing left to do.
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
        // The way of the motion before would be counted as that of this round.
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
                // A stop from a speed that was never reached would prove nothing.
                let is_up = self.track.in_force >= MOVE_FOR && !look.stands && speed >= UP_TO_SPEED * commanded;
                if is_up && look.moves { self.stop(round, look, now.station) } else { Next::GoOn }
            }
            Moves::Joint(arm, joint) => {
                let plan = Arc::clone(&self.plan);
                let Some((arm, spec)) = plan.joint(arm, joint) else { return Next::End(None) };
                let Some(ways) = self.ways(arm, look) else { return Next::GoOn };
                let covered = ways[joint] * self.track.commanded.signum();
                let waits = self.begun.map(|begun| now.station.since(begun));
                let has_ended = waits.is_some_and(|waits| !look.moves && waits > IN_FORCE_WITHIN);
                let is_given_up = has_ended || waits.is_some_and(|waits| waits > MOVE_WITHIN);
                let wanted = FOLLOWS * self.track.commanded.abs();
                let outcome = if strays(arm, joint, &ways) || covered < -wanted {
                    StepOutcome::WrongWay
                } else if has_ended && round.means.is_some() {
                    // A person may have to release it from the means before this one.
                    self.earlier.extend(self.wish.take());
                    self.phase = Phase::Waiting;
                    return Next::GoOn;
                } else if is_given_up {
                    StepOutcome::DoesNotMove
                } else if covered >= wanted && look.moves && !look.stands {
                    // One that is not seen to move would be seen to stand at once, whatever the stop did.
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
                (spec.map_or(0.0, |(arm, spec)| spec.reach_m * arm.speed(spec)), covered)
            }
        };
        // The commanded speed counts where the measured one lags behind it.
        let stop = Stop { since: now, from_mps: look.speed_mps.max(commanded_mps), covered };
        // A command for this wish may still be on its way: it comes late, and is no foreign one.
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
        // A joint that is at its goal has arrived there, whether or not the hold worked.
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
        // Each round has its own minute, so that a long step is not given up for its length.
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
        let gap_ms = self.speeds.last().map_or(t_ms, |last| t_ms.saturating_sub(last.t_ms));
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
                let speed = arm.speed(spec) * self.track.commanded.signum();
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

#[cfg(test)]
mod tests;
