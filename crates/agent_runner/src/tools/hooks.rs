//! The hooks of a site: programs in cells that are told of a point in a conversation on their standard input, and that
//! may deny it or put something else in the place of what it carries. Robots wait for none of them.

mod tally;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agent::{Hook, HookVerdict, fits};
use robot::{AgentId, ConversationId, TurnId};
use serde_json::{Map, Value, json};

use crate::tools::sandbox::{Bounds, Cell, OUTPUT_BYTES_MAX, Purpose, Sandbox};
use runtime::Runtime;
use runtime::config::{HookSettings, ToolSettings};
use runtime::wire::HookRow;
use tally::Tally;

/// Bytes that a hook is told at once; more is not cut, but a hook that could not be asked.
const INPUT_BYTES_MAX: usize = 1024 * 1024;
/// Characters of a hook's output that are logged.
const PRINTED_CHARS_MAX: usize = 200;

/// Runs the programs that hooks are, and counts what they answer.
pub(crate) struct HookPrograms {
    runtime: Arc<Runtime>,
    sandbox: Arc<Sandbox>,
    tally: Tally,
}

/// The hooks as they were when a turn began, asked on behalf of one conversation.
#[derive(Clone)]
pub(crate) struct Hooks {
    programs: Arc<HookPrograms>,
    settings: Arc<ToolSettings>,
    agent: AgentId,
    session: ConversationId,
    turn: Option<TurnId>,
}

/// Input of hooks at one point.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    /// The value that hooks may change.
    carried: Value,
    /// The tool it is about.
    tool: Option<String>,
    /// Further facts, by name.
    fields: Map<String, Value>,
}

impl About {
    /// A point that carries `carried`, which is no more than what hooks may change.
    pub fn carrying(carried: impl Into<Value>) -> Self {
        Self { carried: carried.into(), ..Self::default() }
    }

    /// The same about a tool.
    pub fn of_tool(self, tool: &str) -> Self {
        Self { tool: Some(tool.to_owned()), ..self }.with("tool", tool)
    }

    /// The same with one thing more to know.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }
}

impl HookPrograms {
    /// Programs that run in cells of `sandbox`.
    pub fn new(runtime: Arc<Runtime>, sandbox: Arc<Sandbox>) -> Arc<Self> {
        Arc::new(Self { runtime, sandbox, tally: Tally::default() })
    }

    /// The hooks of `settings` for the conversation `session`, and for one turn of it if one runs.
    pub fn hooks(
        self: &Arc<Self>,
        settings: Arc<ToolSettings>,
        agent: &AgentId,
        session: &ConversationId,
        turn: Option<&TurnId>,
    ) -> Hooks {
        Hooks {
            programs: Arc::clone(self),
            settings,
            agent: agent.clone(),
            session: session.clone(),
            turn: turn.cloned(),
        }
    }

    /// The hooks of `settings` with their counts.
    pub fn rows(&self, settings: &[HookSettings]) -> Vec<HookRow> {
        self.tally.rows(settings)
    }

    /// Says at the start that `hooks` deny because none of them can run here.
    pub async fn tell_if_disabled(&self, hooks: &[HookSettings]) {
        if hooks.is_empty() {
            return;
        }
        if let Some(problem) = self.sandbox.problem().await {
            let sentence = format!(
                "No hook runs on this machine: {problem}. What hooks before messages, prompts, tools and responses look at is denied."
            );
            tracing::error!("{sentence}");
            self.runtime.bus.event("hooks_disabled", sentence);
        }
    }
}

impl Hooks {
    /// True if the settings name a hook for `hook`.
    pub fn has(&self, hook: Hook) -> bool {
        has(&self.settings.hooks, hook)
    }

    /// True if hooks see the words of the model before people see any of them.
    pub fn hold_words(&self) -> bool {
        self.has(Hook::PromptAfter) || self.has(Hook::ResponseBefore)
    }

    /// True if the settings name a hook for `hook` that looks at calls of `tool`.
    pub fn has_for(&self, hook: Hook, tool: &str) -> bool {
        self.settings.hooks.iter().any(|settings| is_for(settings, hook, Some(tool)))
    }

    /// Asks the hooks of a point one after another: each is told what those before it have left, and the first that
    /// denies ends it. One that cannot be asked denies where something is still to happen, and is logged elsewhere.
    pub async fn ask(&self, hook: Hook, about: About) -> HookVerdict {
        let About { mut carried, tool, fields } = about;
        let mut is_changed = false;
        for settings in self.settings.hooks.iter().filter(|settings| is_for(settings, hook, tool.as_deref())) {
            let answer = self.ask_one(settings, &self.told(hook, &carried, &fields)).await;
            self.programs.tally.note(&self.settings.hooks, settings, &answer);
            match answer {
                Ok(HookVerdict::GoOn) => {}
                Ok(HookVerdict::Change(change)) => {
                    tracing::info!(%hook, program = settings.program(), "a hook has changed something");
                    (carried, is_changed) = (change, true);
                }
                Ok(HookVerdict::Deny(reason)) => {
                    tracing::info!(%hook, program = settings.program(), reason, "a hook denies");
                    return HookVerdict::Deny(reason);
                }
                Err(problem) => {
                    tracing::warn!(%hook, program = settings.program(), problem, "a hook could not be asked");
                    // A check that could not be asked has not been passed (decision 0078).
                    if hook.fails_closed() {
                        return HookVerdict::Deny(format!(
                            "the hook {} could not be asked: {problem}",
                            settings.program()
                        ));
                    }
                }
            }
        }
        if is_changed { HookVerdict::Change(carried) } else { HookVerdict::GoOn }
    }

    /// Tells hooks of what has happened, beside everything else: what they say changes nothing.
    pub fn tell(&self, points: &'static [Hook], about: &About) {
        if !points.iter().any(|hook| self.has(*hook)) {
            return;
        }
        let (hooks, about) = (self.clone(), about.clone());
        self.programs.runtime.spawn(async move {
            for hook in points {
                tokio::select! {
                    () = hooks.programs.runtime.ended.cancelled() => return,
                    _ = hooks.ask(*hook, about.clone()) => {}
                }
            }
        });
    }

    fn told(&self, hook: Hook, carried: &Value, fields: &Map<String, Value>) -> Value {
        let mut told = fields.clone();
        told.insert("hook".to_owned(), hook.name().into());
        told.insert("agent".to_owned(), self.agent.to_string().into());
        told.insert("session".to_owned(), self.session.as_str().into());
        told.insert("turn".to_owned(), json!(self.turn));
        if let Some(field) = hook.carries().field() {
            told.insert(field.to_owned(), carried.clone());
        }
        Value::Object(told)
    }

    async fn ask_one(&self, settings: &HookSettings, told: &Value) -> Result<HookVerdict, String> {
        let line = format!("{told}\n");
        // Not cut: a hook that has seen a part would let the rest through unseen.
        if line.len() > INPUT_BYTES_MAX {
            return Err(format!("there is more to look at than the {INPUT_BYTES_MAX} bytes that a hook is told"));
        }
        let readable: Vec<PathBuf> = settings.files();
        // A folder in memory: nothing of a run is left to the next one.
        let cell = Cell { purpose: Purpose::Run, work: None, readable: &readable, may_grow: true };
        let time = Duration::from_secs(settings.timeout_secs.into());
        let bounds = Bounds { time, output_bytes: OUTPUT_BYTES_MAX };
        let (program, arguments) = (settings.program(), &settings.run[1..]);
        let ended =
            self.programs.sandbox.ask(&cell, program, arguments, line, bounds).await.map_err(|error| error.message)?;
        match ended.exit_code {
            // The reason of the station first: a program that it killed has no exit code of its own.
            _ if ended.timed_out => Err(format!("it took longer than {} s", settings.timeout_secs)),
            _ if ended.cut => Err(format!("it printed more than {OUTPUT_BYTES_MAX} bytes")),
            Some(0) => HookVerdict::read(settings.on, &ended.output).inspect_err(|_| {
                let printed: String = ended.output.chars().take(PRINTED_CHARS_MAX).collect();
                tracing::warn!(program = settings.program(), printed, "a hook printed something else than an answer");
            }),
            Some(code) => Err(format!("it ended with exit code {code}")),
            None => Err("it was ended by a signal".to_owned()),
        }
    }
}

/// True if `hooks` has one for `hook`.
pub(crate) fn has(hooks: &[HookSettings], hook: Hook) -> bool {
    hooks.iter().any(|settings| settings.on == hook)
}

/// The tools whose calls are shown to hooks before anything else decides on them.
pub(crate) fn tools_before(hooks: &[HookSettings]) -> Vec<String> {
    let before = hooks.iter().filter(|settings| settings.on == Hook::ToolBefore);
    before.flat_map(HookSettings::tools).collect()
}

fn is_for(settings: &HookSettings, hook: Hook, tool: Option<&str>) -> bool {
    let fits_tool = |tool: &str| settings.tools().iter().any(|pattern| fits(pattern, tool));
    settings.on == hook && tool.is_none_or(fits_tool)
}
