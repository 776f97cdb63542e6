//! The parts of the station that missions need, as traits: the agents that carry them out, the robots that they move,
//! and the worlds that they watch. The station implements them.

use agent::{MicroVerdict, MissionNotice};
use llm::BoxFuture;
use robot::{AgentId, CommandId, ConstraintId, MissionId, ProposalId, RawCommand, RobotId, VerdictId};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use world::alarm::{BuiltIn, Of};
use world::predicate::{Memory, Rule, Truth};

use missions::format::front::{Approval, EnvelopeRequest};
use missions::goals::{GoalEnd, GoalReason};
use missions::lifecycle::InForce;
use missions::{CatalogOperation, CatalogRobot, CompiledLimit, MissionFile};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{
    BudgetRow, MissionDryApproval, MissionDryBasis, MissionDryMotion, MissionDryRecorded, ProposalReason, ProposalRef,
    RobotHindrance,
};
use world::{AlertRule, Provider, ProviderConfig, SitePlan};

/// The agents that carry out missions, and the people whom they ask.
pub trait Agents: Send + Sync {
    /// The agent that a call of `by` is about.
    fn meant_by(&self, by: &Session) -> Result<AgentId, OpError>;

    /// True if a language model answers for `agent`.
    fn has_language_model(&self, agent: &AgentId) -> bool;

    /// Asks the model of `agent` once if a mission whose dependencies are completed may start now.
    fn may_start<'a>(&'a self, agent: &'a AgentId, file: &'a MissionFile) -> BoxFuture<'a, MicroVerdict>;

    /// Asks a person about a call of `by` that it has no right to.
    fn propose<'a>(
        &'a self,
        by: &'a Session,
        agent: &'a AgentId,
        operation: &'static str,
        input: Value,
    ) -> BoxFuture<'a, Result<Asked, OpError>>;

    /// Carries out a step of a mission with the rights of `agent`: whatever moves a robot becomes a card that waits
    /// for a person, unless the activation approves it. `told` hears how far that card has come.
    fn carry_out<'a>(
        &'a self,
        agent: &'a AgentId,
        step: StepCall,
        told: mpsc::Sender<CardNote>,
    ) -> BoxFuture<'a, GoalEnd>;

    /// The reason why no turn of a mission of `agent` starts now.
    fn no_turn(&self, agent: &AgentId) -> Option<TurnHindrance>;

    /// Makes one turn of `agent` for a mission, and waits for its end. `cancel` ends it.
    fn take_up<'a>(&'a self, agent: &'a AgentId, turn: TurnCall, cancel: CancellationToken) -> BoxFuture<'a, TurnEnd>;

    /// The approval that a call of `operation` which moves nothing needs as a step of a mission.
    fn approval_of(&self, agent: &AgentId, operation: &str) -> MissionDryApproval;

    /// Voids what waits for a person or was approved beforehand for a mission that stands still.
    fn void_proposals(&self, by: &Session, agent: &AgentId, mission: &MissionId, reason: &ProposalReason);

    /// Grants what a mission asks for as a standing approval of `by`; its hours begin now.
    fn grant<'a>(
        &'a self,
        by: &'a Session,
        mission: &'a MissionId,
        request: &'a EnvelopeRequest,
    ) -> BoxFuture<'a, Result<(), OpError>>;

    /// Takes the standing approvals back that were given for a mission.
    fn void_standing(&self, by: &Session, mission: &MissionId, reason: &str);

    /// Money that the models of a mission have cost, against its budget with what people have added.
    fn money<'a>(&'a self, agent: &'a AgentId, mission: &'a MissionId) -> BoxFuture<'a, Result<BudgetRow, OpError>>;

    /// The operations of the station, by name.
    fn operations(&self) -> Arc<BTreeMap<String, CatalogOperation>>;

    /// Number of the jobs of each mission of `agent` that are not over, for those that have some.
    fn jobs<'a>(&'a self, agent: &'a AgentId) -> BoxFuture<'a, BTreeMap<String, usize>>;

    /// Schedules what the text of a mission plans and is not scheduled yet, and cancels what it planned before.
    fn plan_jobs<'a>(&'a self, agent: &'a AgentId, planned: PlannedJobs) -> BoxFuture<'a, Result<(), OpError>>;

    /// Ends the turns that started by themselves for a mission. Nothing of it waits.
    fn end_turns(&self, agent: &AgentId, mission: &MissionId);

    /// Ends the runs of the jobs of a mission, and the jobs themselves if it `has_ended`.
    fn halt_jobs<'a>(&'a self, agent: &'a AgentId, mission: &'a MissionId, has_ended: bool) -> BoxFuture<'a, ()>;
}

/// The jobs that the text of a mission plans.
#[derive(Debug, Clone)]
pub struct PlannedJobs {
    /// The mission.
    pub mission: MissionId,
    /// The person who activated it.
    pub actor: String,
    /// The beginning of the names of everything that this mission declares.
    pub prefix: String,
    /// The inputs of its tasks, each with the rest of its name.
    pub jobs: Vec<(String, Value)>,
}

/// The outcome of asking a person.
#[derive(Debug)]
pub enum Asked {
    /// A card waits for a person, or a standing approval covers it.
    Card(ProposalRef),
    /// It makes no card; the answer says why.
    Refused(Value),
}

/// A step of a mission that is to be carried out.
#[derive(Debug, Clone)]
pub struct StepCall {
    /// Its place in the run.
    pub of: StepOf,
    /// The operation.
    pub operation: String,
    /// Its input.
    pub input: Value,
    /// The reason on the card.
    pub reason: String,
    /// The longest time from the approval to the end.
    pub timeout: Duration,
    /// True if a person has turned it down before in this run, so that the activation does not approve it.
    pub is_turned_down: bool,
}

/// The place of a step that is carried out: an approval of it holds for nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepOf {
    /// The mission.
    pub mission: MissionId,
    /// The activation of its text.
    pub activation: String,
    /// The hash of that text.
    pub hash: String,
    /// The run.
    pub run: String,
    /// The number of the goal, from 0.
    pub goal: usize,
    /// Counts its beginnings, from 1.
    pub attempt: u32,
}

/// A turn of an agent for a mission.
#[derive(Debug, Clone)]
pub struct TurnCall {
    /// The mission, as the turn is told of it.
    pub mission: MissionNotice,
    /// The run that it belongs to.
    pub run: String,
    /// The mission's title.
    pub title: String,
    /// The instruction.
    pub prompt: String,
}

/// The end of a turn for a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// The agent answered.
    Done,
    /// It came to no answer, for this reason.
    Failed(GoalReason),
    /// It was not begun.
    NotBegun,
}

/// A reason why no turn of a mission starts now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnHindrance {
    /// No language model answers for the agent.
    NoModel,
    /// Another turn comes first.
    Later,
}

/// A note on the card of a step.
#[derive(Debug)]
pub enum CardNote {
    /// This card waits for a person.
    Asked(ProposalId),
    /// A person approved it.
    Approved,
    /// This command was made of it, with this verdict.
    Judged(CommandId, Option<VerdictId>),
}

/// The thing that keeps a robot from moving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotReady {
    /// A sentence on it.
    pub sentence: String,
    /// The same as data.
    pub why: RobotHindrance,
}

/// The robots that missions move.
pub trait Fleet: Send + Sync {
    /// The first of `robots` with an open stop.
    fn stopped_one(&self, robots: &[RobotId]) -> Option<RobotId>;

    /// The thing that keeps `robot` from moving for `agent`, as long as something does.
    fn not_ready(&self, agent: &AgentId, robot: &RobotId) -> Option<NotReady>;

    /// Locks all of `parts` for a mission of `agent`, or none of them. Never waits.
    fn lock(
        &self,
        agent: &AgentId,
        mission: &MissionId,
        parts: &BTreeSet<String>,
    ) -> Result<Box<dyn PartLock>, LockedPart>;

    /// Holds the robots that carry out a command of `mission`, and names them.
    fn hold_for(&self, mission: &MissionId) -> Vec<RobotId>;

    /// Those of `robots` that are not seen to stand still.
    fn still_moving(&self, robots: Vec<RobotId>) -> Vec<RobotId>;

    /// The robots of the site, with the limits registered for them; those of missions are left out.
    fn robots(&self) -> BTreeMap<RobotId, CatalogRobot>;

    /// The missions that have limits in force at some robot.
    fn bound(&self) -> BTreeSet<MissionId>;

    /// Puts those of the limits of `mission` in force that are not yet.
    fn bind<'a>(
        &'a self,
        by: &'a Session,
        mission: &'a MissionId,
        limits: Vec<(ConstraintId, CompiledLimit)>,
    ) -> BoxFuture<'a, Result<(), OpError>>;

    /// Takes the limits whose id begins with `prefix` out of force, `kept` left out.
    fn release<'a>(
        &'a self,
        by: &'a Session,
        prefix: &'a str,
        kept: &'a [ConstraintId],
    ) -> BoxFuture<'a, Result<(), OpError>>;

    /// Judges motions one after the other, each from where the one before would end. Nothing is sent, leased or kept.
    fn dry_run<'a>(&'a self, agent: &'a AgentId, motions: DryMotions) -> BoxFuture<'a, Result<DryAnswer, OpError>>;

    /// The ground of verdicts about each of `robots`, limits whose id begins with `prefix` left out. A robot that is
    /// gone has none.
    fn basis(&self, robots: &BTreeSet<RobotId>, prefix: &str) -> Vec<MissionDryBasis>;

    /// The other that has one of `parts` now, by the first of them.
    fn locked_by_another(&self, agent: &AgentId, mission: &MissionId, parts: &BTreeSet<String>) -> Option<LockedPart>;

    /// The plan on which people see the robots. Its areas have names.
    fn site_plan(&self) -> BoxFuture<'_, Result<SitePlan, OpError>>;

    /// Number of the open commands of `mission`.
    fn open_commands(&self, mission: &MissionId) -> usize;
}

/// Motions of a mission that are judged without being sent.
#[derive(Debug, Clone)]
pub struct DryMotions {
    /// The mission.
    pub mission: MissionId,
    /// The robots that it names.
    pub robots: BTreeSet<RobotId>,
    /// The beginning of the names of the limits that it has in force.
    pub prefix: String,
    /// The limits that take their place.
    pub limits: Vec<(ConstraintId, CompiledLimit)>,
    /// The commands, in the order of a run.
    pub commands: Vec<RawCommand>,
    /// True if the limits are tried on recorded commands too.
    pub recorded: bool,
    /// The approval that they need in a run.
    pub approval: Approval,
}

/// The judgements of a dry run.
#[derive(Debug)]
pub struct DryAnswer {
    /// One for each command.
    pub motions: Vec<DryMotion>,
    /// Those of recorded commands, if they were asked for.
    pub recorded: Option<MissionDryRecorded>,
}

/// A motion that was judged without being sent.
#[derive(Debug)]
pub struct DryMotion {
    /// The judgement.
    pub motion: MissionDryMotion,
    /// True if every limit allows it.
    pub is_allowed: bool,
    /// The approval that it would need.
    pub approval: MissionDryApproval,
    /// Seconds that it takes, if anybody can tell.
    pub takes_s: Option<f64>,
}

/// Locked parts of robots; they are free once it is dropped.
pub trait PartLock: Send + Sync {
    /// Keeps them for some seconds more; false if they are lost.
    fn keep(&self) -> bool;
}

/// A part of a robot that another has locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedPart {
    /// Its path.
    pub part: String,
    /// The other; none if nobody can tell.
    pub holder: Option<String>,
}

/// The contexts and rules that the text of a mission declares.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The mission.
    pub mission: MissionId,
    /// The person who activated it.
    pub actor: String,
    /// The beginning of the names of everything that this mission declares.
    pub prefix: String,
    /// True if rules are in force, so that missing ones are added.
    pub adds_rules: bool,
    /// Contexts, each with the rest of its name.
    pub contexts: Vec<(String, ProviderConfig)>,
    /// Rules, each with the rest of its name.
    pub rules: Vec<(String, AlertRule)>,
}

/// The worlds that missions watch, and the alarms.
pub trait Sensing: Send + Sync {
    /// The truth of `rule` in the world of `agent`; `memory` is that of an earlier look at the same rule.
    fn truth(&self, agent: &AgentId, rule: &Rule, memory: &mut Memory) -> Truth;

    /// The values of the keys that `rule` names, in a phrase.
    fn values(&self, agent: &AgentId, rule: &Rule) -> String;

    /// Puts the contexts and rules of a mission in force, or takes them out.
    fn put_in_force(&self, agent: &AgentId, mission: &MissionId, parts: InForce);

    /// Registers what the text of a mission declares, and withdraws what it declared before.
    fn declare<'a>(&'a self, agent: &'a AgentId, declared: Declared) -> BoxFuture<'a, Result<(), OpError>>;

    /// The contexts of `agent` that have not ended, each with the mission that it belongs to.
    fn providers(&self, agent: &AgentId) -> Vec<(Option<MissionId>, Provider)>;

    /// Number of a mission's contexts that take samples, and number of its rules in force.
    fn live(&self, agent: &AgentId, mission: &MissionId) -> (usize, usize);

    /// The condition of a built-in alarm is there, with its detail, or gone.
    fn set_alarm(&self, alarm: BuiltIn, of: &Of, detail: Option<String>);
}
