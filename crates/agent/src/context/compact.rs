//! Old messages become a summary. What is cut out never splits a call from its results, and nothing is lost on disk.

use std::ops::Range;

use llm::{Block, Caps, Request};
use robot::{ConversationId, Origin, Trust};

use crate::context::estimate::{block_chars, tokens_of_chars};
use crate::context::visible::VisibleEntries;
use crate::side_calls::side::SideCall;
use crate::text::{cut, ends};
use crate::{Covered, Entry, EntryKind, Estimator, Keep, KeepBy, Policy, SummaryForm, Transcript};

/// Messages by which a cut may move back to keep a call with its results.
const CUT_STEPS_MAX: usize = 50;
/// A shorter answer is no summary.
const SUMMARY_CHARS_MIN: usize = 30;
/// Characters of the beginning of each message that is summarised.
const MESSAGE_HEAD_CHARS: usize = 2_000;
/// Characters of its end.
const MESSAGE_TAIL_CHARS: usize = 800;
/// Characters of the arguments of a call.
const ARGUMENT_CHARS: usize = 400;
/// Messages of a stub, which stands in when no summary could be made.
const STUB_MESSAGES: usize = 12;
/// Characters of each.
const STUB_CHARS: usize = 120;
/// Least tokens of a summary.
const SUMMARY_TOKENS_MIN: u64 = 2_000;
/// Most tokens of one.
const SUMMARY_TOKENS_MAX: u64 = 8_000;
/// Most tokens of a summary in points.
const POINTS_TOKENS_MAX: u64 = 2_048;
/// Most tokens of the facts of one flush; they have no more tokens than the text they are from has characters.
const FLUSH_TOKENS_MAX: u64 = 2_000;
/// Less text holds no facts worth a call, characters.
const FLUSH_CHARS_MIN: u64 = 100;
/// Facts taken from one flush.
const FACTS_MAX: usize = 20;

const COMPANION: &str = include_str!("../prompts/summary_companion.md");
const OPERATOR: &str = include_str!("../prompts/summary_operator.md");
const POINTS: &str = include_str!("../prompts/summary_points.md");
const SECTIONS: &str = include_str!("../prompts/summary_sections.md");
const EMERGENCY: &str = include_str!("../prompts/summary_emergency.md");
const FLUSH: &str = include_str!("../prompts/flush.md");

/// The messages that one pass summarises.
#[derive(Debug, Clone, PartialEq)]
pub struct Compaction {
    /// The entries that the summary will stand for, an older summary's among them.
    pub covered: Covered,
    middle: Vec<Entry>,
    old: Option<Entry>,
}

/// The conversation, model and settings of a side call.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The conversation.
    pub session: &'a ConversationId,
    /// Capabilities of the model of the side call.
    pub caps: &'a Caps,
    /// The agent's settings.
    pub policy: &'a Policy,
}

impl Side<'_> {
    /// Tokens that a text may have beside `chars` other characters and an answer of `output_max` tokens. A tenth stays
    /// free: tokens are estimated.
    fn room(self, chars: usize, output_max: u32) -> u64 {
        let window = u64::from(self.caps.window);
        let others = tokens_of_chars(self.policy.estimator, u64::try_from(chars).unwrap_or(u64::MAX));
        let answer = output_max.min(self.caps.output_max);
        (window - window / 10).saturating_sub(others).saturating_sub(answer.into())
    }
}

/// Something worth remembering.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fact {
    /// A few words.
    pub title: String,
    /// One or two sentences.
    #[serde(alias = "body")]
    pub text: String,
}

impl Compaction {
    /// Plans a pass over `transcript` when the context may have `window` tokens; none if everything is kept. With every
    /// pass of a turn the tail may be half as large.
    #[must_use]
    pub fn plan(transcript: &Transcript, policy: &Policy, window: u64, pass: u32) -> Option<Self> {
        let shown = VisibleEntries::of(transcript);
        let old_at = shown.entries.iter().position(|entry| matches!(entry.kind, EntryKind::Summary(_)));
        let old = old_at.map(|at| shown.entries[at].clone());
        // What stands in front of an older summary was kept on purpose, so the next cut begins behind that
        // summary.
        let first = old_at.map_or_else(|| head_end(&shown.entries, &policy.compact.keep), |at| at + 1);
        let last = tail_start(&shown.entries, policy, window, pass);
        let middle = cut_between(&shown.entries, first..last)?;
        let entries = &shown.entries[middle.clone()];
        let from = match &old.as_ref().map(|entry| &entry.kind) {
            // The new summary replaces the old one and therefore also stands for everything that the old one
            // stood for.
            Some(EntryKind::Summary(covered)) => covered.from,
            Some(_) | None => entries.first()?.id,
        };
        // Up to the next entry that is shown: markers in between belong to the range as well.
        let to = shown.entries.get(middle.end).map_or_else(|| transcript.next_id(), |entry| entry.id);
        Some(Self { covered: Covered { from, to }, middle: entries.iter().copied().cloned().collect(), old })
    }

    /// All that is shown of `transcript`, of which nothing is kept; nothing if there is nothing.
    #[must_use]
    pub fn whole(transcript: &Transcript) -> Option<Self> {
        let shown = VisibleEntries::of(transcript).entries;
        let is_summary = |entry: &&&Entry| matches!(entry.kind, EntryKind::Summary(_));
        let old = shown.iter().find(is_summary).copied().cloned();
        let middle: Vec<Entry> = shown.iter().filter(|entry| !is_summary(entry)).copied().cloned().collect();
        let from = shown.first()?.id;
        Some(Self { covered: Covered { from, to: transcript.next_id() }, middle, old })
    }

    /// Asks for the summary.
    #[must_use]
    pub fn request(&self, side: Side) -> Request {
        let prompt = match side.policy.compact.summary {
            SummaryForm::Companion => COMPANION,
            SummaryForm::Operator => OPERATOR,
            SummaryForm::SixPoints => POINTS,
            SummaryForm::FiveSections => SECTIONS,
        };
        self.ask(side, prompt, self.budget(side))
    }

    /// Asks for a summary of a few words, when everything else was not enough.
    #[must_use]
    pub fn emergency_request(&self, side: Side) -> Request {
        self.ask(side, EMERGENCY, self.budget(side))
    }

    /// The blocks of the summary entry: the answer, if it is one, else the old summary or the newest lines of what is
    /// left out. It is trusted no more than the least of what it stands for.
    #[must_use]
    pub fn summary(&self, answer: Option<&str>) -> Vec<Block> {
        let answer = answer.map(str::trim).filter(|text| is_summary(text));
        let text = match (answer, self.old_text()) {
            (Some(text), _) => text.to_owned(),
            // The old summary is still true, and no entry in view says the same any more.
            (None, Some(old)) => format!("{old}\n\n{}", self.stub()),
            (None, None) => self.stub(),
        };
        vec![Block::Text { text, trust: self.trust() }]
    }

    /// The lowest trust of what is summarised.
    #[must_use]
    pub fn trust(&self) -> Trust {
        lowest_trust(self.middle.iter().chain(&self.old))
    }

    fn ask(&self, side: Side, prompt: &str, output_max: u32) -> Request {
        let old = self.old_text().filter(|_| side.policy.compact.update);
        let old = old.map(|text| format!("The summary so far, to be brought up to date:\n{text}\n\nNew messages:\n"));
        let old = old.unwrap_or_default();
        let room = side.room(prompt.chars().count() + old.chars().count(), output_max);
        let text = old + &printed(&self.middle, side.policy.estimator, room);
        let temperature = side.policy.sampling.summary;
        let (session, caps, trust) = (side.session, side.caps, self.trust());
        SideCall { session, caps, temperature, output_max, system: prompt.trim_end().to_owned(), text, trust }.request()
    }

    /// Room for the words that are needed, and no more than the context can carry.
    fn budget(&self, side: Side) -> u32 {
        let window = crate::context::context_relief::window(side.policy, side.caps);
        let content = tokens_of_chars(side.policy.estimator, self.middle.iter().map(entry_chars).sum());
        let tokens = match side.policy.compact.summary {
            SummaryForm::Companion | SummaryForm::Operator => {
                // A fifth of the text or a twentieth of the window, whichever is less: a summary must not crowd out
                // the conversation.
                (content / 5).min(window / 20).clamp(SUMMARY_TOKENS_MIN, SUMMARY_TOKENS_MAX)
            }
            SummaryForm::SixPoints => (window / 4).min(POINTS_TOKENS_MAX),
            SummaryForm::FiveSections => SUMMARY_TOKENS_MIN,
        };
        u32::try_from(tokens).unwrap_or(u32::MAX)
    }

    fn old_text(&self) -> Option<&str> {
        self.old.as_ref().and_then(|entry| entry.blocks.iter().find_map(words))
    }

    fn stub(&self) -> String {
        let from = self.middle.len().saturating_sub(STUB_MESSAGES);
        self.middle[from..].iter().map(|entry| cut(&line(entry), STUB_CHARS)).collect::<Vec<_>>().join("\n")
    }
}

/// True if an answer to [`Compaction::request`] is a summary, and not a word or two beside the question.
pub(crate) fn is_summary(answer: &str) -> bool {
    answer.trim().chars().count() >= SUMMARY_CHARS_MIN
}

/// Asks what is worth remembering of everything since the last flush, if there is enough to ask about.
#[must_use]
pub fn flush_request(transcript: &Transcript, side: Side) -> Option<Request> {
    let fresh = unflushed(transcript);
    let chars = fresh.iter().map(entry_chars).sum::<u64>();
    // A side call about a greeting would find nothing and cost a request.
    if chars < FLUSH_CHARS_MIN {
        return None;
    }
    // A small local model writes up to its limit even about a single sentence (decision 0146).
    let output_max = u32::try_from(chars.min(FLUSH_TOKENS_MAX)).unwrap_or(u32::MAX);
    let (session, caps, temperature) = (side.session, side.caps, side.policy.sampling.flush);
    let text = printed(&fresh, side.policy.estimator, side.room(FLUSH.chars().count(), output_max));
    let (system, trust) = (FLUSH.trim_end().to_owned(), lowest_trust(&fresh));
    Some(SideCall { session, caps, temperature, output_max, system, text, trust }.request())
}

/// The facts of the answer to a flush; none if it is no list of them.
#[must_use]
pub fn parse_facts(answer: &str) -> Vec<Fact> {
    // Models wrap the list in prose or in a code fence, so only the part between the outermost brackets is read.
    let list = answer.find('[').zip(answer.rfind(']')).and_then(|(from, to)| answer.get(from..=to));
    let mut facts: Vec<Fact> = list.and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
    facts.retain(|fact| !fact.title.trim().is_empty() && !fact.text.trim().is_empty());
    facts.truncate(FACTS_MAX);
    facts
}

/// True if a flush would read untrusted text: then its facts wait for review, whatever the turn is.
#[must_use]
pub fn flush_is_tainted(transcript: &Transcript) -> bool {
    lowest_trust(&unflushed(transcript)) == Trust::Text
}

/// True if enough was said after the last flush to be worth another one.
#[must_use]
pub fn can_flush(transcript: &Transcript) -> bool {
    unflushed(transcript).iter().map(entry_chars).sum::<u64>() >= FLUSH_CHARS_MIN
}

/// The newest messages in a few lines, for the daily log of a session that is given up.
#[must_use]
pub fn digest(transcript: &Transcript, messages: usize) -> String {
    let shown = VisibleEntries::of(transcript).entries;
    let from = shown.len().saturating_sub(messages);
    shown[from..].iter().map(|entry| cut(&line(entry), STUB_CHARS)).collect::<Vec<_>>().join("\n")
}

/// Messages, replies and results since the last flush.
fn unflushed(transcript: &Transcript) -> Vec<Entry> {
    let flushed = transcript.entries().iter().rfind(|entry| entry.kind == EntryKind::Marker(crate::Marker::Flushed));
    let after = flushed.map_or(0, |entry| entry.id);
    let shown = VisibleEntries::of(transcript).entries;
    let is_said = |entry: &&&Entry| match entry.kind {
        EntryKind::User | EntryKind::Assistant | EntryKind::ToolResult => entry.id >= after,
        // State of the world has a store of its own, and summaries and hints only repeat what was read before.
        EntryKind::Volatile | EntryKind::Nudge | EntryKind::Summary(_) | EntryKind::Marker(_) => false,
    };
    shown.iter().filter(is_said).copied().cloned().collect()
}

/// The first messages that stay, up to a place where a cut is allowed.
fn head_end(entries: &[&Entry], keep: &Keep) -> usize {
    let wanted = match keep.by {
        KeepBy::HeadAndTail => usize::try_from(keep.head).unwrap_or(usize::MAX).min(entries.len()),
        KeepBy::Exchanges | KeepBy::Messages => 0,
    };
    (0..=wanted).rev().find(|at| may_cut(entries, *at)).unwrap_or(0)
}

/// Index of the first of the newest messages that stay.
fn tail_start(entries: &[&Entry], policy: &Policy, window: u64, pass: u32) -> usize {
    let keep = &policy.compact.keep;
    let tail = usize::try_from(keep.tail).unwrap_or(usize::MAX);
    match keep.by {
        // Halved with every pass, down to a sixteenth: what still does not fit then needs another remedy.
        KeepBy::Messages => entries.len().saturating_sub(tail >> pass.min(4)),
        KeepBy::Exchanges => {
            let exchanges = entries.iter().enumerate().rev().filter(|(_, entry)| entry.kind == EntryKind::User);
            exchanges.map(|(at, _)| at).nth(tail.saturating_sub(1) >> pass.min(1)).unwrap_or(0)
        }
        KeepBy::HeadAndTail => {
            let share = keep.tail_share.map_or(0, |share| share.floor_of(window)) >> pass.min(4);
            let mut tokens = 0;
            let fits = entries.iter().rev().take_while(|entry| {
                tokens += tokens_of_chars(policy.estimator, entry_chars(entry));
                tokens <= share
            });
            // Counted by tokens alone, one huge result would leave the model without its newest messages.
            entries.len().saturating_sub(fits.count().max(tail))
        }
    }
}

/// The part of `range` that can be cut out: its end moves back to a place where nothing belongs together.
fn cut_between(entries: &[&Entry], range: Range<usize>) -> Option<Range<usize>> {
    let end = (range.start..=range.end).rev().take(CUT_STEPS_MAX + 1).find(|at| may_cut(entries, *at))?;
    (end > range.start).then_some(range.start..end)
}

/// A result belongs to its call, and the state of the world to the message it was gathered for.
fn may_cut(entries: &[&Entry], at: usize) -> bool {
    entries.get(at).is_none_or(|entry| match entry.kind {
        EntryKind::User | EntryKind::Assistant | EntryKind::Summary(_) => true,
        EntryKind::ToolResult | EntryKind::Volatile | EntryKind::Nudge | EntryKind::Marker(_) => false,
    })
}

/// The entries as lines; if they have more than about `tokens`, the newest of them, but one at least.
fn printed(entries: &[Entry], estimator: Estimator, tokens: u64) -> String {
    let mut chars = 0;
    let newest = entries.iter().rev().map(line).enumerate().take_while(|(at, line)| {
        chars += u64::try_from(line.chars().count()).unwrap_or(u64::MAX).saturating_add(1);
        *at == 0 || tokens_of_chars(estimator, chars) <= tokens
    });
    let mut lines: Vec<String> = newest.map(|(_, line)| line).collect();
    let left_out = entries.len() - lines.len();
    lines.extend((left_out > 0).then(|| format!("station: {left_out} older messages are left out here")));
    lines.reverse();
    lines.join("\n")
}

/// An entry as a line for the model that summarises it.
fn line(entry: &Entry) -> String {
    let who = match (&entry.kind, &entry.origin) {
        (EntryKind::Assistant, _) => "agent".to_owned(),
        (EntryKind::ToolResult, Origin::Tool(name)) => format!("result of {name}"),
        (_, Origin::Operator(name)) => format!("operator {name}"),
        (_, Origin::Room(sender)) => format!("room, {sender}"),
        (_, Origin::System | Origin::Agent | Origin::Tool(_) | Origin::Sensor(_)) => "station".to_owned(),
    };
    let parts = entry.blocks.iter().map(|block| match block {
        Block::Text { text, .. } => ends(text, MESSAGE_HEAD_CHARS, MESSAGE_TAIL_CHARS),
        Block::Call { name, args_raw, .. } => format!("calls {name} {}", cut(args_raw, ARGUMENT_CHARS)),
        Block::Result { json, .. } => ends(json, MESSAGE_HEAD_CHARS, MESSAGE_TAIL_CHARS),
    });
    format!("{who}: {}", parts.collect::<Vec<_>>().join("\n"))
}

fn words(block: &Block) -> Option<&str> {
    match block {
        Block::Text { text, .. } => Some(text),
        Block::Call { .. } | Block::Result { .. } => None,
    }
}

fn entry_chars(entry: &Entry) -> u64 {
    entry.blocks.iter().map(block_chars).sum()
}

/// The least that any of `entries` can be believed.
pub(crate) fn lowest_trust<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Trust {
    // `Trust` is ordered from trusted to text, so the greatest is the least believable.
    entries.into_iter().map(Entry::trust).max().unwrap_or(Trust::Trusted)
}

#[cfg(test)]
mod tests;
