//! Phrases of a mission as data: a window says them in its own language. Their text is the English of the station.

mod english;
mod goal;

use robot::{FrameId, MissionId, span_in_words};
use safety::ConstraintKind;
use safety::fallback::{FallbackClass, FallbackStep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

use crate::format::front::Hold;
pub(crate) use english::{cut, limit};
pub use goal::{GoalPhrase, JointPlace, MotionPhrase};

/// When a run or a job begins.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "MissionStart")]
#[schemars(rename = "MissionStart")]
pub enum Start {
    /// Once its mission is live.
    #[error("at once")]
    AtOnce,
    /// Another mission fails that names this one.
    #[error("when a mission fails that names this one")]
    Spawned,
    /// The times of cron text.
    #[error("{words}")]
    Cron {
        /// The text.
        cron: String,
        /// The same in English.
        words: String,
    },
    /// One time.
    #[error("at {time}")]
    At {
        /// As it is written in the file.
        time: String,
    },
    /// The first time that a predicate holds.
    #[error("the first time that {rule}")]
    FirstTime {
        /// The predicate.
        rule: String,
    },
    /// Each time that a predicate becomes true.
    #[error("whenever {rule}")]
    Whenever {
        /// The predicate.
        rule: String,
    },
    /// After equal spans of time.
    #[error("every {}", seconds(*secs))]
    Every {
        /// Seconds.
        secs: u32,
    },
    /// At no time.
    #[error("never")]
    Never,
    /// One that was missed.
    #[error("late: {start}")]
    Late {
        /// The one that was missed.
        start: Box<Start>,
    },
    /// Another mission that failed.
    #[error("{mission} failed")]
    Failed {
        /// The other mission.
        mission: MissionId,
    },
}

/// A part of a mission that a statement is about.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "MissionPart")]
#[schemars(rename = "MissionPart")]
pub enum MissionPart {
    /// Its title.
    #[error("the title")]
    Title,
    /// The mission that it is a part of.
    #[error("the parent")]
    Parent,
    /// A mission that comes first.
    #[error("the dependency on")]
    Dependency,
    /// A robot that it may command.
    #[error("the robot")]
    Robot,
    /// A part of a robot that it has to itself.
    #[error("the lock on {path}")]
    Lock {
        /// The part.
        path: String,
    },
    /// The response to a class of failures of its robots.
    #[error("the response to the class “{}”:", english::wire(class))]
    Response {
        /// The class.
        class: FallbackClass,
    },
    /// A provider of world state.
    #[error("the provider of")]
    Provider,
    /// A rule that raises an alarm.
    #[error("the alert")]
    Alert,
    /// A start of its runs.
    #[error("the start")]
    Start,
    /// The zone of its times.
    #[error("the time zone")]
    TimeZone,
    /// A condition of its start.
    #[error("the precondition")]
    Precondition,
    /// A goal.
    #[error("goal {number}:")]
    Goal {
        /// Its number, from 1.
        number: usize,
    },
    /// A job that lives while it does.
    #[error("the job")]
    Job,
    /// The rule by which it is completed.
    #[error("the completion rule")]
    Completion,
    /// The response to a goal that failed.
    #[error("the response to a failure:")]
    Failure,
    /// A standing approval that it asks for.
    #[error("the request for a standing approval:")]
    Envelope,
    /// The text that the agent reads.
    #[error("the text for the agent:")]
    Text,
    /// A limit.
    #[error("a limit on {bound}:")]
    Limit {
        /// The robot that it binds, with the actuator if it binds only one.
        bound: String,
    },
    /// The end of its life.
    #[error("the end")]
    End,
    /// The approval of its steps.
    #[error("the approval")]
    Approval,
    /// The money that its models may cost.
    #[error("the budget")]
    Budget,
}

/// The content of a part of a mission.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "MissionPhrase")]
#[schemars(rename = "MissionPhrase")]
pub enum Phrase {
    /// Names and rules, as they are written.
    #[error("{text}")]
    Plain {
        /// The text.
        text: String,
    },
    /// The beginning of a text of people.
    #[error("“{text}”")]
    Quoted {
        /// The text.
        text: String,
    },
    /// A part is had for a whole run.
    #[error("for the whole run")]
    WholeRun,
    /// A part is had around each command.
    #[error("for each command")]
    EachCommand,
    /// Steps one after the other.
    #[error("{}", english::wire(steps))]
    Steps {
        /// The steps.
        steps: Vec<FallbackStep>,
    },
    /// An entry of the world state that messages give.
    #[error("{key} from {field} of {topic}")]
    Provided {
        /// The key.
        key: String,
        /// The field of the message.
        field: String,
        /// The topics.
        topic: String,
    },
    /// A predicate that becomes true.
    #[error("when {rule}")]
    When {
        /// The predicate.
        rule: String,
    },
    /// A start.
    #[error("{start}")]
    Starts {
        /// The start.
        start: Start,
    },
    /// A goal.
    #[error("{goal}")]
    Does {
        /// The goal.
        goal: GoalPhrase,
    },
    /// A job.
    #[error("{}{does} {due}", named(name.as_deref()))]
    Job {
        /// Its name.
        name: Option<String>,
        /// Its deed.
        does: GoalPhrase,
        /// When it is due.
        due: Start,
    },
    /// The mission fails.
    #[error("the mission fails")]
    Fails,
    /// The mission pauses.
    #[error("the mission pauses and tells the agent")]
    Pauses,
    /// The goal is tried again.
    #[error("the goal is tried again up to {times} times, first after {}", seconds(*secs))]
    Retries {
        /// Most repetitions.
        times: u32,
        /// Seconds before the first.
        secs: u32,
    },
    /// The mission fails, and another one starts.
    #[error("the mission fails and starts {mission}")]
    FailsAndStarts {
        /// The other one.
        mission: MissionId,
    },
    /// Motions that a standing approval covers.
    #[error("{}", english::covered(self))]
    Motions {
        /// Most motions.
        count: u32,
        /// The robot and its actuator.
        target: String,
        /// Hours that it holds.
        hours: f64,
        /// The highest speed, metres per second.
        speed_mps: f64,
        /// The highest force, newtons.
        force_n: Option<f64>,
        /// The box the whole way stays in, `[min, max]` of x, y and z, metres.
        region_m: Option<[[f64; 2]; 3]>,
        /// The frame of the box.
        frame: Option<FrameId>,
    },
    /// The demand of a limit.
    #[error("{}{}", english::limit(limit), in_frame(frame.as_ref()))]
    Limit {
        /// The demand.
        limit: ConstraintKind,
        /// The frame of its places, if it has any.
        frame: Option<FrameId>,
    },
    /// A span after the activation.
    #[error("{} after activation", seconds(*secs))]
    AfterActivation {
        /// Seconds.
        secs: u32,
    },
    /// One time.
    #[error("at {time}")]
    AtTime {
        /// As it is written in the file.
        time: String,
    },
    /// A person is asked before every step that moves something.
    #[error("Asks a person before every step that moves something.")]
    Asks,
    /// The activation approves steps below the highest tier.
    #[error("Lets steps below the High tier move something without asking again.")]
    Lets,
    /// Money.
    #[error("{usd} USD")]
    Money {
        /// US dollars.
        usd: f64,
    },
}

/// A statement of a mission: a part of it with its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(rename = "MissionStatement")]
#[schemars(rename = "MissionStatement")]
pub struct Statement {
    /// The part.
    pub part: MissionPart,
    /// Its content.
    pub phrase: Phrase,
}

impl From<Hold> for Phrase {
    fn from(hold: Hold) -> Self {
        match hold {
            Hold::Run => Self::WholeRun,
            Hold::Command => Self::EachCommand,
        }
    }
}

impl Phrase {
    /// A text as it is written.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::Plain { text: text.into() }
    }

    /// The beginning of a text of people.
    pub(crate) fn quoted(text: &str) -> Self {
        Self::Quoted { text: english::cut(text) }
    }
}

fn named(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!("{name}: "))
}

fn in_frame(frame: Option<&FrameId>) -> String {
    frame.map_or_else(String::new, |frame| format!(", in {frame}"))
}

/// Seconds in words.
pub(crate) fn seconds(secs: u32) -> String {
    span_in_words(u64::from(secs) * 1_000)
}
