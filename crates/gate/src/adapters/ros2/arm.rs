//! Joint goals: the trajectory of one point that brings an arm to them, slow enough for every limit.

use std::time::Duration;

use robot::{
    Actuator, ActuatorId, ActuatorKind, FrameId, Instant, JointMotion, JointName, JointSpec, Manifest, Motion, Reason,
    StateKind,
};
use safety::JointPositions;

use super::GoalKind;
use super::message::{JointTrajectory, JointTrajectoryPoint, Time, TrajectoryGoal};

/// The farthest a joint may be from where the goal was judged when its trajectory begins, radians.
const START_RAD_MAX: f64 = 0.05;
/// The same of a joint that slides, metres.
const START_M_MAX: f64 = 0.01;
/// Highest speed of a controller's spline through two points at rest, as a share of the mean: of the fifth degree.
/// One of the third degree has 1.5.
const PEAK_OF_MEAN: f64 = 1.875;
/// Highest acceleration of such a spline as a share of way over squared time: of the third degree. One of the fifth
/// has 5.8.
const PEAK_ACCELERATION: f64 = 6.0;
/// A trajectory that takes longer is none.
const DURATION_MAX: Duration = Duration::from_secs(3_600);
/// A trajectory is never shorter: a controller has no time to refuse it.
const DURATION_MIN: Duration = Duration::from_millis(100);

/// Properties of a robot that its goals depend on, from its manifest.
#[derive(Debug, Clone)]
pub struct Robot {
    /// The frame of its poses.
    pub frame: FrameId,
    /// Its largest speed, metres per second.
    pub speed_mps_max: f64,
    /// The speed up to which it counts as standing, metres per second.
    pub standstill_mps: f64,
    /// The actuator that velocities and goals of navigation move: its base, if it has exactly one.
    pub base: Option<ActuatorId>,
    /// Its arm, if it has exactly one.
    pub arm: Option<Arm>,
}

impl Robot {
    /// The robot of a manifest.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        let (frame, speed_mps_max) = (manifest.default_frame.clone(), manifest.limits.speed_mps_max);
        let base = manifest.base().map(|base| base.id.clone());
        let standstill_mps = manifest.stop.standstill_mps;
        Self { frame, speed_mps_max, standstill_mps, base, arm: Arm::of(manifest) }
    }

    /// True of the actuator that its messages move: the arm by goals of its joints, otherwise the base.
    pub fn moves(&self, goals: Option<GoalKind>, actuator: &ActuatorId) -> bool {
        match goals {
            Some(GoalKind::Trajectory) => self.arm.as_ref().is_some_and(|arm| arm.is(actuator)),
            Some(GoalKind::Navigate) | None => self.base.as_ref() == Some(actuator),
        }
    }
}

/// An arm as its manifest describes it.
#[derive(Debug, Clone)]
pub struct Arm {
    actuator: ActuatorId,
    joints: Box<[JointSpec]>,
    /// Measured positions that are older begin no motion.
    age_max: Duration,
    speed_mps_max: f64,
    acceleration_mps2_max: f64,
}

/// The way of an arm to a joint goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// The joints, in the manifest's order.
    pub names: Box<[JointName]>,
    /// Their positions at the beginning.
    pub from: Box<[f64]>,
    /// Their positions at the end.
    pub to: Box<[f64]>,
    /// Largest speed of any joint that was commanded.
    pub speed: f64,
    /// Time for the whole way.
    pub duration: Duration,
}

/// The actuator that trajectories move: the only one with joints that is a tool or joints alone.
pub fn moved(manifest: &Manifest) -> Option<&Actuator> {
    let moves = |actuator: &&Actuator| {
        matches!(actuator.kind, ActuatorKind::Tool | ActuatorKind::Joints) && !actuator.joints.is_empty()
    };
    let mut moved = manifest.actuators.iter().filter(moves);
    moved.next().filter(|_| moved.next().is_none())
}

impl Arm {
    /// The arm of a manifest; none if it has none, or more than one.
    pub fn of(manifest: &Manifest) -> Option<Self> {
        let age_ms_max = manifest.state_source(StateKind::Joints)?.max_age_ms;
        let actuator = moved(manifest)?;
        Some(Self {
            actuator: actuator.id.clone(),
            joints: actuator.joints.clone().into(),
            age_max: Duration::from_millis(age_ms_max),
            speed_mps_max: manifest.limits.speed_mps_max,
            acceleration_mps2_max: manifest.limits.acceleration_mps2_max,
        })
    }

    /// True of the arm's own actuator.
    pub fn is(&self, actuator: &ActuatorId) -> bool {
        self.actuator == *actuator
    }

    /// The way of a command from the measured positions.
    ///
    /// # Errors
    /// The reason that there is none which keeps every limit.
    pub fn trajectory(
        &self,
        motion: &Motion,
        measured: Option<(&JointPositions, Instant)>,
        now: Instant,
    ) -> Result<Trajectory, Reason> {
        let Motion::Joints { names, positions_rad, speed_radps } = motion else { return Err(Reason::UnknownActuator) };
        let own = self.joints.iter().map(|joint| &joint.name);
        // In another order the numbers would move other joints.
        if !own.eq(names.iter()) || positions_rad.len() != names.len() {
            return Err(Reason::JointNames);
        }
        let speed = speed_radps.filter(|speed| *speed > 0.0).ok_or(Reason::MissingVelocity)?;
        let within = |(joint, to): (&JointSpec, &f64)| joint.position[0] <= *to && *to <= joint.position[1];
        if !self.joints.iter().zip(positions_rad).all(within) {
            return Err(Reason::JointLimit);
        }
        let from = self.positions(measured, now).ok_or(Reason::NotProvable)?;
        let duration = self.duration(&from, positions_rad, speed).ok_or(Reason::NotProvable)?;
        Ok(Trajectory { names: names.clone(), from, to: positions_rad.clone(), speed, duration })
    }

    /// The measured position of every joint; none while one of them is unknown or too old.
    fn positions(&self, measured: Option<(&JointPositions, Instant)>, now: Instant) -> Option<Box<[f64]>> {
        let (positions, _) = measured.filter(|(_, arrived)| now.since(*arrived) <= self.age_max)?;
        self.joints.iter().map(|joint| positions.of(&joint.name).filter(|position| position.is_finite())).collect()
    }

    /// True if both tell of every joint, at nearly the same position.
    fn is_near(&self, one: &[f64], other: &[f64]) -> bool {
        let is_near = |(joint, (one, other)): (&JointSpec, (&f64, &f64))| {
            let most = match joint.motion {
                JointMotion::Turning => START_RAD_MAX,
                JointMotion::Sliding => START_M_MAX,
            };
            (one - other).abs() <= most
        };
        self.joints.iter().zip(one.iter().zip(other)).all(is_near)
    }

    /// True if the joints are now where the command was judged.
    pub fn starts_at(&self, judged: Option<&JointPositions>, trajectory: &Trajectory) -> bool {
        let judged: Option<Box<[f64]>> =
            judged.and_then(|judged| self.joints.iter().map(|joint| judged.of(&joint.name)).collect());
        judged.is_some_and(|judged| self.is_near(&judged, &trajectory.from))
    }

    /// Gives a trajectory that has waited the time that it needs from where the joints are now, if that is more. False
    /// if they have left the place where it was judged, or are not measured.
    pub fn begin_from(
        &self,
        trajectory: &mut Trajectory,
        measured: Option<(&JointPositions, Instant)>,
        now: Instant,
    ) -> bool {
        let Some(from) = self.positions(measured, now).filter(|from| self.is_near(from, &trajectory.from)) else {
            return false;
        };
        let Some(duration) = self.duration(&from, &trajectory.to, trajectory.speed) else { return false };
        // `from` stays where it was judged, so that the start cannot creep along with the arm.
        trajectory.duration = trajectory.duration.max(duration);
        true
    }

    /// The shortest time in which no joint is faster, or accelerates more, than it may, and the tool neither.
    fn duration(&self, from: &[f64], to: &[f64], speed: f64) -> Option<Duration> {
        let time = |way: f64, speed: f64, acceleration: f64| {
            (PEAK_OF_MEAN * way / speed).max((PEAK_ACCELERATION * way / acceleration).sqrt())
        };
        let (mut way_m, mut most_s) = (0.0, DURATION_MIN.as_secs_f64());
        for (joint, (from, to)) in self.joints.iter().zip(from.iter().zip(to)) {
            let way = (to - from).abs();
            way_m += joint.reach_m * way;
            // Without a limit of its acceleration no time is slow enough.
            most_s = most_s.max(time(way, speed.min(joint.velocity), joint.acceleration?));
        }
        let duration_s = most_s.max(time(way_m, self.speed_mps_max, self.acceleration_mps2_max));
        let duration = Duration::try_from_secs_f64(duration_s).ok()?;
        (duration <= DURATION_MAX).then_some(duration)
    }
}

impl From<Trajectory> for TrajectoryGoal {
    fn from(trajectory: Trajectory) -> Self {
        let Trajectory { names, to, duration, .. } = trajectory;
        let time_from_start =
            Time { sec: i32::try_from(duration.as_secs()).unwrap_or(i32::MAX), nanosec: duration.subsec_nanos() };
        // A controller interpolates positions without velocities linearly, with a jump of speed at both ends.
        let at_rest = vec![0.0; to.len()];
        let point = JointTrajectoryPoint {
            positions: to.into_vec(),
            velocities: at_rest,
            time_from_start,
            ..JointTrajectoryPoint::default()
        };
        let joint_names = names.iter().map(ToString::to_string).collect();
        let trajectory = JointTrajectory { joint_names, points: vec![point], ..JointTrajectory::default() };
        Self { trajectory, ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
