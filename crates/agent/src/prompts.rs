//! The system text. Equal inputs give equal bytes: nothing in it changes while a conversation lasts.

use robot::AgentId;

const SAFETY: &str = include_str!("prompts/safety.md");
const FORMAT: &str = include_str!("prompts/format.md");

/// The system text of the agent `agent` at `site`: safety rules, identity, form of answers, place.
#[must_use]
pub fn system_text(agent: &AgentId, site: &str) -> Vec<String> {
    vec![
        SAFETY.trim_end().to_owned(),
        format!("You are {agent}, the agent of a Quarterdeck station. You help the people who supervise its robots."),
        FORMAT.trim_end().to_owned(),
        format!("You are at the operator's desk of site {site}."),
    ]
}
