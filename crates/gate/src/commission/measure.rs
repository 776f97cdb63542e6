//! The measurement of one step: looks at the robot come in, and what the gate does next comes out. Pure.

use std::time::Duration;

use robot::{
    CommissioningStep, Instant, Motion, Now, RunningStep, SpeedPoint, StepMotion, StepOutcome, StepPhase, StepResult,
    StopMeans,
};
use safety::JointPositions;

use super::Part;

/// A button that was not heard of for this long was let go.
pub const LET_GO_AFTER: Duration = Duration::from_millis(500);
/// Time in which a velocity is in force.
pub const MOVE_FOR: Duration = Duration::from_secs(1);
/// A robot that has not been brought to the speed of the step by then is given up.
pub const MOVE_WITHIN: Duration = Duration::from_secs(15);
/// A robot that does not stand by then has no time to standstill.
pub const STAND_WITHIN: Duration = Duration::from_secs(5);
/// Time for a person to press the hardware stop.
const PRESS_WITHIN: Duration = Duration::from_secs(120);
/// Period of points of the speed over time.
const POINT_EVERY: Duration = Duration::from_millis(50);
/// Points that are kept: ten seconds of them.
const POINTS_MAX: usize = 200;
/// A component that covers less than this share of the commanded way does not follow it.
pub const FOLLOWS: f64 = 0.3;
/// Another component may cover this share of it.
pub const STRAYS: f64 = 0.5;
/// A robot that has this share of the commanded speed has been brought to it.
pub const UP_TO_SPEED: f64 = 0.5;

/// The robot at one moment.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// Its measured position, metres, default frame.
    pub position_m: Option<[f64; 3]>,
    /// Its measured velocity, metres and radians per second.
    pub velocity: Option<[f64; 6]>,
    /// Its measured speed, metres per second; 0 while nobody knows.
    pub speed_mps: f64,
    /// Its measured joints.
    pub joints: Option<JointPositions>,
    /// It is measured to stand.
    pub stands: bool,
    /// Somebody else has control, or its own stop is pressed.
    pub local: bool,
    /// Another program moves it: that is control too, and no stop that was pressed.
    pub is_foreign: bool,
    /// A motion of the step is in force.
    pub moves: bool,
    /// It has answered the means of stopping that is tried.
    pub is_answered: bool,
}

/// The measures that a result is held against.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Time before deceleration begins, by the manifest, seconds.
    pub reaction_s: f64,
    /// Deceleration by the manifest, metres per second squared.
    pub decel_mps2: f64,
    /// Largest error of a position, metres.
    pub localisation_error_m: f64,
    /// Time after which a robot counts as one that does not stop in silence.
    pub silence_max: Duration,
}

/// A step that is under way.
#[derive(Debug)]
pub struct Run {
    step: CommissioningStep,
    motion: StepMotion,
    person: String,
    phase: Phase,
    began: Instant,
    renewed: Instant,
    looked: Instant,
    from_m: Option<[f64; 3]>,
    /// Speed of the newest velocity, metres or radians per second: the step's own, or a slower one.
    asked: f64,
    /// Way that was commanded along the axis, metres or radians.
    commanded: f64,
    /// Way of each component since then.
    covered: [f64; 6],
    /// Way since the stop, metres.
    stopping_m: f64,
    speeds: Vec<SpeedPoint>,
}

/// A hardware stop is awaited once nobody has been in control, `released`: one that was pressed before looks alike.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Moving { in_force: Duration },
    Stopping { since: Instant, from: f64 },
    Silent { since: Instant },
    Pressing { since: Instant, released: bool },
}

/// The gate's next act.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// Nothing.
    GoOn,
    /// Hold the robot, and go on looking.
    Hold,
    /// Stop the robot by this means alone, and go on looking: no velocity is sent any more, and no other means.
    Try(StopMeans),
    /// Send nothing at all, not even a zero, and go on looking.
    FallSilent,
    /// Hold the robot; the step is over, broken off if it has no result.
    End(Option<Box<StepResult>>),
}

impl Run {
    /// A step that begins now. Without a motion it waits for the hardware stop; `is_free` says that nobody is in
    /// control yet, so that one that is pressed at once counts.
    pub fn begin(
        step: CommissioningStep,
        motion: Option<StepMotion>,
        person: String,
        now: Instant,
        is_free: bool,
    ) -> Self {
        let (phase, motion) = match motion {
            Some(motion) => (Phase::Moving { in_force: Duration::ZERO }, motion),
            None => {
                let nothing = StepMotion { linear_mps: [0.0; 3], angular_radps: [0.0; 3] };
                (Phase::Pressing { since: now, released: is_free }, nothing)
            }
        };
        Self {
            step,
            asked: motion.axis().1,
            motion,
            person,
            phase,
            began: now,
            renewed: now,
            looked: now,
            from_m: None,
            commanded: 0.0,
            covered: [0.0; 6],
            stopping_m: 0.0,
            speeds: Vec::new(),
        }
    }

    /// The step.
    pub const fn step(&self) -> CommissioningStep {
        self.step
    }

    /// The place of a motion in it: a velocity that is its own, or slower.
    pub fn part_of(&mut self, motion: &Motion) -> Part {
        let Motion::Velocity { linear_mps, angular_radps } = motion else { return Part::None };
        let asked = StepMotion { linear_mps: *linear_mps, angular_radps: *angular_radps };
        match self.phase {
            _ if !self.motion.covers(&asked) => Part::None,
            Phase::Moving { .. } => {
                self.asked = asked.components()[self.motion.axis().0];
                Part::Motion
            }
            Phase::Stopping { .. } | Phase::Silent { .. } | Phase::Pressing { .. } => Part::Late,
        }
    }

    /// Its part.
    pub const fn phase(&self) -> StepPhase {
        match self.phase {
            Phase::Moving { .. } => StepPhase::Moving,
            Phase::Stopping { .. } => StepPhase::Stopping,
            Phase::Silent { .. } => StepPhase::Silent,
            Phase::Pressing { .. } => StepPhase::Pressing,
        }
    }

    /// The button is still held.
    pub const fn renew(&mut self, now: Instant) {
        self.renewed = now;
    }

    /// The same for people.
    pub fn shown(&self) -> RunningStep {
        RunningStep {
            step: self.step,
            phase: self.phase(),
            speeds: self.speeds.clone(),
            wants: None,
            joints: Vec::new(),
            means: Vec::new(),
        }
    }

    /// Takes in a look at the robot.
    pub fn look(&mut self, look: &Look, bounds: &Bounds, now: Now) -> Next {
        let Now { station: now, wall_ms } = now;
        let passed = now.since(std::mem::replace(&mut self.looked, now));
        // One that is much slower shows nothing, and a robot that follows it would pass for one that does not move.
        let is_moved = look.moves && self.asked >= UP_TO_SPEED * self.motion.axis().1;
        let waits = matches!(self.phase, Phase::Moving { in_force } if in_force.is_zero());
        self.from_m = self.from_m.filter(|_| !waits).or(look.position_m);
        self.note(look, is_moved, passed, now);
        let let_go = now.since(self.renewed) > LET_GO_AFTER;
        match self.phase {
            Phase::Moving { in_force } => {
                // Counted only while a velocity is in force: the station may be late with the first one.
                let in_force = if is_moved { in_force + passed } else { in_force };
                self.phase = Phase::Moving { in_force };
                // A robot that does not tell how it moves would pass for one that does not move.
                let is_unknown = look.moves && look.velocity.is_none();
                if look.local || let_go || is_unknown || now.since(self.began) > MOVE_WITHIN {
                    return Next::End(None);
                }
                if in_force < MOVE_FOR { Next::GoOn } else { self.moved(look, bounds, Now { station: now, wall_ms }) }
            }
            // Letting go ends nothing here: the robot is being stopped already, and the measurement goes on.
            Phase::Stopping { since, from } => {
                // A robot that never comes to stand must not keep the step waiting.
                let is_over = look.stands || now.since(since) > STAND_WITHIN;
                if is_over { self.end(self.stopped(look, bounds, from, now.since(since)), wall_ms) } else { Next::GoOn }
            }
            // The end of the step holds the robot, so that silence lasts no longer than the button is held.
            Phase::Silent { .. } if look.local || let_go => Next::End(None),
            Phase::Silent { since } if look.stands => {
                let time_ms = Some(whole_ms(now.since(since)));
                self.end(StepResult { time_ms, ..self.result(StepOutcome::Passed) }, wall_ms)
            }
            Phase::Silent { since } if now.since(since) > bounds.silence_max => {
                self.end(self.result(StepOutcome::KeepsMoving), wall_ms)
            }
            Phase::Silent { .. } => Next::GoOn,
            Phase::Pressing { since, released } => match (look.local && !look.is_foreign, released) {
                (true, true) => self.end(self.result(StepOutcome::Passed), wall_ms),
                (true, false) => Next::End(None),
                (false, _) if now.since(since) > PRESS_WITHIN => Next::End(None),
                (false, _) => {
                    self.phase = Phase::Pressing { since, released: released || !look.local };
                    Next::GoOn
                }
            },
        }
    }

    /// The button was let go: whatever still moves is broken off, and a hardware stop that was pressed was not seen.
    pub fn let_go(&self, wall_ms: i64) -> Next {
        match self.phase {
            Phase::Moving { .. } | Phase::Silent { .. } => Next::End(None),
            Phase::Stopping { .. } => Next::GoOn,
            Phase::Pressing { .. } => self.end(self.result(StepOutcome::NotVisible), wall_ms),
        }
    }

    /// The adapter refuses the velocity of an axis, because the robot cannot go that way: it has no such axis.
    pub fn cannot(&self, wall_ms: i64) -> Next {
        match self.phase {
            Phase::Moving { in_force } if in_force.is_zero() && self.step.is_axis() => {
                self.end(self.result(StepOutcome::NoSuchAxis), wall_ms)
            }
            Phase::Moving { .. } | Phase::Stopping { .. } | Phase::Silent { .. } | Phase::Pressing { .. } => Next::GoOn,
        }
    }

    /// The velocity was in force for its whole time.
    fn moved(&mut self, look: &Look, bounds: &Bounds, now: Now) -> Next {
        if self.step.is_axis() {
            return self.end(self.result(self.direction(look, bounds)), now.wall_ms);
        }
        let (axis, commanded) = self.motion.axis();
        let speed = look.velocity.map_or(0.0, |velocity| velocity[axis]);
        // A robot that has hardly begun to move shows nothing about its stop.
        if look.stands || speed < UP_TO_SPEED * commanded {
            return Next::GoOn;
        }
        if self.step == CommissioningStep::Silence {
            self.phase = Phase::Silent { since: now.station };
            return Next::FallSilent;
        }
        // A measured speed that lags would hold a robot at full speed against the stop of a slower one.
        self.phase = Phase::Stopping { since: now.station, from: speed.max(commanded) };
        Next::Hold
    }

    /// The direction of the motion, by the measured velocity, and by the positions unless these are too uncertain.
    fn direction(&self, look: &Look, bounds: &Bounds) -> StepOutcome {
        let (axis, _) = self.motion.axis();
        let strays = |(component, way): (usize, &f64)| component != axis && way.abs() > STRAYS * self.commanded;
        if self.covered.iter().enumerate().any(strays) || self.covered[axis] < -FOLLOWS * self.commanded {
            return StepOutcome::WrongWay;
        }
        let shown_m = self.from_m.zip(look.position_m).map(|(from, to)| axis_way(axis, from, to));
        // Both positions may be wrong by the whole error, in opposite directions.
        let uncertain_m = 2.0 * bounds.localisation_error_m;
        let wanted = |share: f64| share * self.commanded;
        let follows = self.covered[axis] > wanted(FOLLOWS);
        let contradicts = |way: Option<f64>| {
            let by = |way: f64| {
                if follows { way < wanted(FOLLOWS) - uncertain_m } else { way.abs() > wanted(FOLLOWS) + uncertain_m }
            };
            way.is_some_and(by)
        };
        match (follows, contradicts(shown_m.flatten())) {
            (_, true) => StepOutcome::WrongWay,
            (true, false) => StepOutcome::Passed,
            (false, false) => StepOutcome::NoSuchAxis,
        }
    }

    /// The stop against what the manifest says of a stop from this speed.
    fn stopped(&self, look: &Look, bounds: &Bounds, from: f64, took: Duration) -> StepResult {
        // Full speed during the reaction time, then even braking: v/a of time and v²/2a of way.
        let time_s_max = bounds.reaction_s + from / bounds.decel_mps2;
        let way_m_max = from * bounds.reaction_s + from * from / (2.0 * bounds.decel_mps2);
        let as_said = look.stands && took.as_secs_f64() <= time_s_max && self.stopping_m <= way_m_max;
        StepResult {
            time_ms: look.stands.then(|| whole_ms(took)),
            distance_m: look.stands.then_some(self.stopping_m),
            time_ms_max: Some(whole_ms(Duration::from_secs_f64(time_s_max.clamp(0.0, 1e6)))),
            distance_m_max: Some(way_m_max),
            ..self.result(if as_said { StepOutcome::Passed } else { StepOutcome::StopsWorse })
        }
    }

    fn note(&mut self, look: &Look, is_moved: bool, passed: Duration, now: Instant) {
        let (axis, _) = self.motion.axis();
        let passed_s = passed.as_secs_f64();
        if is_moved {
            self.commanded += self.asked * passed_s;
        }
        let Some(velocity) = look.velocity else { return };
        // In seconds of waiting the error of a sensor alone would make the way of an axis, or hide its sign.
        if is_moved {
            self.covered.iter_mut().zip(velocity).for_each(|(way, speed)| *way += speed * passed_s);
        }
        if matches!(self.phase, Phase::Stopping { .. }) {
            self.stopping_m += velocity[..3].iter().map(|part| part * part).sum::<f64>().sqrt() * passed_s;
        }
        let t_ms = whole_ms(now.since(self.began));
        let since_ms = |last: &SpeedPoint| u128::from(t_ms.saturating_sub(last.t_ms));
        let is_due = self.speeds.last().is_none_or(|last| since_ms(last) >= POINT_EVERY.as_millis());
        // The record with its points is a file of bounded size.
        if is_due && self.speeds.len() < POINTS_MAX {
            let commanded = if look.moves { self.asked } else { 0.0 };
            self.speeds.push(SpeedPoint { t_ms, commanded, measured: velocity[axis] });
        }
    }

    fn result(&self, outcome: StepOutcome) -> StepResult {
        StepResult {
            step: self.step,
            outcome,
            time_ms: None,
            distance_m: None,
            time_ms_max: None,
            distance_m_max: None,
            speeds: self.speeds.clone(),
            joints: Vec::new(),
            means: Vec::new(),
            person: self.person.clone(),
            at_ms: 0,
        }
    }

    fn end(&self, result: StepResult, at_ms: i64) -> Next {
        Next::End(Some(Box::new(StepResult { at_ms, ..result })))
    }
}

/// Way along an axis of space between two positions, metres; positions tell nothing of a turn.
fn axis_way(axis: usize, from: [f64; 3], to: [f64; 3]) -> Option<f64> {
    (axis < 3).then(|| to[axis] - from[axis])
}

/// Whole milliseconds.
pub fn whole_ms(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
