//! The system text. Equal inputs give equal bytes; how long it stays the same is a setting.

use std::collections::BTreeSet;

use robot::AgentId;
use sha2::{Digest, Sha256};

use crate::text::{head, tail};
use crate::{Policy, Prefix, PromptOrder};

const SAFETY: &str = include_str!("prompts/safety.md");
const FORMAT: &str = include_str!("prompts/format.md");
const VOICE: &str = include_str!("prompts/voice.md");
const VAULT_TOOLS: &str = include_str!("prompts/vault_tools.md");
const VAULT_CONTEXT: &str = include_str!("prompts/vault_context.md");
const WORKFLOW: &str = include_str!("prompts/workflow.md");
const CONTINUATION: &str = include_str!("prompts/continuation.md");

/// Characters of each input that moves the fingerprint, in the order of [`SystemParts`].
const FINGERPRINT_CHARS: [usize; 5] = [2_400, 300, 200, 220, 220];
/// Stands before what has changed since the system text was written.
const NEWS_TITLE: &str = "[Missions and constraints have changed]";
/// Characters by which something that is gone is recognised.
const GONE_CHARS: usize = 120;
/// Characters of the tool section that a cut never takes.
const TOOLS_CHARS: usize = 4_000;

/// Parts of a system text. All of it is trusted: words of sensors, tools and rooms never stand here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemParts {
    /// Identity of the agent, one sentence.
    pub identity: String,
    /// The file that says who the agent is, for designs that have one.
    pub soul: String,
    /// Conduct towards the people it speaks to directly.
    pub strategy: String,
    /// Workspace: folders and the channel it speaks in.
    pub workspace: String,
    /// Owner that it works for, and the site.
    pub owner: String,
    /// Missions as they are when the epoch begins, one line each.
    pub missions: Vec<String>,
    /// Constraints as they are when the epoch begins, one line each.
    pub constraints: Vec<String>,
    /// Voice and manner of speech.
    pub voice: String,
    /// Knowledge of the agent.
    pub knowledge: String,
    /// Past of the agent.
    pub narrative: String,
    /// Inner monologue.
    pub inner_voice: String,
    /// Relationship with the person.
    pub relationship: String,
    /// Memory notes.
    pub memory: String,
    /// The person it speaks to.
    pub user: String,
    /// Instructions for each event.
    pub workflow: String,
    /// Name and one line of each tool, for designs that print them.
    pub tools: Vec<String>,
}

/// A system text, and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SystemText {
    /// Its blocks.
    pub blocks: Vec<String>,
    fingerprint: String,
    epoch: u32,
    /// Missions and constraints as the model knows them: those of the text, and what it was told since.
    known: BTreeSet<String>,
}

impl SystemText {
    /// The text of these parts.
    pub fn new(policy: &Policy, parts: &SystemParts, epoch: u32) -> Self {
        Self { blocks: blocks(policy, parts), fingerprint: fingerprint(parts), epoch, known: changing(parts) }
    }

    /// The text for the next turn: the same one for as long as the policy wants it to stay.
    pub fn next(self, policy: &Policy, parts: &SystemParts, epoch: u32) -> Self {
        let stays = match policy.prompt.prefix {
            Prefix::Fingerprint => self.fingerprint == fingerprint(parts),
            Prefix::Stable => true,
            Prefix::EachCall => false,
            // An epoch changes the prefix anyway, so a new text costs no cache of its own.
            Prefix::Epoch => self.epoch == epoch,
        };
        if stays { self } else { Self::new(policy, parts, epoch) }
    }

    /// News since the text was written that the model was not told yet, if there is any.
    pub fn news(&mut self, parts: &SystemParts) -> Option<String> {
        let now = changing(parts);
        // The text itself cannot change within the epoch, so the model is told of the difference.
        let gone = self.known.difference(&now).map(|text| format!("No longer: {}", head(text, GONE_CHARS)));
        let new = now.difference(&self.known).map(|text| format!("Now: {text}"));
        let news: Vec<String> = gone.chain(new).collect();
        self.known = now;
        (!news.is_empty()).then(|| format!("{NEWS_TITLE}\n{}", news.join("\n")))
    }
}

/// Missions and constraints, which come and go while a conversation lasts.
fn changing(parts: &SystemParts) -> BTreeSet<String> {
    parts.missions.iter().chain(&parts.constraints).cloned().collect()
}

/// Says to a model that goes on with an older conversation what that means.
#[must_use]
pub fn continuation() -> &'static str {
    CONTINUATION.trim_end()
}

impl SystemParts {
    /// Those of an agent of which nothing more is known.
    #[must_use]
    pub fn of(agent: &AgentId, site: &str) -> Self {
        Self {
            identity: format!(
                "You are {agent}, the agent of a Quarterdeck station. You help the people who supervise its robots."
            ),
            workspace: format!("You are at the operator's desk of site {site}."),
            ..Self::default()
        }
    }
}

impl SystemParts {
    /// The same for a conversation in a room: nothing of what the agent remembers, lives through or intends with the
    /// people it speaks to directly.
    #[must_use]
    pub fn in_room(self) -> Self {
        // Kept fields are listed by name: one that is added later stays out of rooms until somebody lists it.
        let Self { identity, soul, workspace, owner, missions, constraints, voice, workflow, tools, .. } = self;
        Self { identity, soul, workspace, owner, missions, constraints, voice, workflow, tools, ..Self::default() }
    }
}

fn blocks(policy: &Policy, parts: &SystemParts) -> Vec<String> {
    let blocks = match policy.prompt.order {
        PromptOrder::Operator => operator(parts),
        PromptOrder::Companion => companion(parts),
        PromptOrder::Vault => vec![joined(&vault(parts))],
        PromptOrder::Investigator => vec![joined(&investigator(parts))],
        PromptOrder::Chat => chat(parts),
    };
    let blocks: Vec<String> = blocks.into_iter().filter(|block| !block.is_empty()).collect();
    match policy.prompt.chars_max {
        Some(max) => bounded(blocks, usize::try_from(max).unwrap_or(usize::MAX)),
        None => blocks,
    }
}

fn operator(parts: &SystemParts) -> Vec<String> {
    vec![
        // The safety rules stand first because a cut spares the first block.
        SAFETY.trim_end().to_owned(),
        joined(&[&parts.identity, &parts.soul]),
        FORMAT.trim_end().to_owned(),
        parts.workspace.clone(),
        parts.owner.clone(),
        section("Missions", &parts.missions),
        section("Constraints", &parts.constraints),
    ]
}

/// Stable text only; the tools stand at the end, where a cut never reaches.
fn companion(parts: &SystemParts) -> Vec<String> {
    let voice = if parts.voice.is_empty() { VOICE } else { &parts.voice };
    let [knowledge, narrative, inner_voice, relationship, memory] = fingerprinted(parts);
    vec![
        joined(&[SAFETY, &parts.identity, &parts.soul]),
        joined(&[inner_voice, narrative, relationship, memory]),
        joined(&[voice, knowledge]),
        section("Tools", &parts.tools),
    ]
}

/// One block, so that it is long enough for a provider to keep.
fn vault(parts: &SystemParts) -> Vec<&str> {
    vec![SAFETY, &parts.identity, &parts.soul, VAULT_TOOLS, VAULT_CONTEXT, FORMAT, &parts.workspace]
}

fn investigator(parts: &SystemParts) -> Vec<&str> {
    let workflow = if parts.workflow.is_empty() { WORKFLOW } else { &parts.workflow };
    let mut texts = vec![SAFETY, &parts.identity, FORMAT, &parts.workspace];
    texts.extend(parts.tools.iter().map(String::as_str));
    texts.push(workflow);
    texts
}

/// In this order: soul, security, strategy, workspace, response format, owner, memory, current user. What was searched
/// for and the flush warning follow with the state of the turn.
fn chat(parts: &SystemParts) -> Vec<String> {
    vec![
        joined(&[&parts.identity, &parts.soul]),
        SAFETY.trim_end().to_owned(),
        parts.strategy.clone(),
        parts.workspace.clone(),
        FORMAT.trim_end().to_owned(),
        parts.owner.clone(),
        parts.memory.clone(),
        parts.user.clone(),
    ]
}

fn section(title: &str, lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("{title}:\n{}", lines.join("\n")) }
}

fn joined(texts: &[&str]) -> String {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}

/// At most `max` characters in all. The first block, which holds the safety rules, and the end of the last stay.
fn bounded(mut blocks: Vec<String>, max: usize) -> Vec<String> {
    let chars = |blocks: &[String]| blocks.iter().map(|block| block.chars().count()).sum::<usize>();
    let mut at = blocks.len().saturating_sub(1);
    while chars(&blocks) > max && at > 0 {
        at -= 1;
        if at > 0 {
            let spare = chars(&blocks) - max;
            let keep = blocks[at].chars().count().saturating_sub(spare);
            blocks[at] = head(&blocks[at], keep).to_owned();
        }
    }
    if chars(&blocks) > max
        && let Some(last) = blocks.last_mut()
    {
        *last = tail(last, TOOLS_CHARS).to_owned();
    }
    if chars(&blocks) > max
        && let Some(first) = blocks.first_mut()
    {
        *first = head(first, max.saturating_sub(TOOLS_CHARS)).to_owned();
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

fn fingerprinted(parts: &SystemParts) -> [&str; 5] {
    let inputs = [&parts.knowledge, &parts.narrative, &parts.inner_voice, &parts.relationship, &parts.memory];
    std::array::from_fn(|at| head(inputs[at], FINGERPRINT_CHARS[at]))
}

/// Fingerprint of a text that stays until voice, mood or knowledge changes.
fn fingerprint(parts: &SystemParts) -> String {
    let mut digest = Sha256::new();
    for text in std::iter::once(parts.voice.as_str()).chain(fingerprinted(parts)) {
        // The lengths keep texts apart: a word that moves from one to the next changes the digest.
        digest.update(text.len().to_be_bytes());
        digest.update(text);
    }
    hex::encode(&digest.finalize()[..8])
}

#[cfg(test)]
mod tests;
