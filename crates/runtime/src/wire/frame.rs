//! Frames: the messages on the channel of one window.

use robot::{AgentId, ConversationId, FrameId, MissionId, ProposalId, RobotId, SessionId, TurnId};
use safety::arbitration::DeskKind;
use safety::fallback::{FallbackClass, FallbackOutcome, FallbackStep};
use safety::leases::{Owner, Resource};
use safety::{OffGoal, Overall};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    AgeBasis, CommandStep, ControlRow, DrillRow, LinkState, Mode, ProposalState, RobotSafety, Stop, ValueOrigin,
};

/// One message of the channel: facts first, then the newest value of each signal that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Frame {
    /// Rises by one; a jump means frames were lost.
    #[ts(type = "number")]
    pub seq: u64,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub mono_ms: u64,
    /// Time of day at the station, Unix milliseconds: a window on another computer may have another one.
    #[ts(type = "number")]
    pub wall_ms: i64,
    /// Newest values.
    pub signals: Vec<Signal>,
    /// Facts in the order in which they happened; never dropped silently.
    pub facts: Vec<Fact>,
    /// Parts of the state that the window has to read again.
    pub tags: Vec<Tag>,
    /// Missions that have changed: the window reads them, and lists of missions, again. `missions` among the tags means
    /// any of them. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<MissionId>>", optional)]
    pub missions: Vec<MissionId>,
}

/// A part of the station's state that was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each names the operations that read it")]
pub enum Tag {
    Robots,
    World,
    Proposals,
    Safety,
    Transcript,
    Constraints,
    Alerts,
    Alarms,
    Events,
    Missions,
    Locks,
    Beliefs,
    Jobs,
    Reviews,
    Agents,
    Contexts,
    Tools,
    Providers,
    ModelCalls,
    SitePlan,
    Access,
    Connections,
}

/// A pose as a signal's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PoseValue {
    /// The frame it is in.
    pub frame: FrameId,
    /// Metres.
    pub position_m: [f64; 3],
    /// `[x, y, z, w]`.
    pub orientation: Option<[f64; 4]>,
}

/// A signal's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[expect(missing_docs, reason = "one variant per JSON form")]
pub enum SignalValue {
    Bool(bool),
    Number(f64),
    Text(String),
    Pose(PoseValue),
}

/// The newest value of one thing that changes, with all that is needed to tell its age.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Signal {
    /// `robot/<id>/pose`, `robot/<id>/speed`, `robot/<id>/battery`, `world/<agent>/<key>`.
    pub id: String,
    /// The key expression it came from.
    pub source: String,
    /// The value.
    pub value: SignalValue,
    /// Its unit.
    pub unit: Option<String>,
    /// 0 to 1; null = unknown.
    pub confidence: Option<f64>,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub observed_mono_ms: u64,
    /// Older than this it is stale, milliseconds.
    #[ts(type = "number")]
    pub max_age_ms: u64,
    /// The clock that the age starts from.
    pub age_basis: AgeBasis,
    /// Measured, estimated or replayed.
    pub origin: ValueOrigin,
    /// True once its robot's link is lost.
    pub source_lost: bool,
    /// True for a robot of the built-in simulator.
    pub simulated: bool,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields carry types that are documented")]
pub enum Fact {
    /// LIVE or SIM changed.
    Mode { mode: Mode },
    /// A robot's link changed, or its round trip was measured.
    Link { robot: RobotId, link: LinkState, rtt_ms: Option<f64> },
    /// A robot's safety state changed.
    RobotSafety { safety: RobotSafety },
    /// A robot is not part of the station any more.
    RobotRemoved { robot: RobotId, mode: Mode },
    /// A stop was pressed, acknowledged, or released.
    Stop { stop: Stop },
    /// A proposal appeared or changed.
    Proposal {
        id: ProposalId,
        #[ts(type = "number")]
        version: u64,
        state: ProposalState,
    },
    /// A command was judged.
    Verdict { id: String, robot: RobotId, overall: Overall, sentence: String },
    /// A command got further.
    CommandStep {
        command: String,
        robot: RobotId,
        step: CommandStep,
        code: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        off_goal: Option<OffGoal>,
        #[ts(type = "number")]
        at_mono_ms: u64,
    },
    /// Control of a robot changed hands, or somebody asks for it, or was refused.
    Control { control: ControlRow },
    /// A part of a robot is used by another, or by nobody.
    Lock {
        #[ts(type = "string")]
        resource: Resource,
        owner: Option<Owner>,
    },
    /// A screen froze, or renders again.
    Screen { session: SessionId, desk: DeskKind, frozen: bool },
    /// A robot's limits changed.
    ConstraintSet {
        robot: RobotId,
        #[ts(type = "number")]
        version: u64,
    },
    /// The stop path of a robot was tested.
    Drill { drill: DrillRow },
    /// A step of the fallback for a failure began or ended.
    Fallback { robot: RobotId, class: FallbackClass, step: FallbackStep, outcome: FallbackOutcome },
    /// A turn of an agent went on.
    Turn { agent: AgentId, session: ConversationId, turn: TurnId, event: agent::Event },
    /// Something needs no answer but is worth knowing.
    Event {
        code: String,
        sentence: String,
        #[ts(type = "number")]
        at_mono_ms: u64,
    },
    /// Facts were lost: reload everything.
    Resync,
}
