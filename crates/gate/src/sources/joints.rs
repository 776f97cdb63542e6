//! The speed of a robot whose joints move it: an upper bound of that of its tool, from the speeds that the joints
//! report and the way that their positions show.

use std::collections::VecDeque;
use std::time::Duration;

use bridge::robot_gate::MeasuredSpeed;
use robot::{ActuatorKind, Instant, JointMotion, JointSpec, Manifest, StateKind};
use safety::{JointPositions, Measured};

use super::POSES_MAX;
use crate::adapter::JointReading;

/// The way within this time contradicts speeds that are reported as standstill.
const WAY_WITHIN: Duration = Duration::from_millis(100);
/// The way over a shorter time says nothing: positions come in steps.
const WAY_MIN: Duration = Duration::from_millis(50);

/// The joints as they were measured last, and their way of the last moment.
#[derive(Debug, Default)]
pub struct JointTrail {
    newest: Option<Measured<JointReading>>,
    /// Oldest first.
    way: VecDeque<Measured<JointPositions>>,
}

impl JointTrail {
    /// Takes in a measurement.
    pub fn note(&mut self, joints: JointReading, observed: Instant) {
        self.way.push_back(Measured { value: joints.positions.clone(), observed });
        let is_old = |at: &Measured<JointPositions>| observed.since(at.observed) > WAY_WITHIN;
        // Two are kept however old they are: a robot that measures seldom has a way too.
        while self.way.len() > POSES_MAX || (self.way.len() > 2 && self.way.front().is_some_and(is_old)) {
            self.way.pop_front();
        }
        self.newest = Some(Measured { value: joints, observed });
    }

    /// The newest positions.
    pub fn positions(&self) -> Option<Measured<JointPositions>> {
        let Measured { value, observed } = self.newest.as_ref()?;
        Some(Measured { value: value.positions.clone(), observed: *observed })
    }

    /// The speed that the way of the last moment shows, for a robot that reports the positions of its joints alone. None
    /// without any.
    pub fn shown_speed(&self, manifest: &Manifest) -> Option<Measured<MeasuredSpeed>> {
        self.speed_of(manifest, |_| Some(0.0))
    }

    /// The largest speed that the tool can have while the joints move like this. None unless the robot reports the speed of
    /// every joint that a command can move.
    pub fn speed(&self, manifest: &Manifest) -> Option<Measured<MeasuredSpeed>> {
        let speeds = self.newest.as_ref()?.value.speeds.as_ref();
        self.speed_of(manifest, |place| speeds?.get(place).copied())
    }

    fn speed_of(
        &self,
        manifest: &Manifest,
        reported: impl Fn(usize) -> Option<f64>,
    ) -> Option<Measured<MeasuredSpeed>> {
        let Measured { value, observed } = self.newest.as_ref()?;
        let stop = &manifest.stop;
        let mut joints = moved(manifest).peekable();
        joints.peek()?;
        let (mut speed_mps, mut standstill) = (0.0, true);
        for joint in joints {
            let place = value.positions.names.iter().position(|name| *name == joint.name)?;
            // A drive that reports zero while its position moves on is not believed.
            let reported = reported(place).filter(|speed| speed.is_finite())?;
            let speed = reported.abs().max(self.shown(joint));
            // In the worst pose all joints add up at the tool, so that the sum is an upper bound.
            speed_mps += joint.reach_m * speed;
            standstill &= speed
                <= match joint.motion {
                    JointMotion::Turning => stop.standstill_radps,
                    JointMotion::Sliding => stop.standstill_mps,
                };
        }
        standstill &= speed_mps <= stop.standstill_mps;
        Some(Measured { value: MeasuredSpeed { speed_mps, standstill }, observed: *observed })
    }

    /// The speed of a joint on its way of the last moment.
    fn shown(&self, joint: &JointSpec) -> f64 {
        let (Some(first), Some(last)) = (self.way.front(), self.way.back()) else { return 0.0 };
        let span = last.observed.since(first.observed);
        let way = first.value.of(&joint.name).zip(last.value.of(&joint.name)).map(|(from, to)| (to - from).abs());
        way.filter(|_| span >= WAY_MIN).map_or(0.0, |way| way / span.as_secs_f64())
    }
}

/// True of a robot whose joints a command can move, and whose manifest has them measured.
pub fn has_measured_joints(manifest: &Manifest) -> bool {
    manifest.state_source(StateKind::Joints).is_some() && moved(manifest).next().is_some()
}

/// The joints that move the point which poses are about.
fn moved(manifest: &Manifest) -> impl Iterator<Item = &JointSpec> {
    let moves = |kind: ActuatorKind| matches!(kind, ActuatorKind::Tool | ActuatorKind::Joints);
    manifest.actuators.iter().filter(move |actuator| moves(actuator.kind)).flat_map(|actuator| &actuator.joints)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: &str = include_str!("../../examples/ur-1.toml");

    fn noted(way: &mut JointTrail, ms: u64, pan: f64, speeds: Option<f64>) -> Option<MeasuredSpeed> {
        let manifest = Manifest::parse(ARM, "ur-1").unwrap();
        let names: Box<[_]> = moved(&manifest).map(|joint| joint.name.clone()).collect();
        let mut positions = vec![0.0; names.len()];
        positions[0] = pan;
        let speeds = speeds.map(|speed| {
            let mut speeds = vec![0.0; names.len()];
            speeds[0] = speed;
            speeds.into()
        });
        let positions = JointPositions { names, positions: positions.into() };
        way.note(JointReading { positions, speeds }, Instant::from_millis(ms));
        way.speed(&manifest).map(|speed| speed.value)
    }

    #[test]
    fn rg_28_an_arm_stands_when_every_joint_does_and_its_speed_bounds_that_of_its_tool() {
        let mut way = JointTrail::default();
        assert_eq!(noted(&mut way, 0, 0.0, Some(0.0)), Some(MeasuredSpeed { speed_mps: 0.0, standstill: true }));
        let moves = noted(&mut way, 20, 0.002, Some(-0.1)).unwrap();
        assert!((moves.speed_mps - 0.1).abs() < 1e-9 && !moves.standstill, "the joint reaches 1 m: {moves:?}");
    }

    #[test]
    fn rg_28_a_joint_that_reports_standstill_and_moves_is_not_believed() {
        let mut way = JointTrail::default();
        let told = (0..10).map(|step| noted(&mut way, 20 * step, 0.002 * step as f64, Some(0.0)));
        assert!(!told.last().flatten().unwrap().standstill);
    }

    #[test]
    fn a_joint_that_reports_no_speed_is_seen_to_move_by_its_way() {
        let manifest = Manifest::parse(ARM, "ur-1").unwrap();
        let mut way = JointTrail::default();
        assert!(has_measured_joints(&manifest) && way.shown_speed(&manifest).is_none(), "nothing was measured");
        for step in 0..4 {
            noted(&mut way, 20 * step, 0.0, None);
        }
        assert!(way.shown_speed(&manifest).unwrap().value.standstill);
        for step in 4..8 {
            noted(&mut way, 20 * step, 0.01 * step as f64, None);
        }
        assert!(!way.shown_speed(&manifest).unwrap().value.standstill);
    }

    #[test]
    fn rg_28_without_the_speed_of_every_joint_nobody_knows_if_the_arm_stands() {
        let mut way = JointTrail::default();
        assert_eq!(noted(&mut way, 0, 0.0, None), None);
        assert_eq!(noted(&mut way, 20, 0.0, Some(f64::NAN)), None);
        assert_eq!(JointTrail::default().speed(&Manifest::parse(ARM, "ur-1").unwrap()), None);
    }
}
