//! Input of `schedule_task`, checked whole before anything is stored.

use std::fmt::Display;
use std::ops::RangeInclusive;

use llm::{CommandModel, ModelKind};
use memory::jobs::{Job, JobAction, JobPolicy, JobState, Missed, PromptSource};
use robot::{Audience, MissionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use world::cron::{Cron, Schedule, Zone};

use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::session::{Reviewed, Session};

const EVERY_SECS: RangeInclusive<i64> = 60..=604_800;
const GRACE_SECS: RangeInclusive<i64> = 0..=604_800;
const GRACE_SECS_DEFAULT: i64 = 3_600;
const MAX_RETRIES: RangeInclusive<i64> = 0..=10;
const MAX_RETRIES_DEFAULT: i64 = 3;
/// As long as a message at the desk may be.
const PROMPT_CHARS_MAX: usize = 16_000;
const NAME_CHARS_MAX: usize = 128;
/// Zones suggested for one that does not exist.
const SUGGESTIONS: usize = 3;

/// One action and one time.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskInput {
    /// Starts a turn with this text. Either this or `operation`.
    prompt: Option<String>,
    /// Runs this operation with the agent's rights, without a model.
    operation: Option<String>,
    /// That operation's input.
    input: Option<Value>,
    /// Five cron fields, or six with the second first, or `@hourly`, `@daily`, `@weekly`, `@monthly`.
    cron_schedule: Option<String>,
    /// Once, at an RFC 3339 time, or `hh:mm` as the clock shows it next.
    at: Option<String>,
    /// Every so many seconds from now on, 60 to 604,800.
    every_secs: Option<i64>,
    /// IANA name; the station's zone if left out.
    time_zone: Option<String>,
    /// True if it is due again after it was due; the default unless `at` is given.
    recurrence: Option<bool>,
    /// The mission it lives with.
    mission_id: Option<MissionId>,
    /// Unique among the agent's jobs.
    name: Option<String>,
    /// Handling of times at which nothing could run.
    missed: Option<Missed>,
    /// Longest delay after which one missed run may still begin, seconds, 0 to 604,800.
    grace_secs: Option<i64>,
    /// Retries of a failed run, 0 to 10.
    max_retries: Option<i64>,
}

impl TaskInput {
    /// The fields that were given.
    pub fn given(&self) -> Value {
        let mut given = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = given.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        given
    }

    /// The job it asks for.
    pub fn job(self, runner: &AgentRunner, agent: &AgentUnit, by: &Session) -> Result<Job, OpError> {
        let now_ms = runner.runtime.clock.now().wall_ms;
        let (schedule, zone) = self.schedule(&runner.runtime.zone, now_ms)?;
        let action = self.action(runner, agent, by)?;
        let name = self.name()?;
        self.check_mission(runner, agent)?;
        let policy = JobPolicy {
            missed: self.missed.unwrap_or_default(),
            grace_secs: in_range("grace_secs", self.grace_secs.unwrap_or(GRACE_SECS_DEFAULT), GRACE_SECS)?,
            max_retries: in_range("max_retries", self.max_retries.unwrap_or(MAX_RETRIES_DEFAULT), MAX_RETRIES)?,
        };
        let next_ms = match &schedule {
            // Also a time that has passed: the policy of the job decides what becomes of it.
            Schedule::At { at_ms } => Some(*at_ms),
            Schedule::Cron { .. } | Schedule::Every { .. } => schedule.next_after(&zone, now_ms),
        };
        Ok(Job {
            id: format!("job-{}", uuid::Uuid::now_v7()).into(),
            name,
            mission_id: self.mission_id.as_ref().map(ToString::to_string),
            action,
            schedule,
            time_zone: zone.name().to_owned(),
            policy,
            state: JobState::Pending,
            next_ms,
            retries: 0,
            last_error: None,
            version: 1,
            created_by: by.actor().to_owned(),
        })
    }

    /// Refuses a mission that does not exist.
    pub fn check_mission(&self, runner: &AgentRunner, agent: &AgentUnit) -> Result<(), OpError> {
        self.mission_id.as_ref().map_or(Ok(()), |mission| runner.missions.check_exists(&agent.id, mission))
    }

    /// The time or times it asks for, and the zone in which they are read.
    pub fn schedule(&self, default: &Zone, now_ms: i64) -> Result<(Schedule, Zone), OpError> {
        let zone = self.zone(default)?;
        let schedule = match (&self.cron_schedule, &self.at, self.every_secs) {
            (Some(text), None, None) => {
                // A turn may not come as often as a mere call: each one is work for a model.
                let gap_s = if self.operation.is_some() { Cron::OPERATION_GAP_S } else { Cron::TURN_GAP_S };
                let cron = Cron::parse(text, gap_s).map_err(|error| {
                    let details = json!({
                        "path": "cron_schedule", "field": error.field, "column": error.column,
                        "expected": error.expected,
                    });
                    OpError::bad_input(AgentCode::InvalidCron, "cron_schedule", format!("cron_schedule, {error}."))
                        .with(details)
                })?;
                Schedule::Cron { cron, once: self.recurrence == Some(false) }
            }
            (None, Some(text), None) => {
                if self.recurrence == Some(true) {
                    return Err(invalid("at", "A time of its own does not recur. Use cron_schedule."));
                }
                Schedule::at(text, &zone, now_ms).map_err(|error| invalid("at", format!("at: {error}.")))?
            }
            (None, None, Some(secs)) => Schedule::Every {
                every_secs: in_range("every_secs", secs, EVERY_SECS)?,
                from_ms: now_ms,
                once: self.recurrence == Some(false),
            },
            (None, None, None) | (Some(_), Some(_), _) | (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                return Err(invalid("", "Give exactly one of cron_schedule, at and every_secs."));
            }
        };
        Ok((schedule, zone))
    }

    fn zone(&self, default: &Zone) -> Result<Zone, OpError> {
        let Some(name) = &self.time_zone else { return Ok(default.clone()) };
        Zone::named(name).ok_or_else(|| {
            let mut near: Vec<_> =
                Zone::names().map(|known| (strsim::damerau_levenshtein(name, &known), known)).collect();
            near.sort_unstable();
            let nearest: Vec<String> = near.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect();
            let message = format!("There is no time zone {name:.80}. The nearest are {}.", nearest.join(", "));
            OpError::bad_input(AgentCode::UnknownTimeZone, "time_zone", message)
                .with(json!({ "path": "time_zone", "nearest": nearest }))
        })
    }

    fn action(&self, runner: &AgentRunner, agent: &AgentUnit, by: &Session) -> Result<JobAction, OpError> {
        match (&self.prompt, &self.operation) {
            (Some(prompt), None) if self.input.is_none() => self.prompt(runner, agent, by, prompt),
            (None, Some(operation)) => self.operation(runner, operation),
            (Some(_), None | Some(_)) | (None, None) => {
                Err(invalid("", "Give either prompt, or operation with its input."))
            }
        }
    }

    fn prompt(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        by: &Session,
        prompt: &str,
    ) -> Result<JobAction, OpError> {
        if prompt.trim().is_empty() || prompt.chars().count() > PROMPT_CHARS_MAX {
            return Err(invalid("prompt", format!("prompt has 1 to {PROMPT_CHARS_MAX} characters.")));
        }
        let from = match by.audience() {
            // A prompt that a person only approved is still the idea of the agent, or of the text it had read.
            Audience::Ui if by.review() == Some(Reviewed::AsItStood) => PromptSource::External,
            // A person's call with a cause is a card that was approved: the words are the agent's.
            Audience::Ui if by.cause().is_some() => PromptSource::Agent,
            Audience::Ui => PromptSource::Desk,
            Audience::Mcp => PromptSource::External,
            Audience::Agent => PromptSource::Agent,
        };
        let is_command = from == PromptSource::Desk && agent.model(runner).kind == ModelKind::Interpreter;
        // Read now: when it is due, nobody may be there to correct it.
        if is_command && let Err(complaint) = CommandModel::check(prompt) {
            let message = format!("No language model is configured, and as a command it cannot be read. {complaint}");
            return Err(invalid("prompt", message));
        }
        Ok(JobAction::Prompt { prompt: prompt.to_owned(), from })
    }

    fn operation(&self, runner: &AgentRunner, name: &str) -> Result<JobAction, OpError> {
        let row = runner.operations.find(name).map_err(OpError::as_bad_input)?;
        if runner.operations.of_agent(name).is_none() {
            let message = format!("A job acts with the agent's rights, and the agent may not call {name}.");
            return Err(invalid("operation", message));
        }
        let input = self.input.clone().unwrap_or_else(|| json!({}));
        row.check_input(&input)?;
        Ok(JobAction::Operation { operation: name.to_owned(), input })
    }

    fn name(&self) -> Result<Option<String>, OpError> {
        let Some(name) = &self.name else { return Ok(None) };
        let name = name.trim();
        let fits = (1..=NAME_CHARS_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
        if !fits {
            return Err(invalid(
                "name",
                format!("name has 1 to {NAME_CHARS_MAX} characters and no control characters."),
            ));
        }
        Ok(Some(name.to_owned()))
    }
}

pub(super) fn invalid(path: &str, message: impl Display) -> OpError {
    let forms = json!({
        "action": ["prompt", "operation and input"],
        "time": ["cron_schedule", "at", "every_secs"],
    });
    OpError::bad_input(AgentCode::InvalidSchedule, path, message.to_string())
        .with(json!({ "path": path, "forms": forms }))
}

fn in_range(field: &str, number: i64, range: RangeInclusive<i64>) -> Result<u32, OpError> {
    let (min, max) = (*range.start(), *range.end());
    let fits = range.contains(&number).then(|| u32::try_from(number).ok()).flatten();
    fits.ok_or_else(|| OpError::out_of_range(field, min, max))
}
