//! The second line: looks at every state sample while a robot moves, whoever moves it, and says which causes hold.
//! A silent sensor is a cause, never an all-clear.

mod trail;

use std::time::Duration;

use glam::DVec3;
use robot::{ActuatorKind, Instant, StateKind, StateSource};

use crate::geometry::{Pieces, Track};
use crate::judge::{region_inflated, usable_position};
use crate::machine::{CauseSet, SafetyCause};
use crate::speeds::GATE_AGE_MS_MAX;
use crate::{ConstraintKind, Fresh, Heard, JointLimits, JointPositions, Limits, Measured, MovingTransform, Pose};
use trail::Trail;

/// A pose that jumps farther than this has left the path of any body, metres.
const TELEPORT_M: f64 = 0.25;
/// Faster than this many times the robot's own limit no body moves.
const TELEPORT_SPEEDS: f64 = 3.0;
/// Added to the time a robot needs to stop before its motion counts as unexpected: two samples and an answer.
const STILL_SLACK: Duration = Duration::from_millis(500);
/// How far two computations of one speed or force can lie apart.
const ROUNDING: f64 = 1e-6;
/// A pose is compared with the one before for so long, milliseconds: after a minute a robot can be anywhere.
const COMPARED_WITHIN_MS: u64 = 60_000;

/// Which of a robot's two pose sources said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoseSource {
    /// The one commands are judged by.
    First,
    /// The one it is compared with.
    Second,
}

/// One measurement as it arrives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StateSample<'a> {
    /// A pose of one of the sources, and the moving transforms that its frame may need.
    Pose(PoseSource, &'a Measured<Pose>, &'a [Measured<MovingTransform>]),
    /// A velocity in the robot's default frame, metres per second.
    Velocity(&'a Measured<[f64; 3]>),
    /// The speed that the robot's gate measures, metres per second.
    GateSpeed(&'a Measured<f64>),
    /// A force, newtons.
    Force(&'a Measured<f64>),
    /// The joints.
    Joints(&'a Measured<JointPositions>),
}

/// What the station wants of the robot at the moment of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expected {
    /// Since when a command is being carried out that moves it.
    pub commanded_since: Option<Instant>,
    /// Since when it ought to stand still.
    pub still_since: Option<Instant>,
}

/// What earlier samples of a robot said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    first: Fresh<Seen>,
    second: Fresh<Seen>,
    trail: Trail,
    velocity_mps: Fresh<DVec3>,
    gate_mps: Fresh<f64>,
    /// The velocity that the newest poses show.
    shown_mps: Fresh<DVec3>,
    moving: Witnesses,
    speeding: Witnesses,
    /// It was outside its limits at the newest pose.
    breaching: bool,
    /// A joint was beyond its limits when they were last measured.
    joints_breaching: bool,
    found: CauseSet,
}

/// A pose in the default frame.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    position: DVec3,
    unchanged_since: Instant,
}

/// Which measurements say that something is so; one that does not is no answer to one that does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Witnesses {
    velocity: bool,
    gate: bool,
    poses: bool,
}

impl Witnesses {
    const fn any(self) -> bool {
        self.velocity || self.gate || self.poses
    }
}

impl History {
    /// Takes a sample in; returns the causes whose condition holds as far as samples tell.
    pub fn observe(&mut self, limits: &Limits, sample: StateSample<'_>, expected: Expected, now: Instant) -> CauseSet {
        match sample {
            StateSample::Pose(source, pose, transforms) => {
                let position = limits.default_position(&Fresh::from(pose.clone()), transforms, now);
                // A pose that cannot be used is missing: it goes stale, and that is a cause of its own.
                position.into_iter().for_each(|position| {
                    self.observe_pose(limits, source, (position, pose.observed), expected, now);
                });
            }
            StateSample::Velocity(velocity) => self.observe_velocity(limits, velocity, expected, now),
            StateSample::GateSpeed(speed) => {
                self.gate_mps = speed.clone().into();
                self.moving.gate = limits.is_overdue(expected, speed.observed) && limits.moves(speed.value);
                self.speeding.gate = limits.speeds(speed.value);
                self.note_motion();
            }
            StateSample::Force(force) => {
                let most = limits.measured_max(|kind| match kind {
                    ConstraintKind::MaxForce(newtons) => Some(*newtons),
                    ConstraintKind::Workspace { .. }
                    | ConstraintKind::ForbiddenZone { .. }
                    | ConstraintKind::KeepOutBox { .. }
                    | ConstraintKind::JointLimits(_)
                    | ConstraintKind::MaxVelocity(_)
                    | ConstraintKind::MaxAcceleration(_)
                    | ConstraintKind::GoalJump(_)
                    | ConstraintKind::StoppingDistance(_)
                    | ConstraintKind::ApproachSpeed { .. }
                    | ConstraintKind::CommandRate { .. } => None,
                });
                self.found.set(SafetyCause::OverForce, !(force.value.abs() <= most + ROUNDING));
            }
            StateSample::Joints(joints) => self.observe_joints(limits, &joints.value, now),
        }
        self.found
    }

    /// A joint beyond its limits. As with places, standing still there counts as clear.
    fn observe_joints(&mut self, limits: &Limits, joints: &JointPositions, now: Instant) {
        let beyond = limits.constraints().iter().any(|constraint| match &constraint.kind {
            ConstraintKind::JointLimits(JointLimits { joint, position: [low, high], .. }) => {
                joints.of(joint).is_some_and(|position| !(low - ROUNDING <= position && position <= high + ROUNDING))
            }
            ConstraintKind::Workspace { .. } | ConstraintKind::ForbiddenZone { .. } => false,
            ConstraintKind::KeepOutBox { .. } | ConstraintKind::MaxVelocity(_) | ConstraintKind::MaxForce(_) => false,
            ConstraintKind::MaxAcceleration(_) | ConstraintKind::GoalJump(_) => false,
            ConstraintKind::StoppingDistance(_) | ConstraintKind::ApproachSpeed { .. } => false,
            ConstraintKind::CommandRate { .. } => false,
        });
        let moving = self.is_moving(limits, now);
        let breach = beyond && (moving || !self.joints_breaching);
        self.joints_breaching = beyond;
        if breach || !self.breaching {
            self.found.set(SafetyCause::Breach, breach);
        }
    }

    fn observe_pose(
        &mut self,
        limits: &Limits,
        source: PoseSource,
        (position, observed): (DVec3, Instant),
        expected: Expected,
        now: Instant,
    ) {
        let known = match source {
            PoseSource::First => &mut self.first,
            PoseSource::Second => &mut self.second,
        };
        // Samples overtake one another; where it was before says nothing about where it is.
        if known.observed().is_some_and(|newest| newest > observed) {
            return;
        }
        let before = known.measured(observed, COMPARED_WITHIN_MS).ok().cloned();
        let same = before.as_ref().map(|before| before.value).filter(|before| before.position == position);
        let seen = Seen { position, unchanged_since: same.map_or(observed, |before| before.unchanged_since) };
        *known = Fresh::at(seen, observed);
        if source == PoseSource::First {
            let frozen = expected
                .commanded_since
                .is_some_and(|since| observed.since(seen.unchanged_since.max(since)) >= limits.numbers.frozen_after);
            self.found.set(SafetyCause::SensorFrozen, frozen);
            let far = before.is_some_and(|before| jumped(limits, &before, (position, observed)));
            self.found.set(SafetyCause::PoseImplausible, far);
            self.observe_motion(limits, (position, observed), expected);
            self.observe_place(limits, position, now);
        }
        self.found.set(SafetyCause::SensorDisagreement, self.disagree(limits, now));
    }

    /// Takes in the motion that a position shows. It shows later than in a velocity, and needs no sensor of its own.
    fn observe_motion(&mut self, limits: &Limits, (position, observed): (DVec3, Instant), expected: Expected) {
        let error_m = limits.manifest.body.localisation_error_m;
        let shown_mps = self.trail.note(position, observed, error_m);
        self.shown_mps = shown_mps.map_or(Fresh::NEVER, |shown_mps| Fresh::at(shown_mps, observed));
        let still_since = expected.still_since.filter(|_| limits.is_overdue(expected, observed));
        self.moving.poses = self.trail.has_stirred(position, still_since, error_m);
        // Where a velocity is measured the poses are no better.
        let alone = limits.manifest.state_source(StateKind::Velocity).is_none()
            && self.gate_mps.get(observed, GATE_AGE_MS_MAX).is_err();
        self.speeding.poses = alone && shown_mps.is_some_and(|shown_mps| limits.speeds(shown_mps.length()));
        self.note_motion();
    }

    fn note_motion(&mut self) {
        self.found.set(SafetyCause::UnexpectedMotion, self.moving.any());
        self.found.set(SafetyCause::OverSpeed, self.speeding.any());
    }

    /// The speed that the newest positions show, metres per second, and when it was true.
    #[must_use]
    pub fn shown_speed_mps(&self, now: Instant) -> Fresh<f64> {
        let shown = self.shown_mps.measured(now, COMPARED_WITHIN_MS).ok();
        shown.map_or(Fresh::NEVER, |shown| Fresh::at(shown.value.length(), shown.observed))
    }

    /// Outside the limits, or about to be. Standing still outside counts as clear: nothing gets worse.
    fn observe_place(&mut self, limits: &Limits, position: DVec3, now: Instant) {
        let moving = self.is_moving(limits, now);
        let outside = violated(limits, position, position);
        let breach = outside && (moving || !self.breaching);
        if breach || !self.joints_breaching {
            self.found.set(SafetyCause::Breach, breach);
        }
        self.breaching = outside;
        let ahead = self.shown_velocity(limits, now).is_some_and(|velocity_mps| {
            let stop = &limits.manifest.stop;
            let speed_mps = velocity_mps.length();
            let stopping_m = speed_mps * stop.reaction_s + speed_mps * speed_mps / (2.0 * stop.decel_mps2);
            violated(limits, position, position + velocity_mps.normalize_or_zero() * stopping_m)
        });
        self.found.set(SafetyCause::BreachAhead, ahead && !outside && moving);
    }

    fn observe_velocity(&mut self, limits: &Limits, velocity: &Measured<[f64; 3]>, expected: Expected, now: Instant) {
        let velocity_mps = DVec3::from_array(velocity.value);
        let speed_mps = velocity_mps.length();
        self.velocity_mps = Fresh::at(velocity_mps, velocity.observed);
        self.speeding.velocity = limits.speeds(speed_mps);
        self.moving.velocity = limits.is_overdue(expected, velocity.observed) && limits.moves(speed_mps);
        self.note_motion();
        if !self.is_moving(limits, now) {
            self.found.set(SafetyCause::Breach, false);
        }
    }

    /// What the samples so far tell of.
    #[must_use]
    pub fn found(&self) -> CauseSet {
        self.found
    }

    /// Causes that come by time alone.
    #[must_use]
    pub fn silent(&self, limits: &Limits, heard: &Heard, now: Instant) -> CauseSet {
        let silent: CauseSet = limits.silent(heard, now).map(|silent| silent.cause()).collect();
        // What cannot be used, because nobody knows its frame, is as good as silent.
        let places = [(&self.first, SafetyCause::PoseStale), (&self.second, SafetyCause::SourceStale)];
        let unusable = limits.pose_sources().zip(places);
        let unusable = unusable.filter(|(source, (seen, _))| seen.get(now, source.max_age_ms).is_err());
        silent.union(unusable.map(|(_, (_, cause))| cause).collect())
    }

    fn velocity(&self, limits: &Limits, now: Instant) -> Option<DVec3> {
        let source = limits.manifest.state_source(StateKind::Velocity)?;
        self.velocity_mps.get(now, source.max_age_ms).ok().copied()
    }

    /// The velocity, or what the poses show of it.
    fn shown_velocity(&self, limits: &Limits, now: Instant) -> Option<DVec3> {
        let shown = || self.shown_mps.get(now, limits.pose_age_ms_max()).ok().copied();
        self.velocity(limits, now).or_else(shown)
    }

    /// Unknown counts as moving, and so does what only one of two measurements says.
    fn is_moving(&self, limits: &Limits, now: Instant) -> bool {
        let by_gate = self.gate_mps.get(now, GATE_AGE_MS_MAX).is_ok_and(|speed_mps| limits.moves(*speed_mps));
        by_gate || self.velocity(limits, now).is_none_or(|velocity_mps| limits.moves(velocity_mps.length()))
    }

    /// True if the two sources of the pose lie farther apart than they may. A silent one is a cause of its own.
    fn disagree(&self, limits: &Limits, now: Instant) -> bool {
        let mut sources = limits.pose_sources();
        let (Some(one), Some(other)) = (sources.next(), sources.next()) else { return false };
        let place =
            |source: &StateSource, seen: &Fresh<Seen>| seen.get(now, source.max_age_ms).ok().map(|seen| seen.position);
        let (Some(first), Some(second)) = (place(one, &self.first), place(other, &self.second)) else { return false };
        let most_m = [one, other].into_iter().filter_map(|source| source.disagreement_m_max);
        !(first.distance(second) <= most_m.fold(f64::INFINITY, f64::min))
    }
}

fn jumped(limits: &Limits, before: &Measured<Seen>, (position, observed): (DVec3, Instant)) -> bool {
    let distance_m = before.value.position.distance(position);
    let most_m = TELEPORT_SPEEDS * limits.manifest.limits.speed_mps_max * observed.since(before.observed).as_secs_f64();
    !(distance_m <= TELEPORT_M) && !(distance_m <= most_m)
}

/// Whether the way between two places of the default frame leaves what a moving actuator is bound to.
fn violated(limits: &Limits, from: DVec3, to: DVec3) -> bool {
    let home = limits.frames.default_index();
    let body = &limits.manifest.body;
    // The margin belongs to planning: what is measured inside it has not broken a limit yet.
    let inflation_m = body.bounding_radius_m + body.localisation_error_m;
    let points = [to.to_array()];
    let track = Track { start: from, points: &points, pieces: Pieces::Straight };
    limits.moving_constraints().any(|(kind, frame)| {
        region_inflated(kind, inflation_m).is_some_and(|region| {
            let worst = track.worst(region, |point| limits.frames.convert(point, home, frame));
            !region.holds(worst.clearance)
        })
    })
}

impl Limits {
    /// What binds the point that poses are about.
    fn moving_constraints(&self) -> impl Iterator<Item = (&ConstraintKind, crate::frames::FrameIndex)> {
        let moves = |kind: ActuatorKind| matches!(kind, ActuatorKind::Tool | ActuatorKind::Base | ActuatorKind::Joints);
        let moving = self.manifest.actuators.iter().filter(move |actuator| moves(actuator.kind));
        moving.flat_map(|actuator| self.binding(&actuator.id)).map(|(constraint, frame)| (&constraint.kind, frame))
    }

    /// The least bound of the kind that `bound` picks; infinite if there is none.
    fn measured_max(&self, bound: impl Fn(&ConstraintKind) -> Option<f64>) -> f64 {
        self.moving_constraints().filter_map(|(kind, _)| bound(kind)).fold(f64::INFINITY, f64::min)
    }

    /// The sources of the pose: the one commands are judged by, then those it is compared with.
    fn pose_sources(&self) -> impl Iterator<Item = &StateSource> {
        self.manifest.state.iter().filter(|source| source.kind == StateKind::Pose)
    }

    /// True if a measured speed is more than that of a robot at rest.
    fn moves(&self, speed_mps: f64) -> bool {
        !(speed_mps.abs() <= self.manifest.stop.standstill_mps)
    }

    /// True if a measured speed is over a limit.
    fn speeds(&self, speed_mps: f64) -> bool {
        let most = self.measured_max(|kind| match kind {
            ConstraintKind::MaxVelocity(mps) => Some(*mps),
            ConstraintKind::Workspace { .. }
            | ConstraintKind::ForbiddenZone { .. }
            | ConstraintKind::KeepOutBox { .. }
            | ConstraintKind::JointLimits(_)
            | ConstraintKind::MaxForce(_)
            | ConstraintKind::MaxAcceleration(_)
            | ConstraintKind::GoalJump(_)
            | ConstraintKind::StoppingDistance(_)
            | ConstraintKind::ApproachSpeed { .. }
            | ConstraintKind::CommandRate { .. } => None,
        });
        !(speed_mps.abs() <= most + ROUNDING)
    }

    /// True if `observed` belongs to a time at which the robot ought to stand still.
    fn is_overdue(&self, expected: Expected, observed: Instant) -> bool {
        let stop = &self.manifest.stop;
        let stopping_s = stop.reaction_s + self.manifest.limits.speed_mps_max / stop.decel_mps2;
        let slack = Duration::from_secs_f64(stopping_s.clamp(0.0, 3600.0)) + STILL_SLACK;
        expected.still_since.is_some_and(|since| observed > since.plus(slack))
    }

    /// A measured position in the default frame, if it is fresh, finite and in a known frame.
    fn default_position(
        &self,
        pose: &Fresh<Pose>,
        transforms: &[Measured<MovingTransform>],
        now: Instant,
    ) -> Option<DVec3> {
        let (position, frame) = usable_position(self, pose, transforms, now).ok()?;
        Some(self.frames.convert(position, frame, self.frames.default_index()))
    }
}

#[cfg(test)]
mod tests;
