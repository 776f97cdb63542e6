//! Motions of commands as the robot takes them: velocities, goals and trajectories from where it stands now.

use std::time::Duration;

use robot::{Command, Instant, Motion, Reason, UnitQuaternion};

use super::message::{PlainPose, Quaternion, Twist};
use super::outbox::{Going, Target};
use super::{ROTATION_MAX, Ros2Adapter, inbound, steering};
use crate::adapter::{Reading, ReadingValue};
use crate::adapters::goal_speed::judged_mps;

impl Ros2Adapter {
    /// Keeps where the robot was measured last: a command is judged from there.
    pub(super) fn note_place(&mut self, readings: &[Reading]) {
        for reading in readings {
            match &reading.value {
                ReadingValue::Joints(joints) => self.judged = Some(joints.positions.clone()),
                ReadingValue::Pose(pose) => self.place_m = Some(pose.position_m),
                ReadingValue::Velocity(_) | ReadingValue::Force(_) | ReadingValue::Extra(..) => {}
            }
        }
    }

    /// Rotation of the robot as it stands now.
    fn rotation(&self, now: Instant) -> Result<UnitQuaternion, Reason> {
        let rotation = self.watcher.heard.look(|heard| heard.rotation);
        let rotation = rotation.filter(|(_, arrived)| now.since(*arrived) <= ROTATION_MAX);
        rotation.map(|(rotation, _)| rotation).ok_or(Reason::NoFreshPose)
    }

    /// The twist of a motion for the robot as it stands now.
    pub(super) fn twist(&self, motion: &Motion, now: Instant) -> Result<Twist, Reason> {
        steering::twist(motion, self.rotation(now)?, self.sideways)
    }

    /// The goal of a motion for the arm as it stands now.
    fn trajectory(&self, command: &Command, now: Instant) -> Result<Going, Reason> {
        let arm = self.robot.arm.as_ref().ok_or(Reason::UnknownActuator)?;
        let measured = self.watcher.heard.look(|heard| heard.joints.clone());
        let measured = measured.as_ref().map(|(positions, arrived)| (positions, *arrived));
        let trajectory = arm.trajectory(&command.motion, measured, now)?;
        // The command was judged from other positions: from here it is another way.
        if !arm.starts_at(self.judged.as_ref(), &trajectory) {
            return Err(Reason::NotProvable);
        }
        Ok(Going { goal: command.id.0.into_bytes(), target: Target::Joints(trajectory) })
    }

    /// The goal of a motion for the robot as it stands now.
    fn going(&self, command: &Command, now: Instant) -> Result<Going, Reason> {
        let Motion::PoseGoal { position_m, orientation, speed_mps, duration_s } = &command.motion else {
            return Err(Reason::UnknownActuator);
        };
        if command.frame != self.robot.frame {
            return Err(Reason::FrameMismatch);
        }
        let limits_speed = self.watcher.heard.look(|heard| heard.goals.server.limits_speed);
        let way_m = || {
            let from_m = self.place_m.ok_or(Reason::NoFreshPose)?;
            Ok(from_m.iter().zip(position_m).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt())
        };
        let bounds_mps = [self.robot.standstill_mps, self.robot.speed_mps_max];
        let speed_mps = judged_mps(*speed_mps, *duration_s, way_m, bounds_mps)?;
        // The robot would drive at its own speed, faster than was judged.
        if !limits_speed && speed_mps < self.robot.speed_mps_max {
            return Err(Reason::NotProvable);
        }
        // A goal without a heading keeps the heading that the robot has.
        let rotation = self.rotation(now)?;
        let [x, y, z, w] = orientation.unwrap_or(rotation).xyzw();
        let pose = PlainPose { position: (*position_m).into(), orientation: Quaternion { x, y, z, w } };
        let target = Target::Pose { frame: self.robot.frame.to_string(), pose, speed_mps };
        Ok(Going { goal: command.id.0.into_bytes(), target })
    }

    pub(super) fn begin_goal(&mut self, command: &Command, now: Instant) -> Result<(), Reason> {
        let going = match &command.motion {
            Motion::Joints { .. } => self.trajectory(command, now)?,
            Motion::PoseGoal { .. }
            | Motion::Path { .. }
            | Motion::Velocity { .. }
            | Motion::Gripper { .. }
            | Motion::Switch { .. }
            | Motion::Escape { .. } => self.going(command, now)?,
        };
        let (is_there, is_ready) = self.watcher.heard.look(|heard| (heard.goals.server.is_there, heard.ready));
        if !is_there || (self.needs_ready && is_ready != Some(true)) {
            return Err(Reason::NotArmed);
        }
        if self.ends.take().is_some() {
            // The velocity before it ends; nothing else would end it.
            self.outbox.stop(None, false);
        }
        self.own.begin(command.id, going, &self.outbox, now).then_some(()).ok_or(Reason::NotArmed)
    }

    pub(super) fn begin_velocity(&mut self, command: &Command, now: Instant) -> Result<(), Reason> {
        if !self.watcher.heard.look(inbound::Received::can_be_driven) {
            return Err(Reason::UnknownActuator);
        }
        let twist = self.twist(&command.motion, now)?;
        self.own.give_up(&self.outbox, now);
        // Goal and velocity would compete at the robot: zeros go out until the goal has ended.
        let twist = if self.own.is_left() { Twist::default() } else { twist };
        if !self.outbox.begin(twist) {
            return Err(Reason::NotArmed);
        }
        self.sent = Some(now);
        self.ends = Some(now.plus(Duration::from_millis(command.ttl_ms.into())));
        Ok(())
    }

    /// False if a trajectory waits to be sent and the arm has left the place where it was judged.
    pub(super) fn waits_where_it_was_judged(&mut self, now: Instant) -> bool {
        let (Some(arm), Some(Going { target: Target::Joints(trajectory), .. })) = (&self.robot.arm, self.own.waiting())
        else {
            return true;
        };
        let measured = self.watcher.heard.look(|heard| heard.joints.clone());
        arm.begin_from(trajectory, measured.as_ref().map(|(positions, arrived)| (positions, *arrived)), now)
    }
}
