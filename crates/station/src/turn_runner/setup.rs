//! The setup of a turn: the agent's settings and rules as they are when it begins, and the system text.

use std::collections::BTreeMap;
use std::path::Path;

use agent::{Hook, Mode, Policy, Rule, Surroundings, SystemParts, ToolSpec, TurnSetup};
use llm::ModelKind;
use safety::Constraint;

use super::Start;
use super::drive::place_of;
use crate::agents::AgentUnit;
use crate::model_registry::TurnModels;
use crate::rooms::OfRoom;
use crate::station::Station;
use crate::{hooks, toolbox};
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
    station: &Station,
    agent: &AgentUnit,
    start: &Start,
    (models, tools): (&TurnModels, Vec<ToolSpec>),
) -> TurnSetup {
    let conversation = &start.conversation;
    let policy = policy(station, agent, start);
    let kind = models.main.caps().kind;
    let mode = agent.turns.mode_now(&station.fleet);
    let bills = agent.bills(station, &place_of(start)).await;
    let tools = match agent.compact_tools(station, models.main.caps()) {
        Some(_) => toolbox::compact(&policy.tools.select, tools),
        None => tools,
    };
    let near_tools = match kind {
        ModelKind::Language => agent.meaning.of_tools(station, agent, (&policy, &tools), start.message.text()).await,
        ModelKind::Interpreter => BTreeMap::new(),
    };
    let system = system(station, agent).await;
    let (policy, system, tools) = match &start.room {
        Some(room) => (OfRoom::bound(policy), room.system(station, system), OfRoom::tools(tools)),
        None => (policy, system, tools),
    };
    TurnSetup {
        session: conversation.session.clone(),
        transcript: lock(&conversation.transcript).clone(),
        policy,
        rules: rules(station, agent, &mode, (start, kind)),
        hooked: hooks::tools_before(&station.tool_settings().hooks),
        mode,
        caps: models.main.caps().clone(),
        side: (!std::sync::Arc::ptr_eq(&models.main, &models.side)).then(|| models.side.caps().clone()),
        tools,
        system,
        quote_key: agent::QuoteKey::derived(station.runtime.key.seed()),
        surroundings: Surroundings { near_tools, ..agent.surroundings(station) },
        zone: station.runtime.clock.zone(),
        bills,
    }
}

fn policy(station: &Station, agent: &AgentUnit, start: &Start) -> Policy {
    let mut policy = agent.policy(station);
    if start.by_itself {
        policy.budget.wall_s = policy.budget.autonomous_wall_s;
    }
    policy.budget.calls = agent.turns.calls_max().unwrap_or(policy.budget.calls);
    if hooks::has(&station.tool_settings().hooks, Hook::ResponseBefore) {
        // Its words reach people at the end of its turn only, where hooks look at them.
        policy.agency.says = 0;
    }
    policy
}

fn rules(station: &Station, agent: &AgentUnit, mode: &Mode, (start, kind): (&Start, ModelKind)) -> Vec<Rule> {
    let mut rules = toolbox::rules(station, &agent.id, mode);
    rules.extend(toolbox::own_words(kind, &start.message));
    rules
}

/// Parts of the system text: the agent's identity, the site, active missions and the limits in force. Nothing that the
/// agent writes stands there: it may quote a stranger.
async fn system(station: &Station, agent: &AgentUnit) -> SystemParts {
    let soul = agent.folders.root.join(SOUL_FILE);
    SystemParts {
        soul: tokio::task::spawn_blocking(move || text_of(&soul)).await.unwrap_or_default(),
        owner: format!("You work for the operators of site {}, at station {}.", station.site, station.runtime.id),
        missions: agent.lives.told().into_iter().collect(),
        constraints: constraints(station),
        ..SystemParts::of(&agent.id, station.site.as_str())
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
    let text = String::from_utf8_lossy(&text);
    agent::sanitised(&text.chars().take(FILE_CHARS_MAX).collect::<String>())
}

/// The limits that bind robots now, one line each, by robot.
fn constraints(station: &Station) -> Vec<String> {
    let mut lines = Vec::new();
    for unit in station.fleet.units() {
        let limits = unit.limits.load_full();
        lines.extend(limits.constraints().iter().map(|constraint| line(unit.id().as_str(), constraint)));
    }
    let more = lines.len().saturating_sub(CONSTRAINTS_MAX);
    lines.truncate(CONSTRAINTS_MAX);
    lines.extend((more > 0).then(|| format!("- {more} more; see list_constraints")));
    lines
}

fn line(robot: &str, constraint: &Constraint) -> String {
    let kind = serde_json::to_string(&constraint.kind).unwrap_or_default();
    let mission = constraint.mission.as_ref().map_or_else(String::new, |mission| format!(" for mission {mission}"));
    let frame = constraint.frame.as_ref().map_or_else(String::new, |frame| format!(" in {frame}"));
    format!("- {robot}{mission}: {kind}{frame}")
}
