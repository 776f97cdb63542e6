//! The missions of an agent as a graph: what each waits for, and what a person may do with it.

use std::collections::BTreeMap;

use missions::GoalPhrase;
use robot::{MissionId, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{MissionProblem, MissionRow};

/// Missions of an agent and the edges between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionGraph {
    /// The missions, by id.
    pub nodes: Vec<MissionNode>,
    /// Edges between them, once each.
    pub edges: Vec<GraphEdge>,
    /// One circle of each group of missions that wait for one another.
    pub cycles: Vec<Vec<MissionId>>,
    /// SHA-256 of the file of positions, an input of `save_mission_layout`; none if there is no such file.
    pub layout_hash: Option<String>,
    /// The error of the disk or of the parser, if the positions cannot be read; the file is left as it is.
    pub layout_problem: Option<String>,
    /// The last mission of this page, if others follow: `after` of the next one.
    pub next: Option<MissionId>,
}

/// A mission in the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionNode {
    /// The row of `list_missions`.
    #[serde(flatten)]
    pub row: MissionRow,
    /// SHA-256 of the file; none if it is missing or unreadable.
    pub hash: Option<String>,
    /// SHA-256 of the text that was activated.
    pub activated_hash: Option<String>,
    /// The only robots that it may command.
    pub robots: Vec<RobotId>,
    /// Parts of robots that it names to lock.
    pub resources: Vec<String>,
    /// Number of the limits that it adds.
    pub limits: usize,
    /// The number of its goals.
    pub goals: usize,
    /// The number of those that are done.
    pub goals_done: usize,
    /// The goal that it works on, if it runs.
    pub goal: Option<MissionGoalNow>,
    /// Missions that it waits for, with the reasons.
    pub waits: Vec<MissionWait>,
    /// The first 20 problems of the file, in the order of their places.
    pub problems: Vec<MissionProblem>,
    /// Position of its upper left corner, pixels; none if nobody has placed it.
    pub at: Option<[i32; 2]>,
    /// The acts that this session may do with it now. The refusal of another one says what stands against it.
    pub may: Vec<MissionActionName>,
}

/// The goal that a mission works on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionGoalNow {
    /// Its number, from 1.
    pub number: usize,
    /// Its name, or what is done.
    pub text: String,
    /// The same as data; none if its text is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phrase: Option<GoalPhrase>,
    /// Since when, UTC milliseconds.
    #[ts(type = "number")]
    pub since_ms: i64,
}

/// A mission that another one waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionWait {
    /// The mission that is waited for.
    pub mission: MissionId,
    /// A sentence that says why, for people.
    pub sentence: String,
}

/// An edge from a mission to one that follows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GraphEdge {
    /// The mission that comes first; there may be none with this id.
    pub from: MissionId,
    /// The mission that follows.
    pub to: MissionId,
    /// The key of the file that says so.
    pub kind: GraphEdgeKind,
    /// The text in which it stands.
    #[serde(rename = "in")]
    pub in_text: GraphEdgeText,
    /// State of the first mission.
    pub state: GraphEdgeState,
}

/// The key of a mission file that makes an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GraphEdgeKind {
    /// The second starts once the first is completed.
    DependsOn,
    /// The second is a part of the first.
    Parent,
    /// The second starts when a goal of the first has failed.
    Spawn,
}

/// The text in which an edge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GraphEdgeText {
    /// The file and the activated text.
    Both,
    /// The file alone: it is not in force.
    Draft,
    /// The activated text alone: it is in force until the file is activated.
    Activated,
}

/// State of the first mission of an edge, as far as the second waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GraphEdgeState {
    /// It keeps the second from nothing.
    Met,
    /// The second waits for it.
    Open,
    /// The second waits for it in vain until a person mends something.
    Broken,
}

/// The name of an act of a person on a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionActionName {
    /// Lets the text of the file run.
    Activate,
    /// Makes it stand still.
    Pause,
    /// Lets it go on.
    Resume,
    /// Ends it for good.
    Cancel,
    /// Calls it done.
    Complete,
    /// Changes the file.
    Edit,
    /// Puts the file away.
    Remove,
}

/// The answer of `save_mission_layout`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionLayoutSaved {
    /// SHA-256 of the file of positions.
    pub hash: String,
}

/// Positions of missions in the graph, pixels; none where nobody has placed it.
pub type MissionPositions = BTreeMap<MissionId, Option<[i32; 2]>>;
