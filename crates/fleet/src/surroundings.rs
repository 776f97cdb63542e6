//! The parts of the station that object to commands, and those that act
//! on what happens to robots. The fleet knows them as these traits alone.

use std::collections::{BTreeMap, BTreeSet};

use robot::{Instant, MissionId, RobotId};
use safety::fallback::{FallbackClass, FallbackStep};
use world::alarm::{BuiltIn, Of};

use crate::state::commands::Step;
use crate::state::robot_handle::RobotHandle;
use crate::state::submission::Submission;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{LinkState, ProposalReason};

/// The robots that each mission names.
pub type MissionRobots = BTreeMap<MissionId, Option<BTreeSet<RobotId>>>;

/// Reasons against commands that the fleet cannot know itself.
pub trait Objector: Send + Sync {
    /// Refuses a mission that is not known, or cannot be read.
    fn check_mission(&self, id: &MissionId) -> Result<(), OpError>;

    /// The reason why the mission that a command belongs to moves nothing now.
    fn mission_halt(&self, submission: &Submission) -> Option<String>;

    /// The robots that each mission names; none where a file of it cannot be read, which may name any robot.
    fn mission_robots(&self) -> MissionRobots;
}

/// A stop that was put: it voids what waits for leave to move, or was given it.
#[derive(Debug, Clone)]
pub struct PressedStop {
    /// The session that pressed it.
    pub by: Session,
    /// Its number.
    pub stop_id: u64,
    /// Stops pressed up to this one: what was made before is void, see [`crate::stops::Stops::presses`].
    pub presses: u64,
    /// The robots that it stops.
    pub robots: BTreeSet<RobotId>,
    /// It stops every robot of the station.
    pub is_of_all: bool,
}

/// Acts on what happens to robots.
pub trait Observer: Send + Sync {
    /// The condition of a built-in alarm is there, with its detail, or gone.
    fn set_alarm(&self, alarm: BuiltIn, of: &Of, detail: Option<String>);

    /// A moment that people must see: the alarm is there until somebody has.
    fn note_alarm(&self, alarm: BuiltIn, of: &Of, detail: String);

    /// Somebody made up a message in the name of `robot` or of this station.
    fn note_forged(&self, robot: &RobotId, sentence: String);

    /// `robot` was stopped as a test, and was seen to stop.
    fn note_stop_tested(&self, robot: &RobotId);

    /// A command got further.
    fn note_step(&self, step: &Step);

    /// A robot's link came up or was lost.
    fn note_link(&self, unit: &RobotHandle, link: LinkState);

    /// A stop was pressed. Called on the way of the stop: it must wait for nothing.
    fn end_turns(&self, by: &Session);

    /// The stop is put. Called on the thread of what follows a stop.
    fn void_after_stop(&self, stop: &PressedStop);

    /// Voids the proposals and approvals that could still move `robot`. Without `by` the station itself does it.
    fn void_of(&self, by: Option<&Session>, robot: &RobotId, reason: &ProposalReason);

    /// Voids everything that waits to move a robot.
    fn void_all(&self, by: &Session, reason: &ProposalReason);

    /// Makes every mission of every agent stand still, in answer to a failure of `class`.
    fn pause_missions(&self, class: FallbackClass);

    /// The steps that live missions with `robot` add to the response to a failure of `class`.
    fn further_steps(&self, robot: &RobotId, class: FallbackClass) -> Vec<FallbackStep>;

    /// Nothing waits to move a robot, and no mission is active.
    fn nothing_waits(&self) -> bool;

    /// Wakes every agent that is not in a turn: commands of `robot` fail.
    fn alert_agents(&self, robot: &RobotId, class: FallbackClass, why: &str, now: Instant);

    /// An agent is in a turn, in which it learns what happens.
    fn is_agent_in_turn(&self) -> bool;
}
