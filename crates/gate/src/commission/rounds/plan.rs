//! The rounds of a robot: its arms, its means of stopping, and the commands that a round wishes for.

use robot::{
    ActuatorId, Command, JointGoal, JointMotion, JointResult, JointSpec, Manifest, Motion, StepMotion, StepOutcome,
    StepWish, StopMeans, StopSpec, commissioned_arms,
};

use crate::commission::measure::{Look, STRAYS};

/// Way of a joint that turns, radians, and of one that slides, metres.
const TRAVEL_RAD: f64 = 0.1;
const TRAVEL_M: f64 = 0.05;
/// Speed of a joint that turns, radians per second, and of one that slides, metres per second.
const SPEED_RADPS: f64 = 0.1;
const SPEED_MPS: f64 = 0.05;
/// The fastest tool of a round, metres per second, and the share of it, or of the manifest's limit, that is asked for.
const TOOL_MPS_MAX: f64 = 0.2;
const TOOL_SHARE: f64 = 0.9;
/// Numbers of a command that are this near are those that were wished for.
const SAME: f64 = 1e-6;

/// The part of a robot that rounds are about.
#[derive(Debug, Default)]
pub struct Plan {
    arms: Vec<Arm>,
    stops: Vec<StopMeans>,
}

/// An arm with its joints.
#[derive(Debug)]
pub struct Arm {
    /// Its name.
    pub actuator: ActuatorId,
    /// In the manifest's order.
    pub joints: Box<[JointSpec]>,
    /// The fastest joint that leaves the tool within its speed if every joint had it.
    speed_max: f64,
}

/// One round: a motion, and the one means that ends it; the hold of every day if it names none.
#[derive(Debug, Clone)]
pub struct Round {
    /// The motion.
    pub moves: Moves,
    /// The means that ends it.
    pub means: Option<StopMeans>,
}

/// The motion of a round.
#[derive(Debug, Clone, Copy)]
pub enum Moves {
    /// A velocity of the base.
    Velocity(StepMotion),
    /// A joint, by the places of its arm and of itself.
    Joint(usize, usize),
    /// None: no step moves the robot in a way that the means ends.
    Nothing,
}

impl Plan {
    /// The arms of a manifest if the adapter takes goals of joints, and the adapter's means of stopping.
    pub fn new(manifest: &Manifest, takes_joints: bool, stops: Vec<StopMeans>) -> Self {
        let tool_mps = TOOL_SHARE * TOOL_MPS_MAX.min(manifest.limits.speed_mps_max);
        let arm = |arm: &robot::Actuator| {
            // A goal is judged as if every joint had its speed.
            let speed_max = tool_mps / arm.joints.iter().map(|spec| spec.reach_m).sum::<f64>();
            Arm { actuator: arm.id.clone(), joints: arm.joints.clone().into(), speed_max }
        };
        Self { arms: commissioned_arms(manifest).filter(|_| takes_joints).map(arm).collect(), stops }
    }

    /// True if it moves joints.
    pub fn has_joints(&self) -> bool {
        self.arms.iter().any(|arm| !arm.joints.is_empty())
    }

    /// The first joint that a round moves no faster than what `stop` counts as standstill: it would be seen to stand while
    /// it moves.
    pub fn unseen(&self, stop: &StopSpec) -> Option<&JointSpec> {
        let standstill = |spec: &JointSpec| match spec.motion {
            JointMotion::Turning => stop.standstill_radps,
            JointMotion::Sliding => stop.standstill_mps,
        };
        let of_arm = |arm: &'_ Arm, spec: &JointSpec| arm.speed(spec) <= standstill(spec);
        self.arms.iter().find_map(|arm| arm.joints.iter().find(|spec| of_arm(arm, spec)))
    }

    /// One round for each joint.
    pub fn of_joints(&self) -> impl Iterator<Item = Round> {
        let joints = |(place, arm): (usize, &Arm)| (0..arm.joints.len()).map(move |joint| Moves::Joint(place, joint));
        self.arms.iter().enumerate().flat_map(joints).map(|moves| Round { moves, means: None })
    }

    /// One round for each means of stopping, with the motion that it ends.
    pub fn of_stops(&self, velocity: Option<StepMotion>) -> impl Iterator<Item = Round> {
        let joint = self.has_joints().then_some(Moves::Joint(0, 0));
        self.stops.iter().map(move |means| {
            let moves = match means {
                StopMeans::Zeros | StopMeans::Lock => velocity.map(Moves::Velocity),
                StopMeans::Goals(_) => joint,
                StopMeans::Service(_) => velocity.map(Moves::Velocity).or(joint),
                // No step sends a goal to another action, so that there is none that this could end.
                StopMeans::Cancel(_) => None,
            };
            Round { moves: moves.unwrap_or(Moves::Nothing), means: Some(means.clone()) }
        })
    }

    /// A joint of an arm, by their places.
    pub fn joint(&self, arm: usize, joint: usize) -> Option<(&Arm, &JointSpec)> {
        let arm = self.arms.get(arm)?;
        arm.joints.get(joint).map(|spec| (arm, spec))
    }
}

/// Positions of an arm's joints; none unless every one is measured.
pub fn positions(arm: &Arm, look: &Look) -> Option<Box<[f64]>> {
    let measured = look.joints.as_ref()?;
    let position = |spec: &JointSpec| measured.of(&spec.name).filter(|position| position.is_finite());
    arm.joints.iter().map(position).collect()
}

impl Arm {
    /// Speed of a joint in a round.
    pub fn speed(&self, spec: &JointSpec) -> f64 {
        let step = match spec.motion {
            JointMotion::Turning => SPEED_RADPS,
            JointMotion::Sliding => SPEED_MPS,
        };
        step.min(spec.velocity).min(self.speed_max)
    }
}

/// Way of a joint in a round.
pub const fn travel(spec: &JointSpec) -> f64 {
    match spec.motion {
        JointMotion::Turning => TRAVEL_RAD,
        JointMotion::Sliding => TRAVEL_M,
    }
}

/// Way of a joint to the side where it has more room.
pub fn way_with_room(spec: &JointSpec, at: f64) -> f64 {
    let [low, high] = spec.position;
    let (up, down) = (high - at, at - low);
    // A joint that overshoots its goal by the whole way is still within its limits.
    let way = travel(spec).min(up.max(down) / 2.0).max(0.0);
    if up >= down { way } else { -way }
}

/// The goal that moves one joint and keeps the others.
pub fn goal(arm: &Arm, joint: usize, from: &[f64], way: f64) -> StepWish {
    let mut positions = from.to_vec();
    positions[joint] += way;
    let names = arm.joints.iter().map(|spec| spec.name.clone()).collect();
    StepWish::Joints(JointGoal {
        actuator: arm.actuator.clone(),
        names,
        positions,
        speed: arm.speed(&arm.joints[joint]),
    })
}

/// True if another joint of the arm has moved.
pub fn strays(arm: &Arm, joint: usize, ways: &[f64]) -> bool {
    let others = arm.joints.iter().zip(ways).enumerate().filter(|(place, _)| *place != joint);
    others.into_iter().any(|(_, (spec, way))| way.abs() > STRAYS * travel(spec))
}

/// The result of a joint that nothing was measured of yet.
pub fn joint_result(arm: &Arm, spec: &JointSpec) -> JointResult {
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
pub fn is_wished(wish: &StepWish, command: &Command) -> bool {
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
