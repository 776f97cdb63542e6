//! The data of a row, which hosts, toolbox, presets, documents and the window's types ask for.

use agent::{Careful, OnCancel, Scope, ToolOutput, ToolSpec};
use robot::{Audience, Effect, Role, Stops, Trust};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use ts_rs::{Config as Bindings, ExportError};

use super::OutputType;
use super::leave::without_record;
use crate::error::OpError;
use crate::vouched;

/// Offered to people, programs and the agent.
pub const ALL: &[Audience] = &[Audience::Ui, Audience::Mcp, Audience::Agent];
/// Offered to people and programs.
pub const UI_MCP: &[Audience] = &[Audience::Ui, Audience::Mcp];
/// Offered to people.
pub const UI: &[Audience] = &[Audience::Ui];

/// The most bytes of JSON in an input.
pub const INPUT_BYTES_MAX: usize = 1024 * 1024;
/// The same for a command: a path of 10,000 points keeps it.
pub const COMMAND_BYTES_MAX: usize = 512 * 1024;

/// Everything about an operation but its handler.
#[derive(Debug)]
pub struct Row {
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
    /// The robots or missions that it stops. Such a call needs no approval.
    pub stops: Stops,
    /// It only ends motion: it runs on the thread of stops, counts towards no limit, and no queue stands before it.
    pub urgent: bool,
    /// Its text is searched for a stop, which is carried out before anything else is asked of the call.
    pub spoken: bool,
    /// A host that can sends the picture that the answer tells of, if there is a newer one, in its place.
    pub answers_picture: bool,
    /// The most bytes of JSON in its input.
    pub input_bytes_max: usize,
    /// The gate puts it on record itself, before anything is sent.
    pub recorded_by_gate: bool,
    /// The use of a key in its input: none, its name, or the key itself.
    pub key: KeyUse,
    /// A mission may call it as a step.
    pub in_missions: bool,
    /// Its input is a motion of a robot.
    pub moves_robot: bool,
    /// The terms under which an agent calls it.
    pub tool: ToolTerms,
    /// Refuses an input that it does not take.
    pub check: fn(Value) -> Result<(), OpError>,
}

/// A key in the input of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    /// None on purpose: one that was pasted by mistake is taken out.
    No,
    /// The name of one.
    Names,
    /// The key itself.
    Brings,
}

/// The terms under which an agent calls an operation.
#[derive(Debug, Clone, Copy)]
pub struct ToolTerms {
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
    pub(super) const PLAIN: Self = Self {
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

/// The terms of an operation: the role and the audience that may call it, its effect, and the highest trust its answer
/// can have. Every row names the last: a stranger's text must not become the station's word by oversight.
#[derive(Debug, Clone, Copy)]
pub struct Terms(pub Role, pub Effect, pub &'static [Audience], pub Trust);

impl Row {
    /// True if it is offered to `audience`.
    #[must_use]
    pub fn is_for(&self, audience: Audience) -> bool {
        self.audience.contains(&audience)
    }

    /// The operation as the agent's loop sees it.
    #[must_use]
    pub fn tool(&self) -> ToolSpec {
        let ToolTerms { scope, core, careful, timeout_ms, output, data_bearing, .. } = self.tool;
        // A write that has begun is finished even if its turn is cancelled.
        let on_cancel = if self.effect == Effect::Write { OnCancel::Finish } else { OnCancel::Drop };
        let plain = ToolSpec::new(self.name, self.description, (self.input_schema)(), self.effect);
        ToolSpec { scope, core, careful, timeout_ms, output, data_bearing, on_cancel, stops: self.stops, ..plain }
    }

    /// The trust of `answer`, one of its own.
    #[must_use]
    pub fn trust_of(&self, answer: &Value) -> Trust {
        vouched::trust(self.trust, &without_record(answer), &(self.output_schema)())
    }
}
