//! One simulated robot: what moves, what commands it is working on, how they end.

use std::collections::{BTreeMap, VecDeque};

use bridge::envelope::{Failure, Status, Subject};
use bridge::robot_gate::{MeasuredSpeed, OwnState};
use robot::{
    Actuator, ActuatorId, ActuatorKind, Command, FrameId, Instant, Isometry, JointName, Manifest, Motion, Reason,
    StateKind, UnitQuaternion,
};
use safety::{JointPositions, Measured, MovingTransform, Pose};

use crate::arm::ArmJoints;
use crate::fault::{Fault, Faults};
use crate::mover::{Mover, MoverLimits};

/// Widest opening of a gripper, metres.
const GRIPPER_OPEN_M: f64 = 0.08;
/// A gripper's speed if the command names none, metres per second.
const GRIPPER_MPS: f64 = 0.05;
/// Time that a door takes to open or close, seconds.
const DOOR_S: f64 = 1.0;
/// Charging dock of the rovers, metres in `map`.
const DOCK_M: [f64; 2] = [-9.0, 0.0];
/// Closer than this to the dock a rover charges, metres.
const DOCK_REACH_M: f64 = 0.3;
/// Battery at rest, driving at 1 m/s, and charging, percent per second.
const BATTERY_PERCENT_PER_S: (f64, f64, f64) = (-0.005, -0.02, 0.5);

/// The middle of the tray's slide in the arm's default frame, metres; the tray is turned by a quarter.
const TRAY_M: [f64; 3] = [0.4, 0.3, 0.6];
/// Slide of the tray to either side, metres, and the period of its way to and fro, seconds.
const TRAY_SLIDE: (f64, f64) = (0.02, 20.0);

/// A robot that never moves pretends to for this long, seconds.
const PRETENDED_S: f64 = 0.3;

/// Obedience of a robot to its commands, or a fault of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Acting {
    /// It goes where it is told to go.
    #[default]
    Truly,
    /// It stays, and reports the end.
    Never,
    /// It goes elsewhere, and reports the end.
    Astray,
    /// It stays, its pose sensor shows the goal, and it reports the end.
    Echoing,
}

impl Acting {
    /// As the faults that are on say.
    #[must_use]
    pub fn of(faults: &Faults, robot: &str) -> Self {
        let named =
            [(Fault::NeverMoves, Self::Never), (Fault::Astray, Self::Astray), (Fault::EchoSetPoint, Self::Echoing)];
        named.into_iter().find(|(fault, _)| faults.has(robot, *fault)).map_or(Self::Truly, |(_, acting)| acting)
    }
}

/// A robot of the site.
#[derive(Debug, Clone)]
pub struct SimRobot {
    /// Its manifest.
    pub manifest: Manifest,
    /// The tool point or base; a robot of switches has none.
    pub mover: Option<Mover>,
    /// Distance between the fingers, if it has a gripper.
    pub gripper: Option<Gripper>,
    /// The door, if it has a switch.
    pub door: Option<Door>,
    /// Charge, percent, if it has a battery.
    pub battery_percent: Option<f64>,
    /// Seconds since its beginning.
    elapsed_s: f64,
    /// Pose that its sensor shows for ever.
    frozen: Option<Mover>,
    /// Somebody at the robot has control of it.
    pendant: bool,
    acting: Acting,
    /// Seconds until it reports the end of a motion that it only pretends.
    pretending_s: Option<f64>,
    /// The goal that its pose sensor shows instead of the truth.
    echoed_m: Option<[f64; 3]>,
    jobs: BTreeMap<ActuatorId, Job>,
}

/// Two fingers.
#[derive(Debug, Clone, PartialEq)]
pub struct Gripper {
    /// Metres between the fingers.
    pub opening_m: f64,
    goal_m: f64,
    speed_mps: f64,
}

/// A door behind a switch.
#[derive(Debug, Clone, PartialEq)]
pub struct Door {
    /// True if it is open.
    pub open: bool,
    /// The position it goes to, and the seconds until it is there.
    going: Option<(bool, f64)>,
}

#[derive(Debug, Clone)]
struct Job {
    subject: Subject,
    /// A velocity has no goal: it is complete when its time is over or another takes its place.
    is_velocity: bool,
}

/// A command that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The command.
    pub subject: Subject,
    /// Outcome of the command.
    pub status: Status,
}

impl SimRobot {
    /// A robot at `start_m` in its default frame, with what its manifest says it has.
    #[must_use]
    pub fn new(manifest: Manifest, start_m: [f64; 3]) -> Self {
        let has = |kind| manifest.actuators.iter().any(|actuator: &Actuator| actuator.kind == kind);
        let limits = MoverLimits {
            speed_mps: manifest.limits.speed_mps_max,
            acceleration_mps2: manifest.limits.acceleration_mps2_max,
            deceleration_mps2: manifest.stop.decel_mps2,
            turn_radps: manifest.limits.angular_radps_max,
            turns: has(ActuatorKind::Base),
        };
        Self {
            mover: (!manifest.switches_only()).then(|| Mover::new(start_m, limits)),
            gripper: has(ActuatorKind::Gripper).then_some(Gripper {
                opening_m: GRIPPER_OPEN_M,
                goal_m: GRIPPER_OPEN_M,
                speed_mps: GRIPPER_MPS,
            }),
            door: has(ActuatorKind::Switch).then_some(Door { open: false, going: None }),
            battery_percent: has(ActuatorKind::Base).then_some(90.0),
            manifest,
            elapsed_s: 0.0,
            frozen: None,
            pendant: false,
            acting: Acting::Truly,
            pretending_s: None,
            echoed_m: None,
            jobs: BTreeMap::new(),
        }
    }

    /// Lets the pose sensor show what it shows now for ever, or the truth again.
    pub fn freeze_pose(&mut self, frozen: bool) {
        if frozen {
            self.frozen = self.frozen.take().or_else(|| self.mover.clone());
        } else {
            self.frozen = None;
        }
    }

    /// Sets its obedience from now on.
    pub fn act(&mut self, acting: Acting) {
        self.acting = acting;
        if acting != Acting::Echoing {
            self.echoed_m = None;
        }
    }

    /// Pose that its sensor shows.
    #[must_use]
    pub fn shown(&self) -> Option<Mover> {
        let mut shown = self.frozen.as_ref().or(self.mover.as_ref())?.clone();
        shown.position_m = self.echoed_m.unwrap_or(shown.position_m);
        Some(shown)
    }

    /// Its joints as they are; none if it has none.
    #[must_use]
    pub fn joints(&self) -> Option<JointPositions> {
        let arm = self.mover.as_ref().map(|mover| ArmJoints::at(mover.position_m).positions());
        let mut joints: Vec<(JointName, f64)> = Vec::new();
        for actuator in &self.manifest.actuators {
            let names = actuator.joints.iter().map(|joint| joint.name.clone());
            match (actuator.kind, &self.gripper) {
                (ActuatorKind::Gripper, Some(gripper)) => joints.extend(names.zip([gripper.opening_m])),
                (ActuatorKind::Tool, _) => joints.extend(names.zip(arm.into_iter().flatten())),
                (ActuatorKind::Gripper | ActuatorKind::Joints | ActuatorKind::Base | ActuatorKind::Switch, _) => {}
            }
        }
        let (names, positions): (Vec<_>, Vec<_>) = joints.into_iter().unzip();
        (!names.is_empty()).then(|| JointPositions { names: names.into(), positions: positions.into() })
    }

    /// Speed of the robot, and if its manifest calls that standing still.
    #[must_use]
    pub fn measured(&self) -> MeasuredSpeed {
        let stop = &self.manifest.stop;
        let (speed_mps, yaw_rate_radps) =
            self.mover.as_ref().map_or((0.0, 0.0), |mover| (mover.speed_mps(), mover.yaw_rate_radps.abs()));
        MeasuredSpeed {
            speed_mps,
            // A base that turns on the spot does not stand.
            standstill: speed_mps <= stop.standstill_mps && yaw_rate_radps <= stop.standstill_radps,
        }
    }

    /// The frame that moves against its default frame, if its manifest has a source of one.
    #[must_use]
    pub fn tray(&self) -> Option<MovingTransform> {
        let source = self.manifest.state_source(StateKind::Frame)?;
        let (slide_m, period_s) = TRAY_SLIDE;
        let [x_m, y_m, z_m] = TRAY_M;
        let aside_m = slide_m * (std::f64::consts::TAU * self.elapsed_s / period_s).sin();
        Some(MovingTransform {
            parent: self.manifest.default_frame.clone(),
            child: FrameId::new("tray").ok()?,
            parent_from_child: Isometry {
                translation_m: [x_m, y_m + aside_m, z_m],
                rotation: UnitQuaternion::from_yaw_rad(std::f64::consts::FRAC_PI_2),
            },
            max_age_ms: source.max_age_ms,
        })
    }

    /// State that it reports to its gate: pose by its own sensor, joints, moving transforms, speed and pendant.
    #[must_use]
    pub fn own_state(&self, now: Instant) -> OwnState {
        let pose = self.shown().map(|mover| {
            let frame = self.manifest.default_frame.clone();
            Measured { value: Pose { frame, position_m: mover.position_m, orientation: None }, observed: now }
        });
        let joints = self.joints().map(|value| Measured { value, observed: now });
        let transforms = self.tray().map(|value| Measured { value, observed: now }).into_iter().collect();
        let speed = Some(Measured { value: self.measured(), observed: now });
        OwnState { pose, joints, transforms, speed, local: self.pendant }
    }

    /// Begins a command; the one before on the same actuator ends.
    pub fn begin(&mut self, command: &Command) -> Result<Vec<Ended>, Reason> {
        // What can fail comes first: a command that is refused leaves the one before in place.
        self.start(&command.motion, &command.frame)?;
        self.stray(&command.motion);
        let job = Job {
            subject: Subject::Command { station: command.lease.station.clone(), id: command.id },
            is_velocity: matches!(command.motion, Motion::Velocity { .. }),
        };
        let replaced = self.jobs.insert(command.actuator.clone(), job);
        Ok(replaced.map(|job| job.end(Failure::Replaced)).into_iter().collect())
    }

    /// Lets somebody with a pendant take control, which ends everything it is doing, or give it back.
    pub fn take_pendant(&mut self, taken: bool) -> Vec<Ended> {
        // Only taking the pendant ends what goes on; while it is held, the gate lets nothing begin.
        let is_new = taken && !self.pendant;
        self.pendant = taken;
        if is_new { self.halt(Failure::Held) } else { Vec::new() }
    }

    /// Ends everything it is doing: the base slows down, fingers and door stay where they are.
    pub fn halt(&mut self, because: Failure) -> Vec<Ended> {
        self.pretending_s = None;
        if let Some(mover) = &mut self.mover {
            mover.rest();
        }
        if let Some(gripper) = &mut self.gripper {
            gripper.goal_m = gripper.opening_m;
        }
        if let Some(door) = &mut self.door {
            door.going = None;
        }
        std::mem::take(&mut self.jobs).into_values().map(|job| job.end(because)).collect()
    }

    /// Ends a velocity that was not renewed.
    pub fn end_set_point(&mut self, actuator: &ActuatorId) -> Vec<Ended> {
        if let Some(mover) = &mut self.mover {
            mover.rest();
        }
        self.jobs.remove(actuator).map(Job::complete).into_iter().collect()
    }

    /// Moves on by `dt_s`; what was completed ends.
    pub fn step(&mut self, dt_s: f64) -> Vec<Ended> {
        self.elapsed_s += dt_s;
        let mut completed = Vec::new();
        let pretended = self.pretending_s.is_some_and(|left_s| left_s <= dt_s);
        self.pretending_s = self.pretending_s.filter(|_| !pretended).map(|left_s| left_s - dt_s);
        if self.mover.as_mut().is_some_and(|mover| mover.step(dt_s)) || pretended {
            // One mover stands for the tool of an arm or for the base of a rover.
            completed.extend([ActuatorKind::Tool, ActuatorKind::Base]);
        }
        if self.gripper.as_mut().is_some_and(|gripper| gripper.step(dt_s)) {
            completed.push(ActuatorKind::Gripper);
        }
        if self.door.as_mut().is_some_and(|door| door.step(dt_s)) {
            completed.push(ActuatorKind::Switch);
        }
        self.charge(dt_s);
        let Self { manifest, jobs, .. } = self;
        let done = manifest.actuators.iter().filter(|actuator| completed.contains(&actuator.kind));
        done.filter_map(|actuator| jobs.remove(&actuator.id)).map(Job::complete).collect()
    }

    fn start(&mut self, motion: &Motion, frame: &FrameId) -> Result<(), Reason> {
        let moving = self.tray().filter(|tray| tray.child == *frame).map(|tray| tray.parent_from_child);
        let to_own = moving.or_else(|| self.manifest.static_transform(frame, &self.manifest.default_frame));
        match (motion, &mut self.mover, &mut self.gripper, &mut self.door) {
            (
                Motion::PoseGoal { position_m, speed_mps, .. } | Motion::Escape { position_m, speed_mps },
                Some(mover),
                ..,
            ) => {
                mover.go([own(to_own)?.apply(*position_m)], *speed_mps);
            }
            (Motion::Path { points_m, speed_mps }, Some(mover), _, _) => {
                let to_own = own(to_own)?;
                mover.go(points_m.iter().map(|point| to_own.apply(*point)).collect::<VecDeque<_>>(), *speed_mps);
            }
            (Motion::Velocity { linear_mps, angular_radps }, Some(mover), _, _) => {
                let to_own = own(to_own)?.rotation;
                let [_, _, turn_radps] = to_own.rotate(*angular_radps);
                mover.drive(to_own.rotate(*linear_mps), turn_radps);
            }
            (Motion::Joints { positions_rad, speed_radps, .. }, Some(mover), ..) => {
                let goal = ArmJoints::try_from(positions_rad.as_ref()).map_err(|_| Reason::JointNames)?;
                let (from, to_m) = (ArmJoints::at(mover.position_m), goal.position_m());
                let way_m = mover.position_m.iter().zip(to_m).map(|(at, to)| (to - at).powi(2)).sum::<f64>().sqrt();
                let speed_mps = speed_radps.map(|speed| from.seconds_to(&goal, speed)).map(|seconds| way_m / seconds);
                // A goal where the arm stands already takes no time, which gives no speed.
                mover.go([to_m], speed_mps.filter(|speed| speed.is_finite()));
            }
            (Motion::Gripper { opening_m, speed_mps }, _, Some(gripper), _) => {
                gripper.goal_m = opening_m.clamp(0.0, GRIPPER_OPEN_M);
                gripper.speed_mps = speed_mps.unwrap_or(GRIPPER_MPS);
            }
            (Motion::Switch { on }, _, _, Some(door)) => door.going = Some((*on, DOOR_S)),
            (
                Motion::PoseGoal { .. }
                | Motion::Path { .. }
                | Motion::Velocity { .. }
                | Motion::Joints { .. }
                | Motion::Gripper { .. }
                | Motion::Switch { .. }
                | Motion::Escape { .. },
                ..,
            ) => return Err(Reason::UnknownActuator),
        }
        Ok(())
    }

    /// Turns a motion through space that has just begun into another, if the robot does not obey.
    fn stray(&mut self, motion: &Motion) {
        let Some(mover) = self.mover.as_mut().filter(|_| motion.is_through_space()) else { return };
        // Of the motion before: fingers that close beside it are another one.
        self.pretending_s = None;
        let Some(goal_m) = mover.goal_m() else { return };
        match self.acting {
            Acting::Truly => {}
            Acting::Never | Acting::Echoing => {
                mover.rest();
                self.pretending_s = Some(PRETENDED_S);
                self.echoed_m = (self.acting == Acting::Echoing).then_some(goal_m);
            }
            Acting::Astray => {
                // As far, but to its left.
                let [x_m, y_m, z_m] = mover.position_m;
                mover.go([[x_m - (goal_m[1] - y_m), y_m + (goal_m[0] - x_m), z_m]], None);
            }
        }
    }

    fn charge(&mut self, dt_s: f64) {
        let (Some(percent), Some(mover)) = (&mut self.battery_percent, &self.mover) else { return };
        let (at_rest, per_mps, charging) = BATTERY_PERCENT_PER_S;
        let [x_m, y_m, _] = mover.position_m;
        let docked = (x_m - DOCK_M[0]).hypot(y_m - DOCK_M[1]) <= DOCK_REACH_M;
        let rate = if docked { charging } else { at_rest + per_mps * mover.speed_mps() };
        *percent = (*percent + rate * dt_s).clamp(0.0, 100.0);
    }
}

/// A transform exists or the command is in a frame this robot does not know.
fn own(transform: Option<Isometry>) -> Result<Isometry, Reason> {
    transform.ok_or(Reason::FrameMismatch)
}

impl Job {
    fn end(self, because: Failure) -> Ended {
        let renewed = self.is_velocity && because == Failure::Replaced;
        let status = if renewed { Status::Done } else { Status::Failed(because) };
        Ended { subject: self.subject, status }
    }

    fn complete(self) -> Ended {
        Ended { subject: self.subject, status: Status::Done }
    }
}

impl Gripper {
    /// True in the step in which the wanted opening is reached.
    fn step(&mut self, dt_s: f64) -> bool {
        let apart_m = self.goal_m - self.opening_m;
        let most_m = self.speed_mps * dt_s;
        self.opening_m += apart_m.clamp(-most_m, most_m);
        apart_m.abs() <= most_m
    }
}

impl Door {
    /// True in the step in which the door has opened or closed.
    fn step(&mut self, dt_s: f64) -> bool {
        let Some((open, left_s)) = self.going else { return false };
        let left_s = left_s - dt_s;
        if left_s > 0.0 {
            self.going = Some((open, left_s));
            return false;
        }
        self.open = open;
        self.going = None;
        true
    }
}

#[cfg(test)]
mod tests;
