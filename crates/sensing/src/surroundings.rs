//! The parts of the station that sensing knows as traits alone.

use std::sync::Arc;

use bridge::signing::SignedSample;
use robot::{AgentId, Camera, CameraId, MapSource, RobotId};
use world::{AlertId, Entry, Fire, RuleMove};

use crate::rules::FireRecord;
use runtime::stamps::Stamps;

/// The robots and simulators that samples come from.
pub trait Sources: Send + Sync {
    /// True if a sample may be taken for true now by a listener that has taken `stamps`.
    fn believes(&self, message: &SignedSample, stamps: &Stamps) -> bool;

    /// The robot that speaks below `key_expr`.
    fn robot_of(&self, key_expr: &str) -> Option<RobotId>;

    /// A camera of a robot, as its manifest declares it.
    fn camera(&self, robot: &RobotId, camera: &CameraId) -> Option<Camera>;

    /// The maps of all robots that have one, as their manifests declare them.
    fn maps(&self) -> Vec<(RobotId, MapSource)>;

    /// True if the simulator speaks on `key_expr`.
    fn is_simulated(&self, key_expr: &str) -> bool;
}

/// The agents, whom a world wakes.
pub trait Waker: Send + Sync {
    /// A fresh id of a record in episodic memory.
    fn episode_id(&self) -> String;

    /// A rule of `agent` has fired: it is a reason for a turn.
    fn fired(&self, agent: &AgentId, fire: &Fire, record: FireRecord);

    /// Has a fire remembered under `episode`. Called once people have been told.
    fn remember(&self, agent: &AgentId, fire: &Fire, episode: String);

    /// The predicate of a rule says something else.
    fn moved(&self, agent: &AgentId, moved: &RuleMove);

    /// A rule is gone, and no reason for a turn any more.
    fn removed(&self, agent: &AgentId, rule: &AlertId);

    /// An entry of the world has changed.
    fn changed(&self, agent: &AgentId, entry: &Arc<Entry>);
}
