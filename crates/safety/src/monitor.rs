//! The second line: looks at every state sample while a robot moves, whoever moves it, and says which causes hold.
//! A silent sensor is a cause, never an all-clear.

use std::time::Duration;

use glam::DVec3;
use robot::{ActuatorKind, Instant, StateKind};

use crate::geometry::{Pieces, Track};
use crate::judge::{region_inflated, usable_position};
use crate::machine::{CauseSet, SafetyCause};
use crate::state::is_fresh;
use crate::{ConstraintKind, JointLimits, JointPositions, Limits, Measured, MovingTransform, Pose};

/// A pose that jumps farther than this has left the path of any body, metres.
const TELEPORT_M: f64 = 0.25;
/// Faster than this many times the robot's own limit no body moves.
const TELEPORT_SPEEDS: f64 = 3.0;
/// Added to the time a robot needs to stop before its motion counts as unexpected: two samples and an answer.
const STILL_SLACK: Duration = Duration::from_millis(500);
/// How far two computations of one speed or force can lie apart.
const ROUNDING: f64 = 1e-6;

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
    first: Option<Seen>,
    second: Option<Seen>,
    velocity_mps: Option<Measured<DVec3>>,
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
    observed: Instant,
    unchanged_since: Instant,
}

impl History {
    /// Takes a sample in; returns the causes whose condition holds as far as samples tell.
    pub fn observe(&mut self, limits: &Limits, sample: StateSample<'_>, expected: Expected, now: Instant) -> CauseSet {
        match sample {
            StateSample::Pose(source, pose, transforms) => {
                let position = limits.default_position(pose, transforms, now);
                // A pose that cannot be used is missing: it goes stale, and that is a cause of its own.
                position.into_iter().for_each(|position| {
                    self.observe_pose(limits, source, (position, pose.observed), expected, now);
                });
            }
            StateSample::Velocity(velocity) => self.observe_velocity(limits, velocity, expected, now),
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
        let before = *known;
        let unchanged_since = before.filter(|before| before.position == position).map(|before| before.unchanged_since);
        let seen = Seen { position, observed, unchanged_since: unchanged_since.unwrap_or(observed) };
        *known = Some(seen);
        if source == PoseSource::First {
            let frozen = expected
                .commanded_since
                .is_some_and(|since| observed.since(seen.unchanged_since.max(since)) >= limits.numbers.frozen_after);
            self.found.set(SafetyCause::SensorFrozen, frozen);
            self.found.set(SafetyCause::PoseImplausible, before.is_some_and(|before| jumped(limits, before, seen)));
            self.observe_place(limits, position, now);
        }
        let apart = self.first.zip(self.second).is_some_and(|(first, second)| disagree(limits, first, second, now));
        self.found.set(SafetyCause::SensorDisagreement, apart);
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
        let ahead = self.velocity(limits, now).is_some_and(|velocity_mps| {
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
        self.velocity_mps = Some(Measured { value: velocity_mps, observed: velocity.observed });
        let most = limits.measured_max(|kind| match kind {
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
        self.found.set(SafetyCause::OverSpeed, !(speed_mps <= most + ROUNDING));
        let stop = &limits.manifest.stop;
        let stopping_s = stop.reaction_s + limits.manifest.limits.speed_mps_max / stop.decel_mps2;
        let still_by =
            |since: Instant| since.plus(Duration::from_secs_f64(stopping_s.clamp(0.0, 3600.0)) + STILL_SLACK);
        let overdue = expected.still_since.is_some_and(|since| velocity.observed > still_by(since));
        self.found.set(SafetyCause::UnexpectedMotion, overdue && !(speed_mps <= stop.standstill_mps));
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
    pub fn silent(&self, limits: &Limits, transforms: &[Measured<MovingTransform>], now: Instant) -> CauseSet {
        let age_ms_max = limits.pose_age_ms_max();
        let fresh = self.first.is_some_and(|seen| is_fresh(seen.observed, now, age_ms_max));
        let mut causes = CauseSet::EMPTY;
        causes.set(SafetyCause::PoseStale, !fresh && !limits.manifest.switches_only());
        let sources = limits.manifest.state.iter().filter(|source| source.kind == StateKind::Frame).count();
        let moving = transforms.iter().filter(|moving| is_fresh(moving.observed, now, moving.value.max_age_ms)).count();
        causes.set(SafetyCause::TransformStale, moving < sources);
        causes
    }

    fn velocity(&self, limits: &Limits, now: Instant) -> Option<DVec3> {
        let source = limits.manifest.state_source(StateKind::Velocity)?;
        let velocity = self.velocity_mps.as_ref()?;
        is_fresh(velocity.observed, now, source.max_age_ms).then_some(velocity.value)
    }

    /// Unknown counts as moving.
    fn is_moving(&self, limits: &Limits, now: Instant) -> bool {
        let standstill_mps = limits.manifest.stop.standstill_mps;
        self.velocity(limits, now).is_none_or(|velocity_mps| !(velocity_mps.length() <= standstill_mps))
    }
}

fn jumped(limits: &Limits, before: Seen, seen: Seen) -> bool {
    let distance_m = before.position.distance(seen.position);
    let most_m =
        TELEPORT_SPEEDS * limits.manifest.limits.speed_mps_max * seen.observed.since(before.observed).as_secs_f64();
    !(distance_m <= TELEPORT_M) && !(distance_m <= most_m)
}

fn disagree(limits: &Limits, first: Seen, second: Seen, now: Instant) -> bool {
    let sources = limits.manifest.state.iter().filter(|source| source.kind == StateKind::Pose);
    let (mut most_m, mut fresh) = (f64::INFINITY, true);
    for (source, seen) in sources.zip([first, second]) {
        most_m = most_m.min(source.disagreement_m_max.unwrap_or(f64::INFINITY));
        fresh &= is_fresh(seen.observed, now, source.max_age_ms);
    }
    fresh && !(first.position.distance(second.position) <= most_m)
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

    /// A measured position in the default frame, if it is fresh, finite and in a known frame.
    fn default_position(
        &self,
        pose: &Measured<Pose>,
        transforms: &[Measured<MovingTransform>],
        now: Instant,
    ) -> Option<DVec3> {
        let (position, frame) = usable_position(self, pose, transforms, now).ok()?;
        Some(self.frames.convert(position, frame, self.frames.default_index()))
    }
}

#[cfg(test)]
mod tests;
