//! The steps and jobs of a file: operations that a mission may call, with inputs that they take and motions that a
//! limit could let pass.

use std::collections::BTreeMap;

use jsonschema::Validator;
use robot::{
    Audience, Command, CommandId, Effect, Instant, LeaseToken, Motion, ParseContext, RawCommand, Reason, Rejection,
    Role, Source, StationId, parse_command,
};
use safety::{Limits, goal_violations, sentence};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::limits::frames;
use super::{Compiler, Place, Placed, meant};
use crate::catalog::{CatalogOperation, CatalogRobot};
use crate::format::front::{Goal, decode};
use crate::problem::ProblemCode;

/// Fields of a command that only the station fills in.
const FILLED_IN: &[&str] = &["id", "ttl_ms", "mission_id"];
/// The most problems that are told of one input.
const INPUT_PROBLEMS_MAX: usize = 4;
/// The longest message about an input, in characters: it may quote all of it.
const MESSAGE_CHARS_MAX: usize = 300;

/// The form of the inputs of each operation that the file names.
type Validators<'c> = BTreeMap<&'c str, Option<Validator>>;

impl<'c> Compiler<'c> {
    /// Everything about the steps that needs no limit; gives their motions.
    pub(super) fn check_goals(&mut self) -> Vec<Placed<'c, Command>> {
        let mut validators = Validators::new();
        let mut motions = Vec::new();
        for goal in &self.parsed.front.goals {
            let Goal::Step { operation, input, .. } = &goal.value else { continue };
            let place = self.entry("goals", goal.span);
            let Some(row) = self.operation(operation, &place.at("operation")) else { continue };
            if let Some(why) = unfit(row) {
                let message = format!("`{operation}` cannot be a step of a mission: {why}.");
                let help = "Use an operation that an agent may call, or write what is to be done as a sentence.";
                self.error(ProblemCode::UnknownOperation, &place.at("operation"), message, help);
            } else if row.moves_robot {
                let place = place.at("input");
                motions.extend(self.command(operation, &place).map(|value| Placed { place, value }));
            } else {
                self.check_input(operation, input, &place.at("input"), &mut validators);
            }
        }
        motions
    }

    /// The same about the jobs.
    pub(super) fn check_jobs(&mut self) -> Vec<Placed<'c, Command>> {
        let mut validators = Validators::new();
        let mut motions = Vec::new();
        for job in &self.parsed.front.schedule {
            let Some(operation) = &job.value.operation else { continue };
            let place = self.entry("schedule", job.span);
            let Some(row) = self.operation(operation, &place.at("operation")) else { continue };
            if !row.audience.contains(&Audience::Agent) {
                let message = format!("`{operation}` cannot be a job: it is not offered to agents.");
                let help = "Use an operation that an agent may call, or a `prompt`.";
                self.error(ProblemCode::UnknownOperation, &place.at("operation"), message, help);
            } else if row.moves_robot {
                let place = place.at("input");
                motions.extend(self.command(operation, &place).map(|value| Placed { place, value }));
            } else {
                self.check_input(operation, &job.value.input, &place.at("input"), &mut validators);
            }
        }
        motions
    }

    /// The row of an operation; one that there is not is told at `place`.
    pub(super) fn operation(&mut self, name: &str, place: &Place<'_>) -> Option<&'c CatalogOperation> {
        let row = self.catalog.operations.get(name);
        if row.is_none() {
            let message = format!("There is no operation `{name}`.");
            let help = meant(name, self.catalog.operations.keys().map(String::as_str));
            self.error(ProblemCode::UnknownOperation, place, message, help);
        }
        row
    }

    /// An input against the schema of its operation.
    fn check_input(
        &mut self,
        operation: &'c str,
        input: &Map<String, Value>,
        place: &Place<'_>,
        validators: &mut Validators<'c>,
    ) {
        let schema = self.catalog.operations.get(operation).map(|row| &row.input_schema);
        // Once per operation: compiling a schema costs far more than holding an input against it.
        let validator = validators
            .entry(operation)
            .or_insert_with(|| schema.and_then(|schema| jsonschema::validator_for(schema).ok()));
        let Some(validator) = validator else {
            let message = format!("The form of the input of `{operation}` cannot be read.");
            self.error(ProblemCode::BadInput, place, message, "Use another operation.");
            return;
        };
        let input = Value::Object(input.clone());
        for error in validator.iter_errors(&input).take(INPUT_PROBLEMS_MAX) {
            let path = path_of(error.instance_path().as_str());
            // By characters: the message quotes the input, and cutting at a byte could split one and panic.
            let message: String = error.to_string().chars().take(MESSAGE_CHARS_MAX).collect();
            let message = format!("`{operation}` does not take this input: {}.", message.trim_end_matches('.'));
            self.error(ProblemCode::BadInput, &place.at(&path), message, "Correct it as the sentence says.");
        }
    }

    /// The motion in an input; none if it is none, or its robot none of the site.
    fn command(&mut self, operation: &str, place: &Place<'_>) -> Option<Command> {
        let Some(node) = place.node else {
            let message = format!("`{operation}` needs an input.");
            self.error(ProblemCode::BadInput, place, message, "Add `input` with `robot`, `actuator` and `motion`.");
            return None;
        };
        let raw: RawCommand = match decode(node, FILLED_IN) {
            Ok(raw) => raw,
            Err(error) => {
                // What YAML refused there is a problem already and need not be listed twice.
                if !error.is_told() {
                    let place = Place { span: error.span(node), ..place.at(&error.path()) };
                    self.error(ProblemCode::BadInput, &place, error.message.clone(), error.help.clone());
                }
                return None;
            }
        };
        if !self.names_robot(&raw.robot, &place.at("robot")) {
            return None;
        }
        let robot = self.catalog.robots.get(&raw.robot)?;
        let command = match parse_command(&raw, &robot.manifest, self.context()?) {
            Ok(command) => command,
            Err(rejection) => {
                self.tell_rejection(robot, &raw, &rejection, place);
                return None;
            }
        };
        if let Motion::Velocity { .. } | Motion::Escape { .. } = command.motion {
            let message = "Only a person drives a robot by hand or out of a place where it may not be.".to_owned();
            let help = "Use a pose goal, a path, joints, a gripper or a switch.";
            self.error(ProblemCode::BadInput, &place.at("motion"), message, help);
            return None;
        }
        Some(command)
    }

    /// A motion against every limit that is known beforehand.
    pub(super) fn check_motion(&mut self, robot: &CatalogRobot, limits: &Limits, motion: &Placed<'c, Command>) {
        let (command, place) = (&motion.value, &motion.place);
        // Only what holds wherever the robot is: its place at that step is not known when the file is read.
        for violation in goal_violations(limits, command).iter().take(INPUT_PROBLEMS_MAX) {
            let sentence = self.with_keys(&sentence(violation));
            let message = format!("This motion is not allowed, wherever `{}` is. {sentence}", command.robot);
            if violation.reason.code == Reason::FrameMismatch {
                let help = meant(command.frame.as_str(), frames(robot));
                self.error(ProblemCode::GoalNeverAllowed, &place.at("frame"), message, help);
            } else {
                let help = "Change the motion so that every limit in force lets it pass.";
                self.error(ProblemCode::GoalNeverAllowed, &place.at("motion"), message, help);
            }
        }
    }

    fn tell_rejection(&mut self, robot: &CatalogRobot, raw: &RawCommand, rejection: &Rejection, place: &Place<'_>) {
        let at = place.at(rejection.field);
        if rejection.reason == Reason::UnknownActuator {
            self.tell_unknown_actuator(robot, &raw.actuator, &at);
            return;
        }
        let message = format!("`{}` takes no such motion.", raw.robot);
        self.error(ProblemCode::BadInput, &at, message, format!("Expected {}.", rejection.expected));
    }

    /// The part of a command that the station adds. None of it has an influence on a goal.
    fn context(&self) -> Option<ParseContext> {
        Some(ParseContext {
            fresh_id: CommandId(Uuid::nil()),
            source: Source::Mission(self.id.clone()),
            lease: LeaseToken { station: StationId::new("station").ok()?, epoch: 0, seq: 0 },
            issued_at: Instant::default(),
            approval: None,
        })
    }
}

/// The reason that an operation cannot be a step; none if it can.
fn unfit(row: &CatalogOperation) -> Option<&'static str> {
    if !row.audience.contains(&Audience::Agent) {
        return Some("it is not offered to agents");
    }
    // A file is activated by an operator and must not do what only an Admin may.
    if row.role > Role::Operator {
        return Some("it needs an Admin");
    }
    match row.effect {
        Effect::Irreversible => Some("it cannot be undone"),
        Effect::Read | Effect::Write | Effect::Actuate if !row.in_missions => {
            Some("it is about missions, jobs, proposals, control or the memory")
        }
        Effect::Read | Effect::Write | Effect::Actuate => None,
    }
}

/// The path of a JSON pointer as paths of keys are written: `points_m[0]`.
fn path_of(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').filter(|step| !step.is_empty()) {
        if step.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{step}]"));
        } else {
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(step);
        }
    }
    path
}
