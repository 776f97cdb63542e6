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
/// Characters of the tools that stay as long as they are no more than half of what may be said.
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

/// A part of a system text.
#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    /// The safety rules, of which a cut takes nothing.
    Rules,
    /// Any other text, which loses its end.
    Text(&'a str),
    /// Tools, which lose their beginning, and that late.
    Tools(&'a str),
}

impl<'a> Part<'a> {
    /// The part with at most `chars` characters; of tools `tools_min` stay.
    fn within(self, chars: usize, tools_min: usize) -> &'a str {
        match self {
            Self::Rules => SAFETY.trim(),
            Self::Text(text) => head(text.trim(), chars),
            Self::Tools(text) => tail(text.trim(), chars.max(tools_min)),
        }
    }
}

fn blocks(policy: &Policy, parts: &SystemParts) -> Vec<String> {
    let max = policy.prompt.chars_max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
    let (missions, constraints) = (section("Missions", &parts.missions), section("Constraints", &parts.constraints));
    match policy.prompt.order {
        PromptOrder::Operator => bounded(&operator(parts, &missions, &constraints), max),
        PromptOrder::Companion => bounded(&companion(parts, &section("Tools", &parts.tools)), max),
        PromptOrder::Vault => bounded(&[vault(parts)], max),
        PromptOrder::Investigator => bounded(&[investigator(parts, &parts.tools.join("\n\n"))], max),
        PromptOrder::Chat => bounded(&chat(parts), max),
    }
}

fn operator<'a>(parts: &'a SystemParts, missions: &'a str, constraints: &'a str) -> Vec<Vec<Part<'a>>> {
    vec![
        // The safety rules stand first because a cut spares the first block.
        vec![Part::Rules],
        vec![Part::Text(&parts.identity), Part::Text(&parts.soul)],
        vec![Part::Text(FORMAT)],
        vec![Part::Text(&parts.workspace)],
        vec![Part::Text(&parts.owner)],
        vec![Part::Text(missions)],
        vec![Part::Text(constraints)],
    ]
}

/// Stable text only; the tools stand at the end, where a cut comes late.
fn companion<'a>(parts: &'a SystemParts, tools: &'a str) -> Vec<Vec<Part<'a>>> {
    let voice = if parts.voice.is_empty() { VOICE } else { &parts.voice };
    let [knowledge, narrative, inner_voice, relationship, memory] = fingerprinted(parts);
    vec![
        vec![Part::Rules, Part::Text(&parts.identity), Part::Text(&parts.soul)],
        [inner_voice, narrative, relationship, memory].map(Part::Text).to_vec(),
        vec![Part::Text(voice), Part::Text(knowledge)],
        vec![Part::Tools(tools)],
    ]
}

/// One block, so that it is long enough for a provider to keep.
fn vault(parts: &SystemParts) -> Vec<Part<'_>> {
    let texts: [&str; 6] = [&parts.identity, &parts.soul, VAULT_TOOLS, VAULT_CONTEXT, FORMAT, &parts.workspace];
    std::iter::once(Part::Rules).chain(texts.map(Part::Text)).collect()
}

fn investigator<'a>(parts: &'a SystemParts, tools: &'a str) -> Vec<Part<'a>> {
    let workflow = if parts.workflow.is_empty() { WORKFLOW } else { &parts.workflow };
    vec![
        Part::Rules,
        Part::Text(&parts.identity),
        Part::Text(FORMAT),
        Part::Text(&parts.workspace),
        Part::Tools(tools),
        Part::Text(workflow),
    ]
}

/// In this order: soul, security, strategy, workspace, response format, owner, memory, current user. What was searched
/// for and the flush warning follow with the state of the turn.
fn chat(parts: &SystemParts) -> Vec<Vec<Part<'_>>> {
    vec![
        vec![Part::Text(&parts.identity), Part::Text(&parts.soul)],
        vec![Part::Rules],
        vec![Part::Text(&parts.strategy)],
        vec![Part::Text(&parts.workspace)],
        vec![Part::Text(FORMAT)],
        vec![Part::Text(&parts.owner)],
        vec![Part::Text(&parts.memory)],
        vec![Part::Text(&parts.user)],
    ]
}

fn section(title: &str, lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("{title}:\n{}", lines.join("\n")) }
}

fn joined(texts: &[&str]) -> String {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}

/// The blocks with at most `max` characters in all. A cut takes from the longest parts first, all down to one length.
fn bounded(blocks: &[Vec<Part<'_>>], max: usize) -> Vec<String> {
    let tools_min = TOOLS_CHARS.min(max / 2);
    let within = |chars: usize| -> Vec<String> {
        let block =
            |parts: &Vec<Part>| joined(&parts.iter().map(|part| part.within(chars, tools_min)).collect::<Vec<_>>());
        blocks.iter().map(block).filter(|block| !block.is_empty()).collect()
    };
    let fits = |blocks: &[String]| blocks.iter().map(|block| block.chars().count()).sum::<usize>() <= max;
    let whole = within(usize::MAX);
    if fits(&whole) {
        return whole;
    }
    // Parts of `max` characters and one more do not fit, and the shortest ones are the most that can be done.
    let (mut most, mut too_many) = (0, max.saturating_add(1));
    while too_many - most > 1 {
        let middle = most.midpoint(too_many);
        if fits(&within(middle)) {
            most = middle;
        } else {
            too_many = middle;
        }
    }
    within(most)
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
