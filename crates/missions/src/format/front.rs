//! The front matter as values: the keys that a mission file may have, their types and their defaults.

mod decode;
mod goals;
mod keys;
mod limits;
pub(crate) mod names;
mod reader;
mod times;

use std::collections::BTreeMap;

use robot::{ActuatorId, FrameId, MissionId, RobotId};
use safety::fallback::{FallbackClass, FallbackStep};
use safety::{ConstraintKind, EnvelopeBox};
use serde::{Deserialize, Serialize, Serializer};
use world::cron::{Cron, Zone};
use world::predicate::Rule;
use world::{AlertRule, ProviderConfig};

use crate::problem::Located;

pub(crate) use decode::decode;
pub(crate) use keys::{TITLE_CHARS_MAX, read};
pub use times::WrittenTime;

/// The keys of a mission file. A key that is left out has its default, and so has one whose value is wrong: a file with
/// problems is never activated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Front {
    /// The title, one line of at most 120 characters.
    pub title: Option<Located<String>>,
    /// The mission that this one is a part of.
    pub parent: Option<Located<MissionId>>,
    /// Missions that have to be completed before this one starts, at most 64.
    pub depends_on: Vec<Located<MissionId>>,
    /// The only robots that the mission may command, at most 16.
    pub robots: Vec<Located<RobotId>>,
    /// Parts of robots that it locks, at most 32; left out, the actuators of its steps.
    pub resources: Option<Vec<Located<LockedPart>>>,
    /// Limits on its robots, at most 1,024.
    pub constraints: Vec<Located<Limit>>,
    /// Steps that follow the default steps of the response to a failure.
    pub fallbacks: BTreeMap<FallbackClass, Vec<FallbackStep>>,
    /// Rules that turn samples into world state while it lives, at most 64.
    pub providers: Vec<Located<ProviderConfig>>,
    /// Rules that wake the agent while it lives, at most 64.
    pub alerts: Vec<Located<AlertRule>>,
    /// Starters of a run, at most 8; left out, one that starts at once.
    pub triggers: Vec<Located<Trigger>>,
    /// The zone of its times; left out, the station's.
    pub time_zone: Option<Located<Zone>>,
    /// Conditions before it starts, at most 16.
    pub preconditions: Vec<Located<Precondition>>,
    /// Its goals in the order in which it works through them, at most 128.
    pub goals: Vec<Located<Goal>>,
    /// Jobs that live as long as it does, at most 32.
    pub schedule: Vec<Located<PlannedJob>>,
    /// Completes it once all goals are done.
    pub completes_when: Option<Located<Rule>>,
    /// The end of its life.
    pub expires: Option<Located<Expiry>>,
    /// The response to a failed goal.
    pub on_failure: OnFailure,
    /// Approval that its steps need.
    pub approval: Approval,
    /// Standing approvals that it asks for, at most 16.
    pub envelope: Vec<Located<EnvelopeRequest>>,
    /// Model calls that it may cost, US dollars.
    pub budget_usd: Option<Located<f64>>,
}

/// A part of a robot that a mission locks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LockedPart {
    /// The robot.
    pub robot: RobotId,
    /// Names of parts below it, from the outermost inwards, at least one.
    pub part: Vec<String>,
    /// Time for which it is locked.
    pub hold: Hold,
}

/// Time for which a part is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// From the first motion of a run to the run's end.
    Run,
    /// Around each command.
    Command,
}

/// A limit on robots of a mission.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The demand.
    pub kind: ConstraintKind,
    /// The robot it binds; all of the mission's if none is named.
    pub robot: Option<RobotId>,
    /// The only actuator it binds.
    pub actuator: Option<ActuatorId>,
    /// The frame of its numbers; the robot's default frame if none is named.
    pub frame: Option<FrameId>,
    /// The reason for it.
    pub reason: Option<String>,
}

/// A starter of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Going live.
    Immediate,
    /// Another mission that failed.
    Spawn,
    /// The times of cron text.
    Cron(Cron),
    /// One time.
    At(WrittenTime),
    /// A predicate that becomes true.
    When {
        /// The predicate.
        #[serde(serialize_with = "as_text")]
        rule: Rule,
        /// Only the first time.
        once: bool,
    },
}

impl Trigger {
    /// True if it may start more than one run.
    #[must_use]
    pub const fn recurs(&self) -> bool {
        match self {
            Self::Cron(_) | Self::Spawn => true,
            Self::When { once, .. } => !*once,
            Self::Immediate | Self::At(_) => false,
        }
    }
}

/// A condition before a start.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Precondition {
    /// A predicate over the world state.
    Rule(#[serde(serialize_with = "as_text")] Rule),
    /// A sentence that a model or a person judges, at most 300 characters.
    Text(String),
}

/// A goal of a mission.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// A sentence that the agent is asked to make true.
    Text {
        /// The sentence, at most 500 characters.
        goal: String,
        /// It is done once this holds; else a person ticks it.
        #[serde(serialize_with = "as_optional_text")]
        done_when: Option<Rule>,
    },
    /// An operation that code starts.
    Step {
        /// The operation.
        operation: String,
        /// Its input.
        input: serde_json::Map<String, serde_json::Value>,
        /// A name for people.
        name: Option<String>,
        /// Seconds after which it has failed, 1 to 3,600.
        timeout_secs: u32,
    },
    /// Waits until a predicate holds.
    WaitFor {
        /// The predicate.
        #[serde(serialize_with = "as_text")]
        rule: Rule,
        /// Seconds after which it has failed, 1 to 86,400.
        timeout_secs: u32,
    },
    /// Waits for a number of seconds, 1 to 86,400.
    WaitSecs(u32),
}

/// A job that lives while the mission does: the input of `schedule_task`, less the mission.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedJob {
    /// Its name within the mission.
    pub name: Option<String>,
    /// Starts a turn with this text. Either this or `operation`.
    pub prompt: Option<String>,
    /// Runs this operation without a model.
    pub operation: Option<String>,
    /// That operation's input.
    #[serde(default)]
    pub input: serde_json::Map<String, serde_json::Value>,
    /// Due at the times of cron text. This, `at` or `every_secs`.
    pub cron_schedule: Option<Cron>,
    /// Due once, at this time.
    pub at: Option<String>,
    /// Due every so many seconds, 60 to 604,800.
    pub every_secs: Option<u32>,
    /// IANA name; left out, the mission's zone.
    pub time_zone: Option<String>,
    /// True if it is due again after it was due.
    pub recurrence: Option<bool>,
    /// Handling of times at which nothing could run.
    pub missed: Option<MissedRuns>,
    /// Longest delay after which one missed run may still begin, seconds, 0 to 604,800.
    pub grace_secs: Option<u32>,
    /// Retries of a failed run, 0 to 10.
    pub max_retries: Option<u32>,
}

impl PlannedJob {
    /// The task that the job number `number` of `mission` asks for: the fields that are given, with its name, its
    /// mission and the zone of its times, `zone` if it names none.
    #[must_use]
    pub fn task(&self, mission: &MissionId, number: usize, zone: Option<&str>) -> serde_json::Value {
        let mut task = serde_json::to_value(self).unwrap_or_default();
        let name = self.name.clone().unwrap_or_else(|| number.to_string());
        if let Some(fields) = task.as_object_mut() {
            fields.insert("name".into(), format!("{mission}/{name}").into());
            fields.insert("mission_id".into(), mission.as_str().into());
            if let (None, Some(zone)) = (&self.time_zone, zone) {
                fields.insert("time_zone".into(), zone.into());
            }
            // `schedule_task` takes an input beside an operation only.
            if self.prompt.is_some() {
                fields.remove("input");
            }
            fields.retain(|_, value| !value.is_null());
        }
        task
    }
}

/// Handling of times at which a job could not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissedRuns {
    /// One run stands for all of them.
    Once,
    /// None is run.
    Skip,
    /// The newest ten are run, oldest first.
    All,
}

/// The end of a mission's life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expiry {
    /// So many seconds after activation, 60 to 31,622,400.
    After(u32),
    /// At a time.
    At(WrittenTime),
}

/// The response to a failed goal.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// The mission has failed.
    #[default]
    Stop,
    /// It is paused, and the agent is told.
    Alert,
    /// The goal is tried again.
    Retry {
        /// At most so often in a run, 1 to 10.
        times: u32,
        /// Seconds before the first repetition, 1 to 3,600; twice as long before each further one.
        delay_secs: u32,
    },
    /// The mission has failed, and another one's trigger `spawn` fires.
    Spawn(MissionId),
}

/// Approval that the steps of a mission need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// The activation is one, for steps below the High tier.
    Activation,
    /// A person approves every step that moves something.
    #[default]
    Ask,
}

/// A standing approval that a mission asks for; a person grants it, or not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnvelopeRequest {
    /// The robot.
    pub robot: RobotId,
    /// The only actuator it covers.
    pub actuator: ActuatorId,
    /// The operation.
    pub operation: String,
    /// The box the whole way stays in.
    pub region: Option<EnvelopeBox>,
    /// The frame of the box; the robot's default frame if none is named.
    pub frame: Option<FrameId>,
    /// The highest speed, metres per second.
    pub speed_mps_max: f64,
    /// The highest force, newtons.
    pub force_n_max: Option<f64>,
    /// Number of motions, 1 to 100.
    pub count: u32,
    /// Hours it holds, at most 8.
    pub hours: f64,
}

/// A predicate in printed form.
fn as_text<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(rule)
}

/// A predicate in printed form, if there is one.
#[expect(clippy::ref_option, reason = "serde hands a reference to the field")]
fn as_optional_text<S: Serializer>(rule: &Option<Rule>, serializer: S) -> Result<S::Ok, S::Error> {
    rule.as_ref().map(Rule::to_string).serialize(serializer)
}
