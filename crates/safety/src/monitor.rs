//! The second line: looks at every state sample while a robot moves, whoever moves it, and says which causes hold.
//! A silent sensor is a cause, never an all-clear.

mod trail;

use std::time::Duration;

use glam::DVec3;
use robot::{Instant, JointName, StateKind, StateSource, UnitQuaternion};

use crate::constraint::bound::moves_through_space;
use crate::constraint::params::MeasuredLimit;
use crate::judge::{region_inflated, usable_position};
use crate::machine::{CauseSet, SafetyCause};
use crate::measured::sources::pose_age_ms_max;
use crate::measured::speeds::GATE_AGE_MS_MAX;
use crate::space::geometry::{Pieces, Track};
use crate::{ConstraintKind, Fresh, JointLimits, JointPositions, Limits, Measured, MovingTransform, Pose, SourceTimes};
use trail::{MeasuredMotion, Trail, stirs_within};

/// A pose that jumps farther than this has left the path of any body, metres.
const TELEPORT_M: f64 = 0.25;
/// Faster than this many times the robot's own limit no body moves.
const TELEPORT_SPEEDS: f64 = 3.0;
/// Added to the time a robot needs to stop before its motion counts as unexpected: two samples and an answer.
const STILL_SLACK: Duration = Duration::from_millis(500);
/// Greatest difference between two computations of one speed or force.
const ROUNDING: f64 = 1e-6;
/// A pose is compared with the one before for so long, milliseconds: after a minute a robot can be anywhere.
const COMPARED_WITHIN_MS: u64 = 60_000;

/// One of a robot's two pose sources.
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
    /// The rate of turn that its velocity sources measure, radians per second.
    Turn(&'a Measured<f64>),
    /// The speed that the robot's gate measures, metres per second.
    GateSpeed(&'a Measured<f64>),
    /// A force, newtons.
    Force(&'a Measured<f64>),
    /// The joints.
    Joints(&'a Measured<JointPositions>),
}

/// The station's expectation of the robot at the moment of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expected {
    /// Since when a command is being carried out that moves it.
    pub commanded_since: Option<Instant>,
    /// True if only goals of joints move it: where a wrist turns, the pose changes its orientation alone.
    pub by_joints: bool,
    /// Since when it ought to stand still.
    pub still_since: Option<Instant>,
    /// True if a hold or a stop ought to keep it still. Motion is then not unexpected, but a stop that is not obeyed:
    /// see [`History::moved_at`].
    pub stopped: bool,
}

/// Memory of a robot's earlier samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    first: Fresh<Seen>,
    second: Fresh<Seen>,
    trail: Trail,
    velocity_mps: Fresh<DVec3>,
    gate_mps: Fresh<f64>,
    /// The velocity that the newest poses show.
    shown_mps: Fresh<DVec3>,
    /// The time since which the newest poses show it to move, if they do.
    shown_moving: Fresh<Instant>,
    /// When a position last showed that it has left the place where it should stand.
    stirred_at: Option<Instant>,
    /// When each joint of the manifest was last measured.
    joints_at: Vec<(JointName, Fresh<()>)>,
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
    /// As the source gives it, in its own frame.
    orientation: Option<UnitQuaternion>,
    /// Since when it is at this position.
    unchanged_since: Instant,
    /// Since when it has this orientation there.
    unturned_since: Instant,
}

/// A measured pose, its position in the default frame.
#[derive(Debug, Clone, Copy)]
struct Placed {
    position: DVec3,
    orientation: Option<UnitQuaternion>,
    observed: Instant,
}

/// Measurements that show a condition, one flag each; one that does not show it does not refute one that does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Witnesses {
    velocity: bool,
    turn: bool,
    gate: bool,
    poses: bool,
}

impl Witnesses {
    const fn any(self) -> bool {
        self.velocity || self.turn || self.gate || self.poses
    }
}

impl History {
    /// Takes a sample in; returns the causes whose condition holds as far as samples tell.
    pub fn observe(&mut self, limits: &Limits, sample: StateSample<'_>, expected: Expected, now: Instant) -> CauseSet {
        match sample {
            StateSample::Pose(source, pose, transforms) => {
                let position = limits.default_position(&Fresh::from(pose.clone()), transforms, now);
                // A pose that cannot be used is missing: it goes stale, and that is a cause of its own.
                let orientation = pose.value.orientation;
                position.into_iter().for_each(|position| {
                    let at = Placed { position, orientation, observed: pose.observed };
                    self.observe_pose(limits, source, at, expected, now);
                });
            }
            StateSample::Velocity(velocity) => self.observe_velocity(limits, velocity, expected, now),
            StateSample::Turn(turn) => {
                let turns = limits.manifest.turns_at(turn.value);
                self.moving.turn = limits.is_unexpected(expected, turn.observed) && turns;
                self.speeding.turn = !(turn.value.abs() <= limits.manifest.limits.angular_radps_max + ROUNDING);
                self.note_motion();
            }
            StateSample::GateSpeed(speed) => {
                self.gate_mps = speed.clone().into();
                self.moving.gate = limits.is_unexpected(expected, speed.observed) && limits.moves(speed.value);
                self.speeding.gate = limits.speeds(speed.value);
                self.note_motion();
                self.clear_at_rest(limits, now);
            }
            StateSample::Force(force) => {
                let most = limits
                    .measured_max(|bound| if let MeasuredLimit::Force(newtons) = bound { Some(newtons) } else { None });
                self.found.set(SafetyCause::OverForce, !(force.value.abs() <= most + ROUNDING));
            }
            StateSample::Joints(joints) => self.observe_joints(limits, joints, now),
        }
        self.found
    }

    /// A joint beyond its limits. As with places, standing still there counts as clear.
    fn observe_joints(&mut self, limits: &Limits, joints: &Measured<JointPositions>, now: Instant) {
        self.note_joints(limits, joints);
        let joints = &joints.value;
        let beyond = limits.constraints().iter().any(|constraint| {
            let Some(MeasuredLimit::Joint(JointLimits { joint, position: [low, high], .. })) =
                constraint.kind.measured()
            else {
                return false;
            };
            joints.of(joint).is_some_and(|position| !(low - ROUNDING <= position && position <= high + ROUNDING))
        });
        let moving = self.is_moving(limits, now);
        // The first sample beyond counts even at rest, so that being pushed there is noticed once.
        let breach = beyond && (moving || !self.joints_breaching);
        self.joints_breaching = beyond;
        // One flag for places and joints: what clears here must not hide a breach of the other.
        if breach || !self.breaching {
            self.found.set(SafetyCause::Breach, breach);
        }
    }

    /// Notes which joints a sample tells of. One that is missing from it, or is not a number, grows old.
    fn note_joints(&mut self, limits: &Limits, joints: &Measured<JointPositions>) {
        for joint in limits.joints() {
            if !joints.value.of(joint).is_some_and(f64::is_finite) {
                continue;
            }
            let said = Measured { value: (), observed: joints.observed };
            match self.joints_at.iter_mut().find(|(known, _)| known == joint) {
                Some((_, heard)) => heard.renew(said),
                None => self.joints_at.push((joint.clone(), said.into())),
            }
        }
    }

    fn observe_pose(&mut self, limits: &Limits, source: PoseSource, at: Placed, expected: Expected, now: Instant) {
        let Placed { position, orientation, observed } = at;
        let known = match source {
            PoseSource::First => &mut self.first,
            PoseSource::Second => &mut self.second,
        };
        // Samples overtake one another; where it was before says nothing about where it is.
        if known.observed().is_some_and(|newest| newest > observed) {
            return;
        }
        // Taken before it is replaced: the jump below is measured from it.
        let before = known.measured(observed, COMPARED_WITHIN_MS).ok().cloned();
        let same = before.as_ref().map(|before| before.value).filter(|before| before.position == position);
        let unturned = same.filter(|before| before.orientation == orientation);
        let unchanged_since = same.map_or(observed, |before| before.unchanged_since);
        let unturned_since = unturned.map_or(observed, |before| before.unturned_since);
        let seen = Seen { position, orientation, unchanged_since, unturned_since };
        *known = Fresh::at(seen, observed);
        if source == PoseSource::First {
            // A wrist that turns leaves the tool point where it is (decision 0191).
            let unchanged_since = if expected.by_joints { seen.unturned_since } else { seen.unchanged_since };
            let frozen = expected
                .commanded_since
                // Counted from the command at the earliest: a parked robot has had the same pose for long.
                .is_some_and(|since| observed.since(unchanged_since.max(since)) >= limits.numbers.frozen_after);
            self.found.set(SafetyCause::SensorFrozen, frozen);
            let far = before.is_some_and(|before| jumped(limits, &before, position, observed));
            self.found.set(SafetyCause::PoseImplausible, far);
            self.observe_motion(limits, position, observed, expected, now);
            self.observe_place(limits, position, now);
        }
        self.found.set(SafetyCause::SensorDisagreement, self.disagree(limits, now));
    }

    /// Takes in the motion that a position shows. It shows later than in a velocity, and needs no sensor of its own.
    fn observe_motion(
        &mut self,
        limits: &Limits,
        position: DVec3,
        observed: Instant,
        expected: Expected,
        now: Instant,
    ) {
        let error_m = limits.manifest.body.localisation_error_m;
        let MeasuredMotion { fastest_mps: shown_mps, newest } = self.trail.note(position, observed, error_m);
        self.shown_mps = shown_mps.map_or(Fresh::NEVER, |shown_mps| Fresh::at(shown_mps, observed));
        let moving_since = newest.filter(|newest| limits.moves(newest.speed_mps)).map(|newest| newest.since);
        self.shown_moving = moving_since.map_or(Fresh::NEVER, |since| Fresh::at(since, observed));
        // Not before it has had the time to brake, or its own stopping would count as stirring.
        let still_since = expected.still_since.filter(|_| limits.is_overdue(expected, observed));
        let stirred = self.trail.has_stirred(position, still_since, error_m);
        self.stirred_at = if stirred { Some(observed) } else { self.stirred_at.filter(|_| still_since.is_some()) };
        // Motion under a stop is an unconfirmed stop, which is a cause of its own.
        self.moving.poses = stirred && !expected.stopped;
        self.speeding.poses =
            !self.is_measured(limits, now) && shown_mps.is_some_and(|shown_mps| limits.speeds(shown_mps.length()));
        self.note_motion();
    }

    /// True while the speed comes from what the manifest names for it, or from the gate if it names nothing: the poses
    /// are no better then.
    fn is_measured(&self, limits: &Limits, now: Instant) -> bool {
        match limits.manifest.state_source(StateKind::Velocity) {
            Some(_) => self.velocity(limits, now).is_some(),
            None => self.gate_mps.get(now, GATE_AGE_MS_MAX).is_ok(),
        }
    }

    /// When its positions last showed it to move, if they do so now. `None` does not mean standstill: positions
    /// refute it and never prove it.
    #[must_use]
    pub fn moved_at(&self, limits: &Limits, now: Instant) -> Option<Instant> {
        let newest = self.shown_moving.get(now, pose_age_ms_max(&limits.manifest)).ok().copied();
        let body = &limits.manifest.body;
        let creeps = self.stirred_at.filter(|at| {
            now.since(*at) <= stirs_within(body.localisation_error_m, limits.manifest.stop.standstill_mps)
        });
        newest.max(creeps)
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
        // Where no direction is known nothing can be ahead; a silent sensor is a cause of its own.
        let ahead = self.shown_velocity(limits, now).is_some_and(|velocity_mps| {
            let stop = &limits.manifest.stop;
            let speed_mps = velocity_mps.length();
            let stopping_m = speed_mps * stop.reaction_s + speed_mps * speed_mps / (2.0 * stop.decel_mps2);
            violated(limits, position, position + velocity_mps.normalize_or_zero() * stopping_m)
        });
        // Outside already it is a breach, and a pose that trembles at rest near a limit is neither.
        self.found.set(SafetyCause::BreachAhead, ahead && !outside && moving);
    }

    fn observe_velocity(&mut self, limits: &Limits, velocity: &Measured<[f64; 3]>, expected: Expected, now: Instant) {
        let velocity_mps = DVec3::from_array(velocity.value);
        let speed_mps = velocity_mps.length();
        self.velocity_mps = Fresh::at(velocity_mps, velocity.observed);
        self.speeding.velocity = limits.speeds(speed_mps);
        self.moving.velocity = limits.is_unexpected(expected, velocity.observed) && limits.moves(speed_mps);
        self.note_motion();
        self.clear_at_rest(limits, now);
    }

    /// Standing still outside of the limits counts as clear, whoever says that it stands.
    fn clear_at_rest(&mut self, limits: &Limits, now: Instant) {
        if !self.is_moving(limits, now) {
            self.found.set(SafetyCause::Breach, false);
        }
    }

    /// The causes found in the samples so far.
    #[must_use]
    pub fn found(&self) -> CauseSet {
        self.found
    }

    /// Causes that come by time alone.
    #[must_use]
    pub fn silent(&self, limits: &Limits, heard: &SourceTimes, now: Instant) -> CauseSet {
        let silent: CauseSet = heard.silent(&limits.manifest, now).map(|silent| silent.cause()).collect();
        // A source that cannot be used, because its frame is unknown, is as good as silent.
        let places = [(&self.first, SafetyCause::PoseStale), (&self.second, SafetyCause::SourceStale)];
        let unusable = limits.pose_sources().zip(places);
        let unusable = unusable.filter(|(source, (seen, _))| seen.get(now, source.max_age_ms).is_err());
        let mut silent = silent.union(unusable.map(|(_, (_, cause))| cause).collect());
        silent.set(SafetyCause::SourceStale, silent.has(SafetyCause::SourceStale) || self.misses_joints(limits, now));
        silent
    }

    /// True if a joint of the manifest is missing from what the sources of joints say.
    fn misses_joints(&self, limits: &Limits, now: Instant) -> bool {
        let sources = limits.manifest.state.iter().filter(|source| source.kind == StateKind::Joints);
        // Several sources may share the joints between them, and which one tells of a joint is not declared.
        let Some(age_ms_max) = sources.map(|source| source.max_age_ms).max() else { return false };
        let is_known = |joint: &JointName| {
            let known = self.joints_at.iter().find(|(known, _)| known == joint);
            known.is_some_and(|(_, heard)| heard.get(now, age_ms_max).is_ok())
        };
        !limits.joints().all(is_known)
    }

    fn velocity(&self, limits: &Limits, now: Instant) -> Option<DVec3> {
        let source = limits.manifest.state_source(StateKind::Velocity)?;
        self.velocity_mps.get(now, source.max_age_ms).ok().copied()
    }

    /// The velocity, or what the poses show of it.
    fn shown_velocity(&self, limits: &Limits, now: Instant) -> Option<DVec3> {
        let shown = || self.shown_mps.get(now, pose_age_ms_max(&limits.manifest)).ok().copied();
        self.velocity(limits, now).or_else(shown)
    }

    /// Unknown counts as moving, and so does what only one of two measurements says. Where the manifest names no source of
    /// the velocity, the gate says that it stands, unless its positions show otherwise.
    fn is_moving(&self, limits: &Limits, now: Instant) -> bool {
        let by_gate = self.gate_mps.get(now, GATE_AGE_MS_MAX).ok().map(|speed_mps| limits.moves(*speed_mps));
        if limits.manifest.state_source(StateKind::Velocity).is_none() {
            return by_gate.unwrap_or(true) || self.moved_at(limits, now).is_some();
        }
        by_gate == Some(true)
            || self.velocity(limits, now).is_none_or(|velocity_mps| limits.moves(velocity_mps.length()))
    }

    /// True if the two sources of the pose lie farther apart than they may. A silent one is a cause of its own.
    fn disagree(&self, limits: &Limits, now: Instant) -> bool {
        let mut sources = limits.pose_sources();
        let (Some(one), Some(other)) = (sources.next(), sources.next()) else { return false };
        let place =
            |source: &StateSource, seen: &Fresh<Seen>| seen.get(now, source.max_age_ms).ok().map(|seen| seen.position);
        let (Some(first), Some(second)) = (place(one, &self.first), place(other, &self.second)) else { return false };
        // Either source may name the bound; infinite, and so without effect, if neither does.
        let most_m = [one, other].into_iter().filter_map(|source| source.disagreement_m_max);
        !(first.distance(second) <= most_m.fold(f64::INFINITY, f64::min))
    }
}

fn jumped(limits: &Limits, before: &Measured<Seen>, position: DVec3, observed: Instant) -> bool {
    let distance_m = before.value.position.distance(position);
    // Both bounds: a slow source may step far at once, and a fast one trembles faster than the robot drives.
    let most_m = TELEPORT_SPEEDS * limits.manifest.limits.speed_mps_max * observed.since(before.observed).as_secs_f64();
    !(distance_m <= TELEPORT_M) && !(distance_m <= most_m)
}

/// True if the way between two places of the default frame leaves the bounds of a moving actuator.
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
    /// Constraints on the point that poses are about.
    fn moving_constraints(&self) -> impl Iterator<Item = (&ConstraintKind, crate::space::frames::FrameIndex)> {
        let moving = self.manifest.actuators.iter().filter(|actuator| moves_through_space(actuator));
        moving.flat_map(|actuator| self.binding(&actuator.id)).map(|(constraint, frame)| (&constraint.kind, frame))
    }

    /// The least bound of the kind that `bound` picks, on what moves through space; on every actuator if none does, because
    /// the robot's sensors are about its fingers then. Infinite if there is none.
    fn measured_max(&self, bound: impl Fn(MeasuredLimit<'_>) -> Option<f64>) -> f64 {
        let actuators = &self.manifest.actuators;
        let has_moving = actuators.iter().any(moves_through_space);
        let counted = actuators.iter().filter(|actuator| !has_moving || moves_through_space(actuator));
        let constraints = counted.flat_map(|actuator| self.binding(&actuator.id));
        constraints.filter_map(|(constraint, _)| bound(constraint.kind.measured()?)).fold(f64::INFINITY, f64::min)
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
        let most = self.measured_max(|bound| if let MeasuredLimit::Speed(mps) = bound { Some(mps) } else { None });
        !(speed_mps.abs() <= most + ROUNDING)
    }

    /// The joints that its actuators have.
    fn joints(&self) -> impl Iterator<Item = &JointName> {
        self.manifest.actuators.iter().flat_map(|actuator| actuator.joints.iter().map(|joint| &joint.name))
    }

    /// True if motion at `observed` is unexpected: not commanded, not the end of a command, not a disobeyed stop.
    fn is_unexpected(&self, expected: Expected, observed: Instant) -> bool {
        !expected.stopped && self.is_overdue(expected, observed)
    }

    /// True if `observed` belongs to a time at which the robot ought to stand still.
    fn is_overdue(&self, expected: Expected, observed: Instant) -> bool {
        let stop = &self.manifest.stop;
        let stopping_s = stop.reaction_s + self.manifest.limits.speed_mps_max / stop.decel_mps2;
        // Clamped, because `from_secs_f64` panics on a time that is negative or too long.
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
