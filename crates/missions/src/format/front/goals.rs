//! Goals, preconditions, jobs and the response to a failure.

use super::reader::{Fields, Reader};
use super::{Goal, OnFailure, PlannedJob, Precondition};
use crate::format::yaml::{Node, Plain, Value};
use crate::problem::ProblemCode;

/// Whole seconds that a file may give.
#[derive(Clone, Copy)]
struct Secs {
    /// Those of a file that says nothing.
    default: u32,
    most: u32,
}

/// The longest sentence of a goal, in characters.
const GOAL_CHARS_MAX: usize = 500;
/// The longest sentence of a precondition, in characters.
const PRECONDITION_CHARS_MAX: usize = 300;
/// The longest name of a step or job, in characters.
const NAME_CHARS_MAX: usize = 128;
/// The longest prompt of a job, in characters.
const PROMPT_CHARS_MAX: usize = 16_000;
/// The longest name of an operation, in characters.
const OPERATION_CHARS_MAX: usize = 64;
const STEP_TIMEOUT_SECS: Secs = Secs { default: 120, most: 3_600 };
const WAIT_TIMEOUT_SECS: Secs = Secs { default: 3_600, most: 86_400 };
const WAIT_SECS_MAX: u32 = 86_400;
const RETRY_TIMES_MAX: u32 = 10;
const RETRY_DELAY_SECS: Secs = Secs { default: 30, most: 3_600 };
const EVERY_SECS: std::ops::RangeInclusive<u32> = 60..=604_800;
const GRACE_SECS_MAX: u32 = 604_800;
const JOB_RETRIES_MAX: u32 = 10;

const GOAL: [&str; 2] = ["goal", "done_when"];
const STEP: [&str; 4] = ["operation", "input", "name", "timeout_secs"];
const WAIT_FOR: [&str; 2] = ["wait_for", "timeout_secs"];
const WAIT_SECS: [&str; 1] = ["wait_secs"];

impl Reader<'_> {
    pub fn goal(&mut self, node: &Node) -> Option<Goal> {
        if let Some(Plain::Text(_)) = node.plain() {
            return Some(Goal::Text { goal: self.text(node, 1..=GOAL_CHARS_MAX)?, done_when: None });
        }
        let Value::Map { entries, .. } = &node.value else {
            return self
                .wrong_type(node, "a sentence, or a mapping with `goal`, `operation`, `wait_for` or `wait_secs`");
        };
        let has = |key: &str| entries.iter().any(|entry| entry.key == key);
        let kinds: [(&str, &[&str]); 4] =
            [("goal", &GOAL), ("operation", &STEP), ("wait_for", &WAIT_FOR), ("wait_secs", &WAIT_SECS)];
        let given: Vec<(&str, &[&str])> = kinds.into_iter().filter(|(kind, _)| has(kind)).collect();
        let [(kind, known)] = given.as_slice() else {
            self.known(
                entries,
                &["goal", "done_when", "operation", "input", "name", "timeout_secs", "wait_for", "wait_secs"],
            );
            return self.out_of_range(node.span, "exactly one of `goal`, `operation`, `wait_for` and `wait_secs`");
        };
        let fields = self.fields(node, known)?;
        let value = fields.given(kind)?;
        match *kind {
            "goal" => self.text_goal(&fields, value),
            "operation" => self.step(&fields, value),
            "wait_for" => {
                let timeout_secs = self.seconds(&fields, "timeout_secs", WAIT_TIMEOUT_SECS)?;
                let rule = self.within("wait_for", |reader| reader.rule(value))?;
                Some(Goal::WaitFor { rule, timeout_secs })
            }
            _ => self.within("wait_secs", |reader| reader.whole(value, 1..=WAIT_SECS_MAX)).map(Goal::WaitSecs),
        }
    }

    fn text_goal(&mut self, fields: &Fields<'_>, value: &Node) -> Option<Goal> {
        let goal = self.within("goal", |reader| reader.text(value, 1..=GOAL_CHARS_MAX));
        let done_when = match fields.get("done_when") {
            Some(node) => Some(self.within("done_when", |reader| reader.rule(node))?),
            None => None,
        };
        Some(Goal::Text { goal: goal?, done_when })
    }

    fn step(&mut self, fields: &Fields<'_>, value: &Node) -> Option<Goal> {
        let operation = self.within("operation", |reader| reader.line(value, 1..=OPERATION_CHARS_MAX));
        let timeout_secs = self.seconds(fields, "timeout_secs", STEP_TIMEOUT_SECS);
        let name = match fields.get("name") {
            Some(node) => Some(self.within("name", |reader| reader.line(node, 1..=NAME_CHARS_MAX))?),
            None => None,
        };
        let input = match fields.get("input") {
            Some(node) => self.within("input", |reader| reader.json_object(node))?,
            None => serde_json::Map::new(),
        };
        Some(Goal::Step { operation: operation?, input, name, timeout_secs: timeout_secs? })
    }

    /// Whole seconds from 1 to the most; the default if the key is left out.
    fn seconds(&mut self, fields: &Fields<'_>, key: &str, secs: Secs) -> Option<u32> {
        match fields.get(key) {
            Some(node) => self.within(key, |reader| reader.whole(node, 1..=secs.most)),
            None => Some(secs.default),
        }
    }

    /// A mapping as JSON.
    pub fn json_object(&mut self, node: &Node) -> Option<serde_json::Map<String, serde_json::Value>> {
        match node.value {
            Value::Map { .. } => self.foreign(node, &[]),
            Value::Scalar { .. } | Value::List { .. } | Value::Refused => self.wrong_type(node, "a mapping"),
        }
    }

    pub fn precondition(&mut self, node: &Node) -> Option<Precondition> {
        if let Value::Map { .. } = node.value {
            let fields = self.fields(node, &["text"])?;
            let Some(text) = fields.get("text") else { return self.missing(fields.span, "text") };
            return self.within("text", |reader| reader.line(text, 1..=PRECONDITION_CHARS_MAX)).map(Precondition::Text);
        }
        self.rule(node).map(Precondition::Rule)
    }

    pub fn on_failure(&mut self, node: &Node) -> Option<OnFailure> {
        let expected = "`stop`, `alert`, `{retry: {times: 3}}` or `{spawn: other-mission}`";
        if let Some(Plain::Text(word)) = node.plain() {
            return match word {
                "stop" => Some(OnFailure::Stop),
                "alert" => Some(OnFailure::Alert),
                _ => self.out_of_range(node.span, expected),
            };
        }
        let fields = self.fields(node, &["retry", "spawn"])?;
        match (fields.get("retry"), fields.get("spawn")) {
            (Some(node), None) => self.within("retry", |reader| {
                let fields = reader.fields(node, &["times", "delay_secs"])?;
                let delay_secs = reader.seconds(&fields, "delay_secs", RETRY_DELAY_SECS);
                let Some(times) = fields.get("times") else { return reader.missing(fields.span, "times") };
                let times = reader.within("times", |reader| reader.whole(times, 1..=RETRY_TIMES_MAX))?;
                Some(OnFailure::Retry { times, delay_secs: delay_secs? })
            }),
            (None, Some(node)) => self.within("spawn", |reader| reader.id(node)).map(OnFailure::Spawn),
            (Some(_), Some(_)) | (None, None) => self.out_of_range(node.span, expected),
        }
    }

    pub fn job(&mut self, node: &Node) -> Option<PlannedJob> {
        let job: PlannedJob = self.foreign(node, &[])?;
        let actions = usize::from(job.prompt.is_some()) + usize::from(job.operation.is_some());
        if actions != 1 {
            return self.out_of_range(node.span, "either `prompt` or `operation`");
        }
        let given = [job.cron_schedule.is_some(), job.at.is_some(), job.every_secs.is_some()];
        if given.into_iter().filter(|given| *given).count() != 1 {
            return self.out_of_range(node.span, "one of `cron_schedule`, `at` and `every_secs`");
        }
        if job
            .prompt
            .as_ref()
            .is_some_and(|prompt| prompt.trim().is_empty() || prompt.chars().count() > PROMPT_CHARS_MAX)
        {
            return self.out_of_range(node.span, format_args!("a prompt of 1 to {PROMPT_CHARS_MAX} characters"));
        }
        if job.name.as_ref().is_some_and(|name| name.trim().is_empty() || name.chars().count() > NAME_CHARS_MAX) {
            return self.out_of_range(node.span, format_args!("a name of 1 to {NAME_CHARS_MAX} characters"));
        }
        if job.every_secs.is_some_and(|every| !EVERY_SECS.contains(&every)) {
            return self.out_of_range(node.span, "60 to 604800 for `every_secs`");
        }
        if job.grace_secs.is_some_and(|grace| grace > GRACE_SECS_MAX) {
            return self.out_of_range(node.span, "0 to 604800 for `grace_secs`");
        }
        if job.max_retries.is_some_and(|retries| retries > JOB_RETRIES_MAX) {
            return self.out_of_range(node.span, "0 to 10 for `max_retries`");
        }
        if job.time_zone.as_ref().is_some_and(|zone| world::cron::Zone::named(zone).is_none()) {
            let help = "Write an IANA name such as `Europe/Berlin`.";
            self.fault(ProblemCode::BadTime, node.span, "There is no such time zone.", help);
            return None;
        }
        Some(job)
    }
}
