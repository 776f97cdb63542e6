//! A row of the table.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use robot::{Audience, Effect, RobotId, Role, Trust};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::leave::{Leave, without_record};
use crate::station::Station;
use crate::vouched;
use runtime::error::{ErrorKind, ErrorText, OpError};
use runtime::session::Session;

pub(super) type Answer = Pin<Box<dyn Future<Output = Result<Value, OpError>> + Send>>;
type Run = dyn Fn(Arc<Station>, Session, Value) -> Answer + Send + Sync;

/// Offered to people, programs and the agent.
pub(super) const ALL: &[Audience] = &[Audience::Ui, Audience::Mcp, Audience::Agent];
/// Offered to people and programs.
pub(super) const UI_MCP: &[Audience] = &[Audience::Ui, Audience::Mcp];
/// Offered to people.
pub(super) const UI: &[Audience] = &[Audience::Ui];

/// One operation.
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// The least role that may call it.
    pub role: Role,
    /// What it does to the world.
    pub effect: Effect,
    /// Who it is offered to.
    pub audience: &'static [Audience],
    /// The highest trust its answer can have; each text in it lowers that unless its type vouches for it.
    pub trust: Trust,
    /// One line for people and models.
    pub description: &'static str,
    /// JSON schema of its input.
    pub input_schema: fn() -> Value,
    /// JSON schema of its output.
    pub output_schema: fn() -> Value,
    /// Whether an input is what it takes.
    pub(super) check: fn(Value) -> Result<(), OpError>,
    /// Reached with a [`Leave`] only.
    run: Box<Run>,
}

impl Operation {
    /// Carries it out. The leave is the proof that the act has its place in the audit, or needs none.
    pub(super) fn run(&self, _leave: &Leave, station: Arc<Station>, session: Session, input: Value) -> Answer {
        (self.run)(station, session, input)
    }
}

/// The terms of an operation: the role and the audience that may call it, its effect, and the highest trust its answer
/// can have. Every row names the last: a stranger's text must not become the station's word by oversight.
pub(super) struct Terms(pub Role, pub Effect, pub &'static [Audience], pub Trust);

/// A row whose handler takes `I` and answers `O`.
pub(super) fn row<I, O, H, F>(name: &'static str, terms: Terms, description: &'static str, handler: H) -> Operation
where
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema,
    H: Fn(Arc<Station>, Session, I) -> F + Send + Sync + Copy + 'static,
    F: Future<Output = Result<O, OpError>> + Send + 'static,
{
    let Terms(role, effect, audience, trust) = terms;
    let run = move |station: Arc<Station>, session: Session, input: Value| -> Answer {
        Box::pin(async move {
            let input = parse::<I>(input)?;
            encode(&handler(station, session, input).await?)
        })
    };
    let (input_schema, output_schema) = (schema::<I> as fn() -> Value, schema::<O> as fn() -> Value);
    let check = |input| parse::<I>(input).map(|_| ());
    Operation {
        name,
        role,
        effect,
        audience,
        trust,
        description,
        input_schema,
        output_schema,
        check,
        run: Box::new(run),
    }
}

fn schema<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}

fn parse<I: DeserializeOwned>(input: Value) -> Result<I, OpError> {
    serde_path_to_error::deserialize(input).map_err(|error| {
        let path = error.path().to_string();
        let message = format!("{}: {}", path, error.inner());
        // It repeats nothing but what the caller has written.
        OpError::bad_input("invalid_input", &path, ErrorText::own(message))
    })
}

fn encode(answer: &impl Serialize) -> Result<Value, OpError> {
    serde_json::to_value(answer).map_err(|error| {
        tracing::error!(%error, "an answer could not be encoded");
        OpError::new(ErrorKind::Internal, "not_encodable", "The answer could not be encoded.")
    })
}

impl Operation {
    /// The trust of `answer`, one of its own.
    pub(crate) fn trust_of(&self, answer: &Value) -> Trust {
        vouched::trust(self.trust, &without_record(answer), &(self.output_schema)())
    }
}

/// The input of an operation that takes nothing.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// The input of an operation on one robot.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRobot {
    /// The robot.
    pub robot: RobotId,
}

/// The input of an operation that tells of every robot, or of one.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfOneRobot {
    /// Only this robot's.
    pub robot: Option<RobotId>,
}

/// The answer of an operation whose effect says it all.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Message {
    message: String,
}

/// Answers with a sentence.
pub(super) fn message(text: impl Into<String>) -> Message {
    Message { message: text.into() }
}
