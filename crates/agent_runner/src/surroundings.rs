//! The traits through which agents reach what they do not own: the station's operations, a person's decision, and what
//! may be known of robots and missions. The station implements them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use agent::{Decision, MissionNotice, ToolOutcome};
use llm::BoxFuture;
use memory::forget::Needles;
use memory::{AgentDb, MemoryError};
use robot::{AgentId, Audience, CommandId, ConversationId, MissionId, ProposalId, RobotId, Stops, TurnId};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use runtime::error::OpError;
use runtime::operation::Row;
use runtime::session::Session;
use runtime::wire::{CommandStep, LinkState, ProposalReason, ProposalRef, RobotRow};

/// The reason of a rejection when nobody is there to decide.
pub const UNATTENDED: &str = "unattended";

/// The rest of the station, as agents may know it.
pub struct Host {
    /// The station's operation table.
    pub operations: Arc<dyn Operations>,
    /// The way to a person's decision.
    pub proposer: Arc<dyn Proposer>,
    /// The robots.
    pub robots: Arc<dyn Robots>,
    /// The missions.
    pub missions: Arc<dyn Missions>,
}

/// The station's operation table. Whatever an agent calls goes through it, with the checks that everybody meets.
pub trait Operations: Send + Sync {
    /// The row called `name`.
    fn row(&self, name: &str) -> Option<&'static Row>;

    /// The row called `name`; of an unknown one a refusal that suggests others.
    fn find(&self, name: &str) -> Result<&'static Row, OpError>;

    /// The rows that an agent may call, by name.
    fn of_agents(&self) -> Vec<&'static Row>;

    /// Calls an operation as `by`.
    fn dispatch<'a>(&'a self, by: &'a Session, name: &'a str, input: Value) -> BoxFuture<'a, Result<Value, OpError>>;

    /// The row called `name`, if an agent may call it.
    fn of_agent(&self, name: &str) -> Option<&'static Row> {
        self.row(name).filter(|row| row.is_for(Audience::Agent))
    }

    /// The robots or missions that the operation called `name` stops.
    fn stops_of(&self, name: &str) -> Stops {
        self.row(name).map_or(Stops::No, |row| row.stops)
    }
}

/// The only way from an agent towards a robot: a card that waits for a person.
pub trait Proposer: Send + Sync {
    /// The operation that makes a card of another.
    fn operation(&self) -> &'static str;

    /// Asks a person about a call; refused if it cannot be proposed.
    fn ask<'a>(&'a self, wanted: &'a Wanted, asker: Requester) -> BoxFuture<'a, Result<Asked, OpError>>;

    /// Voids a proposal that whoever asked does not want any more, if it still waits.
    fn withdraw(&self, proposal: &ProposalId, reason: &ProposalReason);

    /// Takes forgotten texts out of every proposal.
    fn forget(&self, needles: &Needles, mark: &str);

    /// Writes every proposal of `agent` into its database, which a backup has replaced.
    fn put_back<'a>(&'a self, agent: &'a AgentId, db: &'a AgentDb) -> BoxFuture<'a, Result<(), MemoryError>>;
}

/// The robots, as agents are shown them.
pub trait Robots: Send + Sync {
    /// Every robot that can be commanded, in full.
    fn rows(&self) -> Vec<RobotRow>;

    /// The motion of every robot.
    fn motions(&self) -> Vec<RobotMotion>;

    /// The limits that bind robots now, one line each, by robot.
    fn limit_lines(&self) -> Vec<String>;

    /// True if nobody would see a robot move.
    fn is_unseen(&self) -> bool;

    /// Refuses an act while nobody would see its consequences.
    fn check_seen(&self) -> Result<(), OpError>;

    /// A call about `robot` was denied before it reached an operation.
    fn note_denied(&self, robot: &RobotId, sentence: &str);
}

/// The missions of the agents, and the places that hold their texts.
pub trait Missions: Send + Sync {
    /// Takes up the missions of an agent that starts, and watches the folder of their files.
    fn start<'a>(
        &'a self,
        agent: &'a AgentId,
        db: &'a AgentDb,
        files: &'a Path,
    ) -> BoxFuture<'a, Result<(), MemoryError>>;

    /// The missions of which there is a file, or that somebody has activated.
    fn ids(&self, agent: &AgentId) -> BTreeSet<MissionId>;

    /// Refuses a mission of which there is no file, and that nobody has activated.
    fn check_exists(&self, agent: &AgentId, mission: &MissionId) -> Result<(), OpError>;

    /// Puts the contexts and rules of a mission in force, or takes them out, as its state says.
    fn put_in_force(&self, agent: &AgentId, mission: &MissionId);

    /// True if a mission runs.
    fn is_live(&self, agent: &AgentId, mission: &MissionId) -> bool;

    /// The money that the activated text of a mission gives it for models, micro-dollars; none if it has no bound.
    fn budget_microusd(&self, agent: &AgentId, mission: &MissionId) -> Option<i64>;

    /// The active missions whose money was spent when it was last looked at.
    fn spent(&self, agent: &AgentId) -> BTreeSet<MissionId>;

    /// A live mission, as a turn that starts for it is told of it.
    fn notice(&self, agent: &AgentId, mission: &MissionId) -> Option<MissionNotice>;

    /// The activated texts, for the system text of a turn.
    fn active_texts(&self, agent: &AgentId) -> Option<String>;

    /// Takes forgotten texts out of what was activated.
    fn forget<'a>(&'a self, agent: &'a AgentId, needles: &'a Needles, mark: &'a str) -> BoxFuture<'a, ()>;

    /// Writes where every mission stands into the agent's database, which a backup has replaced.
    fn put_back<'a>(&'a self, agent: &'a AgentId) -> BoxFuture<'a, Result<(), MemoryError>>;
}

/// An operation that somebody without the right to it wants done.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The operation.
    pub operation: String,
    /// Its input.
    pub input: Value,
}

/// The agent or program that asks, as far as it matters for the care that the proposal needs.
#[derive(Debug, Clone)]
pub struct Requester {
    /// The agent that wants it, or that the program speaks for.
    pub agent: AgentId,
    /// The turn; none for a program.
    pub turn: Option<TurnId>,
    /// The turn has read untrusted text.
    pub tainted: bool,
    /// The record of what led to it.
    pub cause: Option<String>,
    /// The conversation, and the entry in it that holds the call.
    pub entry: Option<(ConversationId, u64)>,
    /// The reason, in the asker's words.
    pub reason: String,
    /// The mission it is for, if the input does not say.
    pub mission: Option<MissionId>,
}

impl Requester {
    /// The agent that `by` is, or speaks for.
    pub fn of(by: &Session, agent: &AgentId) -> Self {
        let cause = by.cause();
        Self {
            agent: agent.clone(),
            turn: cause.and_then(|cause| cause.turn.clone()),
            tainted: by.is_tainted(),
            cause: cause.and_then(|cause| cause.record.clone()),
            entry: cause.and_then(|cause| cause.entry.clone()),
            reason: String::new(),
            mission: None,
        }
    }
}

/// The outcome of asking.
#[derive(Debug)]
pub enum Asked {
    /// A person will decide.
    Waiting(ProposalRef, mpsc::Receiver<Note>),
    /// A standing approval covers it; its outcome follows.
    Covered(ProposalRef, mpsc::Receiver<Note>),
    /// It makes no card: it was denied, or could not be read.
    Ended(ToolOutcome),
}

/// A note to the turn that asked: the decision, the call's outcome, or the end of its motion.
#[derive(Debug)]
pub enum Note {
    /// A person, the clock or a stop decided.
    Decided(Decision),
    /// The approved call ended.
    Done(ToolOutcome),
    /// Something the call had begun, and that was not over then, has ended.
    Ended(TaskEnd),
}

/// The end of a motion after its call was answered.
#[derive(Debug, Clone)]
pub struct TaskEnd {
    /// The command.
    pub command: CommandId,
    /// The robot that carried it out.
    pub robot: RobotId,
    /// Its last step.
    pub step: CommandStep,
    /// The reason why it did not reach its goal, or is not known to have.
    pub reason: Option<String>,
}

/// A robot as a turn that goes on after a restart is told of it.
#[derive(Debug, Serialize)]
pub struct RobotMotion {
    /// The robot.
    pub robot: RobotId,
    /// The safety state, which decides if motion can pass.
    pub state: String,
    /// The state of its link.
    pub link: LinkState,
    /// True if it stands still; none if that is unknown.
    pub standstill: Option<bool>,
}
