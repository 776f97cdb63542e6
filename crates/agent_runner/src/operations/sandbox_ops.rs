//! Programs in cells: the investigation sandbox of an agent, and declared shell tools.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::Careful;
use robot::{AgentId, Audience, Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml_edit::{Array, DocumentMut};

use super::{AgentCall, Operation, agent_row, fetch};
use crate::code::AgentCode;
use crate::operation_names::RUN_SHELL_TOOL;
use crate::runner::AgentRunner;
use crate::tools::sandbox::{Investigation, shell_tools};
use runtime::config::{ShellToolSettings, put, table_at};
use runtime::error::OpError;
use runtime::operation::{Message, Nothing, Terms, UI, message, row};
use runtime::session::Session;
use runtime::wire::{Fetched, FetchedBatch, FetchedItem, ProgramEnded, SandboxFault, SandboxStatus, ShellToolRow, Tag};

/// The agent's, and a person's who lets it happen.
const UI_AGENT: &[Audience] = &[Audience::Ui, Audience::Agent];
/// Fetches of one batch.
const FETCHES_MAX: usize = 16;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Irreversible, Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "get_sandbox",
            Terms(Viewer, Read, UI, Trust::Text),
            "The sandbox of an agent, its sources, and the declared programs and hooks.",
            get_sandbox,
        )
        .takes_agent(),
        agent_row(
            "set_sandbox",
            Terms(Admin, Write, UI, Trust::Text),
            "Gives an agent the investigation sandbox or takes it.",
            set_sandbox,
        )
        .example(json!({"on": true})),
        row(
            "sandbox_exec",
            Terms(Operator, Write, UI_AGENT, Trust::Text),
            "Runs a shell script in the sandbox: no network, one folder that stays.",
            sandbox_exec,
        )
        .example(json!({"command": "grep -c error press.log"}))
        .takes_agent()
        .in_sandbox(),
        row(
            "fetch_to_sandbox",
            Terms(Operator, Write, UI_AGENT, Trust::Text),
            "Brings something from a declared source into the sandbox's folder.",
            fetch_to_sandbox,
        )
        .example(json!({"source": "press-log"}))
        .takes_agent()
        .in_sandbox()
        .careful(Careful::Asks),
        row(
            "fetch_batch_to_sandbox",
            Terms(Operator, Write, UI_AGENT, Trust::Text),
            "Brings up to 16 things from declared sources into the sandbox's folder.",
            fetch_batch_to_sandbox,
        )
        .example(json!({"fetches": [{"source": "press-log"}]}))
        .takes_agent()
        .in_sandbox()
        .careful(Careful::Asks),
        row(
            RUN_SHELL_TOOL,
            Terms(Operator, Irreversible, UI_AGENT, Trust::Text),
            "Runs a program that config.toml declares; a person lets each run happen.",
            run_shell_tool,
        )
        .example(json!({"tool": "shell__disk", "arguments": {}}))
        .stands_for_tools(),
    ]
}

async fn get_sandbox(runner: Arc<AgentRunner>, by: Session, _: Nothing) -> Result<SandboxStatus, OpError> {
    let agent = runner.agents.shown_to(&by)?;
    let settings = runner.tool_settings();
    let command = |tool: &ShellToolSettings| {
        std::iter::once(tool.program.display().to_string()).chain(tool.arguments.iter().cloned()).collect()
    };
    let shell_tools = settings.shell_tools.iter().map(|(name, tool)| ShellToolRow {
        name: format!("{}{name}", shell_tools::PREFIX),
        description: tool.description.clone(),
        command: command(tool),
    });
    let fault = runner.sandbox.problem().await;
    Ok(SandboxStatus {
        on: settings.sandbox.agents.contains(&agent.id),
        problem: fault.as_ref().map(SandboxFault::to_string),
        fault,
        sources: fetch::rows(&settings.sandbox),
        shell_tools: shell_tools.collect(),
        hooks: runner.hook_programs.rows(&settings.hooks),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetSandbox {
    /// True gives the agent the sandbox, false takes it away.
    on: bool,
}

async fn set_sandbox(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: SetSandbox,
) -> Result<Message, OpError> {
    // It can be taken away on any machine.
    if input.on
        && let Some(problem) = runner.sandbox.problem().await
    {
        return Err(OpError::new(AgentCode::SandboxDisabled, format!("The sandbox does not hold here: {problem}.")));
    }
    runner.edit_config(|document| give_sandbox(document, &agent.id, input.on)).await?;
    runner.runtime.bus.changed(Tag::Tools);
    let what = if input.on { "has the sandbox from its next turn on" } else { "has no sandbox any more" };
    Ok(message(format!("{} {what}.", agent.id)))
}

/// Writes the agent into the list of those that have the sandbox, or takes it out: the others stay as the file has them.
fn give_sandbox(document: &mut DocumentMut, agent: &AgentId, on: bool) -> Option<()> {
    let table = table_at(document, &["sandbox"])?;
    let names = match table.get("agents") {
        Some(names) => names.as_array()?.clone(),
        None => Array::new(),
    };
    let mut agents: BTreeSet<&str> = names.iter().filter_map(|name| name.as_str()).collect();
    if on {
        agents.insert(agent.as_str())
    } else {
        agents.remove(agent.as_str())
    };
    let names: Array = agents.into_iter().collect();
    put(table, "agents", Some(names.into()));
    Some(())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SandboxExec {
    /// A script for sh.
    command: String,
}

async fn sandbox_exec(runner: Arc<AgentRunner>, by: Session, input: SandboxExec) -> Result<ProgramEnded, OpError> {
    let investigation = investigation(&runner, &by)?;
    Ok(investigation.execute(&runner.sandbox, &input.command).await?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fetch {
    /// The source's name.
    source: String,
    /// The source's parameters, by name.
    #[serde(default)]
    params: Map<String, Value>,
}

async fn fetch_to_sandbox(runner: Arc<AgentRunner>, by: Session, input: Fetch) -> Result<Fetched, OpError> {
    let investigation = investigation(&runner, &by)?;
    fetch::fetch(&runner, &by, &investigation, &input.source, &input.params).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FetchBatch {
    /// 1 to 16 fetches.
    fetches: Vec<Fetch>,
}

async fn fetch_batch_to_sandbox(
    runner: Arc<AgentRunner>,
    by: Session,
    input: FetchBatch,
) -> Result<FetchedBatch, OpError> {
    if !(1..=FETCHES_MAX).contains(&input.fetches.len()) {
        return Err(OpError::out_of_range("fetches", 1, FETCHES_MAX));
    }
    let investigation = investigation(&runner, &by)?;
    let mut items = Vec::with_capacity(input.fetches.len());
    for Fetch { source, params } in &input.fetches {
        // One source that fails leaves what the others brought.
        items.push(match fetch::fetch(&runner, &by, &investigation, source, params).await {
            Ok(fetched) => FetchedItem::Fetched(fetched),
            Err(error) => FetchedItem::Failed { code: error.code.to_string(), message: error.message },
        });
    }
    Ok(FetchedBatch { items })
}

/// The sandbox of the conversation that a call comes from, or of the desk's.
fn investigation(runner: &AgentRunner, by: &Session) -> Result<Investigation, OpError> {
    let agent = runner.agents.meant_by(by)?;
    if !runner.tool_settings().sandbox.agents.contains(&agent.id) {
        let message = format!("{} has no sandbox. An Admin can give it one.", agent.id);
        return Err(OpError::new(AgentCode::SandboxOff, message));
    }
    let desk = agent.turns.session();
    Investigation::open(&agent.folders, by.entry().map_or(&desk, |(session, _)| session))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunShellTool {
    /// `shell_<name>`.
    tool: String,
    /// Values for the tool's parameters, by name.
    #[serde(default)]
    arguments: Map<String, Value>,
}

async fn run_shell_tool(runner: Arc<AgentRunner>, by: Session, input: RunShellTool) -> Result<ProgramEnded, OpError> {
    // Nobody knows what a program does.
    super::only_let_by_a_person(&by)?;
    shell_tools::run(&runner.sandbox, &runner.tool_settings().shell_tools, &input.tool, &input.arguments).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn giving_one_agent_the_sandbox_leaves_the_others_as_the_file_has_them() {
        let mut document: DocumentMut = "[sandbox]\nagents = [\"day\", \"main\"] # ask Dana\n".parse().unwrap();
        let agent = |name: &str| AgentId::new(name).unwrap();
        give_sandbox(&mut document, &agent("main"), false).unwrap();
        give_sandbox(&mut document, &agent("night"), true).unwrap();
        assert_eq!(document.to_string(), "[sandbox]\nagents = [\"day\", \"night\"] # ask Dana\n");
        let mut odd: DocumentMut = "[sandbox]\nagents = 3\n".parse().unwrap();
        assert_eq!(give_sandbox(&mut odd, &agent("main"), false), None, "what cannot be read is not replaced");
    }
}
