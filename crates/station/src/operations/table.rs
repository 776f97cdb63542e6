//! A row of the table.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use agent::{Careful, OnCancel, Scope, Stops, ToolOutput, ToolSpec};
use robot::{Audience, Effect, RobotId, Role, SharedCode, Trust};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ts_rs::{Config as Bindings, ExportError, TS, TypeVisitor};

use super::leave::{Leave, without_record};
use crate::agents::AgentUnit;
use crate::code::StationCode;
use crate::station::Station;
use crate::vouched;
use runtime::error::{ErrorText, OpError};
use runtime::session::Session;

pub(super) type Answer = Pin<Box<dyn Future<Output = Result<Value, OpError>> + Send>>;
type Run = dyn Fn(Arc<Station>, Session, Value) -> Answer + Send + Sync;

/// Offered to people, programs and the agent.
pub(super) const ALL: &[Audience] = &[Audience::Ui, Audience::Mcp, Audience::Agent];
/// Offered to people and programs.
pub(super) const UI_MCP: &[Audience] = &[Audience::Ui, Audience::Mcp];
/// Offered to people.
pub(super) const UI: &[Audience] = &[Audience::Ui];

/// The most bytes of JSON in an input.
pub(super) const INPUT_BYTES_MAX: usize = 1024 * 1024;
/// The same for a command: a path of 10,000 points keeps it.
pub(super) const COMMAND_BYTES_MAX: usize = 512 * 1024;
/// Longest wait of the loop for the sandbox, milliseconds: longer than a run, and than a fetch, may take.
const SANDBOX_TIMEOUT_MS: u32 = 65_000;

/// One operation. Nothing else lists operations: hosts, toolbox, presets, documents and the window's types ask the rows.
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// The part of the station that it belongs to.
    pub area: &'static str,
    /// The least role that may call it.
    pub role: Role,
    /// Its effect on the world.
    pub effect: Effect,
    /// The audiences that it is offered to.
    pub audience: &'static [Audience],
    /// The highest trust its answer can have; each text in it lowers that unless its type vouches for it.
    pub trust: Trust,
    /// One line for people and models.
    pub description: &'static str,
    /// An input that it takes; null if it needs none.
    pub example: Value,
    /// JSON schema of its input.
    pub input_schema: fn() -> Value,
    /// JSON schema of its output.
    pub output_schema: fn() -> Value,
    /// The schemas of input and output, with definitions that all operations share.
    pub schemas: fn(&mut SchemaGenerator) -> [Schema; 2],
    /// TypeScript form of its output.
    pub output_type: fn(&Bindings) -> Result<OutputType, ExportError>,
    /// It is about one agent, which the input may name in `agent`.
    pub about_agent: bool,
    /// The robots or missions that it stops. Such a call asks nobody.
    pub stops: Stops,
    /// It only ends motion: it runs on the thread of stops, counts towards no limit, and no queue stands before it.
    pub urgent: bool,
    /// Its text is searched for a stop, which is carried out before anything else is asked of the call.
    pub spoken: bool,
    /// The most bytes of JSON in its input.
    pub input_bytes_max: usize,
    /// The gate puts it on record itself, before anything is sent.
    pub(super) recorded_by_gate: bool,
    /// The use of a key in its input: none, its name, or the key itself.
    pub(super) key: KeyUse,
    /// The terms under which an agent calls it.
    pub(crate) tool: ToolTerms,
    /// Refuses an input that it does not take.
    pub(super) check: fn(Value) -> Result<(), OpError>,
    /// Reached with a [`Leave`] only.
    run: Box<Run>,
}

/// A key in the input of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyUse {
    /// None on purpose: one that was pasted by mistake is taken out.
    No,
    /// The name of one.
    Names,
    /// The key itself.
    Brings,
}

/// The terms under which an agent calls an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolTerms {
    /// Turns in which it may be called: any, those of a desk, those of a room, or those that an Admin began.
    pub scope: Scope,
    /// Work at a station begins with it, whatever the first message was.
    pub core: bool,
    /// The extra care in a tainted turn.
    pub careful: Careful,
    /// Its time limit, milliseconds, if that is not the policy's time.
    pub timeout_ms: Option<u32>,
    /// The highest trust of its output.
    pub output: ToolOutput,
    /// Its results are data to work with: they are never masked.
    pub data_bearing: bool,
    /// It works in the sandbox of an investigation.
    pub in_sandbox: bool,
    /// It stands for tools that have names of their own, and is not offered itself.
    pub stands_for_tools: bool,
    /// A person lets each call happen.
    pub asks: bool,
    /// The command interpreter need not ask about it when a person at a desk has said it.
    pub own_words: bool,
}

impl ToolTerms {
    const PLAIN: Self = Self {
        scope: Scope::Direct,
        core: false,
        careful: Careful::No,
        timeout_ms: None,
        output: ToolOutput::Trusted,
        data_bearing: false,
        in_sandbox: false,
        stands_for_tools: false,
        asks: false,
        own_words: false,
    };
}

/// The rest of a row: each method says one thing about it.
impl Operation {
    /// A call may name the agent that it is about; a screen's is about the agent that it shows.
    pub(super) fn takes_agent(self) -> Self {
        Self { about_agent: true, ..self }
    }

    pub(super) fn of_area(self, area: &'static str) -> Self {
        Self { area, ..self }
    }

    pub(super) fn example(self, example: Value) -> Self {
        Self { example, ..self }
    }

    pub(super) fn stops(self, stops: Stops) -> Self {
        Self { stops, ..self }
    }

    pub(super) fn urgent(self) -> Self {
        Self { urgent: true, ..self }
    }

    pub(super) fn spoken(self) -> Self {
        Self { spoken: true, ..self }
    }

    pub(super) fn input_bytes_max(self, input_bytes_max: usize) -> Self {
        Self { input_bytes_max, ..self }
    }

    pub(super) fn recorded_by_gate(self) -> Self {
        Self { recorded_by_gate: true, ..self }
    }

    pub(super) fn key(self, key: KeyUse) -> Self {
        Self { key, ..self }
    }

    /// Turns of a room may call it: it gives no words of the desk, writes no memory and sets no mission going.
    pub(super) fn in_rooms(mut self) -> Self {
        self.tool.scope = Scope::Anywhere;
        self
    }

    pub(super) fn core(mut self) -> Self {
        self.tool.core = true;
        self
    }

    pub(super) fn careful(mut self, careful: Careful) -> Self {
        self.tool.careful = careful;
        self
    }

    pub(super) fn timeout_ms(mut self, timeout_ms: u32) -> Self {
        self.tool.timeout_ms = Some(timeout_ms);
        self
    }

    pub(super) fn data_bearing(mut self) -> Self {
        self.tool.data_bearing = true;
        self
    }

    pub(super) fn in_sandbox(mut self) -> Self {
        let timeout_ms = Some(SANDBOX_TIMEOUT_MS);
        self.tool = ToolTerms { in_sandbox: true, output: ToolOutput::Text, timeout_ms, ..self.tool };
        self
    }

    pub(super) fn stands_for_tools(mut self) -> Self {
        self.tool.stands_for_tools = true;
        self
    }

    pub(super) fn asks(mut self) -> Self {
        self.tool.asks = true;
        self
    }

    pub(super) fn own_words(mut self) -> Self {
        self.tool.own_words = true;
        self
    }
}

impl Operation {
    /// True if it is offered to `audience`.
    #[must_use]
    pub fn is_for(&self, audience: Audience) -> bool {
        self.audience.contains(&audience)
    }

    /// Carries it out. The leave is the proof that the act has its place in the audit, or needs none.
    pub(super) fn run(&self, _leave: &Leave, station: Arc<Station>, session: Session, input: Value) -> Answer {
        (self.run)(station, session, input)
    }

    /// The operation as the agent's loop sees it.
    pub(crate) fn tool(&self) -> ToolSpec {
        let ToolTerms { scope, core, careful, timeout_ms, output, data_bearing, .. } = self.tool;
        // A write is not torn off in the middle.
        let on_cancel = if self.effect == Effect::Write { OnCancel::Finish } else { OnCancel::Drop };
        let plain = ToolSpec::new(self.name, self.description, (self.input_schema)(), self.effect);
        ToolSpec { scope, core, careful, timeout_ms, output, data_bearing, on_cancel, stops: self.stops, ..plain }
    }

    /// The trust of `answer`, one of its own.
    pub(crate) fn trust_of(&self, answer: &Value) -> Trust {
        vouched::trust(self.trust, &without_record(answer), &(self.output_schema)())
    }
}

/// The terms of an operation: the role and the audience that may call it, its effect, and the highest trust its answer
/// can have. Every row names the last: a stranger's text must not become the station's word by oversight.
pub(super) struct Terms(pub Role, pub Effect, pub &'static [Audience], pub Trust);

/// A call of an operation about one agent.
pub(super) struct AgentCall {
    /// The calling session.
    pub by: Session,
    /// The agent that it is about.
    pub agent: Arc<AgentUnit>,
}

/// A row about one agent, which its handler is given: the caller itself, the one the call names, or the only one.
pub(super) fn agent_row<I, O, H, F>(
    name: &'static str,
    terms: Terms,
    description: &'static str,
    handler: H,
) -> Operation
where
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema + TS + 'static,
    H: Fn(Arc<Station>, AgentCall, I) -> F + Send + Sync + Copy + 'static,
    F: Future<Output = Result<O, OpError>> + Send + 'static,
{
    let of_agent = move |station: Arc<Station>, by: Session, input: I| async move {
        let agent = station.agents.meant_by(&by)?;
        handler(station, AgentCall { by, agent }, input).await
    };
    row(name, terms, description, of_agent).takes_agent()
}

/// A row whose handler takes `I` and answers `O`.
pub(super) fn row<I, O, H, F>(name: &'static str, terms: Terms, description: &'static str, handler: H) -> Operation
where
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema + TS + 'static,
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
    Operation {
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
        input_bytes_max: INPUT_BYTES_MAX,
        recorded_by_gate: false,
        key: KeyUse::No,
        tool: ToolTerms::PLAIN,
        check: |input| parse::<I>(input).map(|_| ()),
        run: Box::new(run),
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
        OpError::new(StationCode::NotEncodable, "The answer could not be encoded.")
    })
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
#[derive(Debug, Serialize, JsonSchema, TS)]
pub(super) struct Message {
    message: String,
}

/// Answers with a sentence.
pub(super) fn message(text: impl Into<String>) -> Message {
    Message { message: text.into() }
}
