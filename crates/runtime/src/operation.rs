//! Operations: what a person, a program or an agent may have done. A row says everything about one; its handler stands
//! beside it, on what it works on, and the station gathers all rows into one table.

mod input;
pub mod input_diff;
mod leave;
mod row;

use std::collections::BTreeSet;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;

use agent::{Careful, Scope, ToolOutput};
use robot::{RobotId, SharedCode, Stops};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::{Config as Bindings, ExportError, TS, TypeVisitor};

use crate::error::{ErrorText, OpError, RuntimeCode};
use crate::session::Session;
pub use input::COMMON_FIELDS;
pub use leave::{Leave, told};
pub use row::{ALL, COMMAND_BYTES_MAX, INPUT_BYTES_MAX, KeyUse, Row, Terms, ToolTerms, UI, UI_MCP};

/// The answer of a handler, when it comes.
pub type Answer = Pin<Box<dyn Future<Output = Result<Value, OpError>> + Send>>;
type Run<C> = dyn Fn(C, Session, Value) -> Answer + Send + Sync;

/// The longest reason of an act, in characters.
pub const REASON_CHARS_MAX: usize = 500;
/// Longest wait of the loop for the sandbox, milliseconds: longer than a run, and than a fetch, may take.
const SANDBOX_TIMEOUT_MS: u32 = 65_000;

/// One operation, with a handler that works on `C`. Nothing else lists operations.
pub struct Operation<C> {
    row: Row,
    /// Reached with a [`Leave`] only.
    run: Box<Run<C>>,
}

impl<C> Deref for Operation<C> {
    type Target = Row;

    fn deref(&self) -> &Row {
        &self.row
    }
}

/// A row whose handler takes `I` and answers `O`.
pub fn row<C, I, O, H, F>(name: &'static str, terms: Terms, description: &'static str, handler: H) -> Operation<C>
where
    C: Send + 'static,
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema + TS + 'static,
    H: Fn(C, Session, I) -> F + Send + Sync + Copy + 'static,
    F: Future<Output = Result<O, OpError>> + Send + 'static,
{
    let Terms(role, effect, audience, trust) = terms;
    let run = move |context: C, session: Session, input: Value| -> Answer {
        Box::pin(async move {
            let input = parse::<I>(input)?;
            encode(&handler(context, session, input).await?)
        })
    };
    let row = Row {
        name,
        area: "",
        role,
        effect,
        audience,
        trust,
        description,
        example: Value::Null,
        input_schema: schema::<I>,
        output_schema: schema::<O>,
        schemas: |shared| [shared.subschema_for::<I>(), shared.subschema_for::<O>()],
        output_type: typed::<O>,
        about_agent: false,
        stops: Stops::No,
        urgent: false,
        spoken: false,
        answers_picture: false,
        input_bytes_max: INPUT_BYTES_MAX,
        recorded_by_gate: false,
        key: KeyUse::No,
        in_missions: false,
        moves_robot: false,
        tool: ToolTerms::PLAIN,
        check: |input| parse::<I>(input).map(|_| ()),
    };
    Operation { row, run: Box::new(run) }
}

impl<C: 'static> Operation<C> {
    /// Carries it out. The leave is the proof that the act has its place in the audit, or needs none.
    pub fn run(&self, _leave: &Leave, context: C, session: Session, input: Value) -> Answer {
        (self.run)(context, session, input)
    }

    /// The same operation among those of `D`, in which `context` finds what its handler works on.
    pub fn within<D: 'static>(self, context: impl Fn(&D) -> C + Send + Sync + 'static) -> Operation<D> {
        let Self { row, run } = self;
        Operation { row, run: Box::new(move |outer, session, input| run(context(&outer), session, input)) }
    }
}

/// The rest of a row: each method says one thing about it.
impl<C> Operation<C> {
    fn with(mut self, change: impl FnOnce(&mut Row)) -> Self {
        change(&mut self.row);
        self
    }

    /// A call may name the agent that it is about; a screen's is about the agent that it shows.
    pub fn takes_agent(self) -> Self {
        self.with(|row| row.about_agent = true)
    }

    /// It belongs to this part of the station.
    pub fn of_area(self, area: &'static str) -> Self {
        self.with(|row| row.area = area)
    }

    /// It takes this input.
    pub fn example(self, example: Value) -> Self {
        self.with(|row| row.example = example)
    }

    /// It stops these robots or missions.
    pub fn stops(self, stops: Stops) -> Self {
        self.with(|row| row.stops = stops)
    }

    /// It only ends motion.
    pub fn urgent(self) -> Self {
        self.with(|row| row.urgent = true)
    }

    /// Its text is searched for a stop.
    pub fn spoken(self) -> Self {
        self.with(|row| row.spoken = true)
    }

    /// A host sends the picture that its answer tells of, if there is a newer one, in its place.
    pub fn answers_picture(self) -> Self {
        self.with(|row| row.answers_picture = true)
    }

    /// Its input has at most so many bytes of JSON.
    pub fn input_bytes_max(self, input_bytes_max: usize) -> Self {
        self.with(|row| row.input_bytes_max = input_bytes_max)
    }

    /// The gate puts it on record itself.
    pub fn recorded_by_gate(self) -> Self {
        self.with(|row| row.recorded_by_gate = true)
    }

    /// Its input names or brings a key.
    pub fn key(self, key: KeyUse) -> Self {
        self.with(|row| row.key = key)
    }

    /// A mission may call it as a step: it is about no mission,
    /// job, proposal or control of a robot, and deletes nothing.
    pub fn in_missions(self) -> Self {
        self.with(|row| row.in_missions = true)
    }

    /// Its input is a motion of a robot, which it carries out.
    pub fn moves_robot(self) -> Self {
        self.with(|row| row.moves_robot = true)
    }

    /// Turns of a room may call it: it gives no words of the desk, writes no memory and sets no mission going.
    pub fn in_rooms(self) -> Self {
        self.with(|row| row.tool.scope = Scope::Anywhere)
    }

    /// Work at a station begins with it.
    pub fn core(self) -> Self {
        self.with(|row| row.tool.core = true)
    }

    /// A tainted turn takes this care with it.
    pub fn careful(self, careful: Careful) -> Self {
        self.with(|row| row.tool.careful = careful)
    }

    /// The loop waits for it no longer than this.
    pub fn timeout_ms(self, timeout_ms: u32) -> Self {
        self.with(|row| row.tool.timeout_ms = Some(timeout_ms))
    }

    /// Its results are data to work with.
    pub fn data_bearing(self) -> Self {
        self.with(|row| row.tool.data_bearing = true)
    }

    /// It works in the sandbox of an investigation.
    pub fn in_sandbox(self) -> Self {
        let timeout_ms = Some(SANDBOX_TIMEOUT_MS);
        self.with(|row| row.tool = ToolTerms { in_sandbox: true, output: ToolOutput::Text, timeout_ms, ..row.tool })
    }

    /// It stands for tools that have names of their own.
    pub fn stands_for_tools(self) -> Self {
        self.with(|row| row.tool.stands_for_tools = true)
    }

    /// A person lets each call happen.
    pub fn asks(self) -> Self {
        self.with(|row| row.tool.asks = true)
    }

    /// The command interpreter need not ask about it when a person at a desk has said it.
    pub fn own_words(self) -> Self {
        self.with(|row| row.tool.own_words = true)
    }
}

/// A type of TypeScript: how it is written, and the types that it names.
#[derive(Debug)]
pub struct OutputType {
    /// As a field is declared with it.
    pub name: String,
    /// The exported types in it.
    pub imports: BTreeSet<String>,
}

/// Writes what `T` is made of, one file a type.
fn typed<T: TS + 'static>(bindings: &Bindings) -> Result<OutputType, ExportError> {
    let mut named = Named { bindings, imports: BTreeSet::new(), failed: None };
    named.visit::<T>();
    let Named { imports, failed, .. } = named;
    failed.map_or_else(|| Ok(OutputType { name: T::name(bindings), imports }), Err)
}

/// Collects the exported types that a type names, and exports them.
struct Named<'a> {
    bindings: &'a Bindings,
    imports: BTreeSet<String>,
    failed: Option<ExportError>,
}

impl TypeVisitor for Named<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_some() {
            self.imports.insert(T::ident(self.bindings));
            self.failed = self.failed.take().or_else(|| T::export_all(self.bindings).err());
        }
        T::visit_generics(self);
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
        OpError::bad_input(SharedCode::InvalidInput, &path, ErrorText::own(message))
    })
}

fn encode(answer: &impl Serialize) -> Result<Value, OpError> {
    serde_json::to_value(answer).map_err(|error| {
        tracing::error!(%error, "an answer could not be encoded");
        OpError::new(RuntimeCode::NotEncodable, "The answer could not be encoded.")
    })
}

/// The input of an operation that takes nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The input of an operation on one robot.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfRobot {
    /// The robot.
    pub robot: RobotId,
}

/// The input of an operation that tells of every robot, or of one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfOneRobot {
    /// Only this robot's.
    pub robot: Option<RobotId>,
}

/// A reason that says something, of at most [`REASON_CHARS_MAX`] characters.
pub fn given(reason: &str) -> Result<&str, OpError> {
    given_within(reason, REASON_CHARS_MAX)
}

/// A reason that says something, of at most `chars_max` characters.
pub fn given_within(reason: &str, chars_max: usize) -> Result<&str, OpError> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > chars_max {
        let message = format!("Say in 1 to {chars_max} characters why.");
        return Err(OpError::bad_input(RuntimeCode::ReasonMissing, "reason", message));
    }
    Ok(reason)
}

/// The answer of an operation whose effect says it all.
#[derive(Debug, Serialize, JsonSchema, TS)]
pub struct Message {
    message: String,
}

/// Answers with a sentence.
#[must_use]
pub fn message(text: impl Into<String>) -> Message {
    Message { message: text.into() }
}
