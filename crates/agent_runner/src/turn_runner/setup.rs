//! The setup of a turn: the agent's settings and rules as they are when it begins, and the system text.

use std::collections::BTreeMap;
use std::path::Path;

use agent::{Hook, Mode, Policy, Rule, Surroundings, SystemParts, ToolSpec, TurnSetup};
use llm::ModelKind;

use super::Start;
use super::running::place_of;
use crate::agents::AgentUnit;
use crate::models::model_registry::TurnModels;
use crate::rooms::OfRoom;
use crate::runner::AgentRunner;
use crate::{tools::hooks, tools::toolbox};
use runtime::lock::lock;

/// Characters of the file that tells who the agent is.
const FILE_CHARS_MAX: usize = 8_000;
/// The same file may be larger; it is not read further than so many bytes.
const FILE_BYTES_MAX: u64 = 64 * 1_024;
/// Limits that the system text names; the others are found by `list_constraints`.
const CONSTRAINTS_MAX: usize = 60;
/// File in the agent's folder that tells who the agent is.
const SOUL_FILE: &str = "soul/identity.md";

/// The setup of the turn of `start`.
pub(super) async fn setup(
    runner: &AgentRunner,
    agent: &AgentUnit,
    start: &Start,
    models: &TurnModels,
    tools: Vec<ToolSpec>,
) -> TurnSetup {
    let conversation = &start.conversation;
    let policy = policy(runner, agent, start);
    let kind = models.main.caps().kind;
    let mode = agent.turns.mode_now(runner);
    let bills = agent.bills(runner, &place_of(start)).await;
    let tools = match agent.health.reading.compact_tools(&runner.runtime, models.main.caps()) {
        Some(_) => toolbox::compact(&policy.tools.select, tools),
        None => tools,
    };
    let near_tools = match kind {
        ModelKind::Language => agent.embeddings.of_tools(&runner.models, &policy, &tools, start.message.text()).await,
        ModelKind::Interpreter => BTreeMap::new(),
    };
    let system = system(runner, agent).await;
    let (policy, system, tools) = match &start.room {
        Some(room) => (OfRoom::bound(policy), room.system(runner, system), OfRoom::tools(tools)),
        None => (policy, system, tools),
    };
    TurnSetup {
        session: conversation.session.clone(),
        transcript: lock(&conversation.transcript).clone(),
        policy,
        rules: rules(runner, agent, &mode, start, kind),
        hooked: hooks::tools_before(&runner.tool_settings().hooks),
        mode,
        caps: models.main.caps().clone(),
        side: (!std::sync::Arc::ptr_eq(&models.main, &models.side)).then(|| models.side.caps().clone()),
        tools,
        system,
        quote_key: agent::QuoteKey::derived(runner.runtime.key.seed()),
        surroundings: Surroundings { near_tools, ..agent.surroundings(runner) },
        zone: runner.runtime.clock.zone(),
        bills,
    }
}

fn policy(runner: &AgentRunner, agent: &AgentUnit, start: &Start) -> Policy {
    let mut policy = agent.policy(runner);
    if start.by_itself {
        policy.budget.wall_s = policy.budget.autonomous_wall_s;
    }
    policy.budget.calls = agent.turns.calls_max().unwrap_or(policy.budget.calls);
    if hooks::has(&runner.tool_settings().hooks, Hook::ResponseBefore) {
        // Its words reach people at the end of its turn only, where hooks look at them.
        policy.agency.says = 0;
    }
    policy
}

fn rules(runner: &AgentRunner, agent: &AgentUnit, mode: &Mode, start: &Start, kind: ModelKind) -> Vec<Rule> {
    let mut rules = runner.toolbox.rules(&agent.id, mode);
    rules.extend(runner.toolbox.own_words(kind, &start.message));
    rules
}

/// Parts of the system text: the agent's identity, the site, active missions and the limits in force. Nothing that the
/// agent writes stands there: it may quote a stranger.
async fn system(runner: &AgentRunner, agent: &AgentUnit) -> SystemParts {
    let soul = agent.folders.root.join(SOUL_FILE);
    SystemParts {
        soul: tokio::task::spawn_blocking(move || text_of(&soul)).await.unwrap_or_default(),
        owner: format!("You work for the operators of site {}, at station {}.", runner.site, runner.runtime.id),
        missions: runner.missions.active_texts(&agent.id).into_iter().collect(),
        constraints: constraints(runner),
        ..SystemParts::of(&agent.id, runner.site.as_str())
    }
}

/// A text of the agent's folder; nothing if there is none. Only people write there.
fn text_of(path: &Path) -> String {
    use std::io::Read as _;
    let mut text = Vec::new();
    match std::fs::File::open(path) {
        Ok(file) => {
            if let Err(error) = file.take(FILE_BYTES_MAX).read_to_end(&mut text) {
                tracing::warn!(path = %path.display(), %error, "the system text goes without a file");
                return String::new();
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(path = %path.display(), %error, "the system text goes without a file"),
    }
    // The limit in bytes may cut a character in two.
    let text = String::from_utf8_lossy(&text);
    // A text that was pasted together may hold characters that no editor shows.
    agent::sanitised(&text.chars().take(FILE_CHARS_MAX).collect::<String>())
}

/// The limits that bind robots now, one line each, by robot.
fn constraints(runner: &AgentRunner) -> Vec<String> {
    let mut lines = runner.robots.limit_lines();
    let more = lines.len().saturating_sub(CONSTRAINTS_MAX);
    lines.truncate(CONSTRAINTS_MAX);
    lines.extend((more > 0).then(|| format!("- {more} more; see list_constraints")));
    lines
}
