//! The context of a turn, gathered before it begins: the clock and the world, and for a language model recalled memory.
//! A part that takes longer than the policy allows is left out, and the turn begins.

use std::sync::Arc;
use std::time::Duration;

use agent::{EntryKind, Notes, Prefetch, Trigger, WorldExcerpt};
use llm::Block;
use memory::episodic::{EpisodeRole, Filters, Match, Newest, Query, Recent, cut_to};
use memory::{MemoryError, word};
use robot::{Now, Trust};
use world::prompt_block::{Since, Wanted};
use world::{Entry, Key};

use crate::agents::AgentUnit;
use crate::conversations::Conversation;
use crate::rooms::OfRoom;
use crate::runner::AgentRunner;
use crate::turn_runner::context::robots_block;
use runtime::lock::lock;

/// Lines of world state in front of a message.
const BLOCK_LINES_MAX: usize = 40;
/// Characters of world state in front of a message.
const BLOCK_CHARS_MAX: usize = 1_750;
/// Bytes of `MEMORY.md`: a turn's record must not hold a whole file.
const MEMORY_BYTES_MAX: usize = 8_192;
/// Characters of a line that tells of a record.
const LINE_CHARS_MAX: usize = 200;
/// A shorter message is no question that memory could answer.
const RECALLED_FOR_CHARS: usize = 8;
/// Roles of records about people's and the agent's own acts.
const OF_DAYS: [EpisodeRole; 5] =
    [EpisodeRole::User, EpisodeRole::Assistant, EpisodeRole::Belief, EpisodeRole::Note, EpisodeRole::Plan];
/// Roles of records about events that nobody at the desk began.
const OF_FEED: [EpisodeRole; 4] = [EpisodeRole::Alert, EpisodeRole::Job, EpisodeRole::Mission, EpisodeRole::System];

/// Records that are looked at for each place: many repeat the message, or each other.
const LOOKED_AT_PER_PLACE: usize = 8;

/// Prefix of the origins of a room's records.
const OF_ROOM: &str = "room(";

/// Sources of a turn's context.
pub(in crate::turn_runner) struct Gathering<'a> {
    pub runner: &'a AgentRunner,
    pub agent: &'a AgentUnit,
    pub conversation: &'a Conversation,
    pub prefetch: &'a Prefetch,
    pub notes: &'a Notes,
    /// The command interpreter reads nothing of what is gathered, and need not be tainted by it.
    pub recalls: bool,
    /// The room that the turn began in: nothing of the desk is told there.
    pub room: Option<&'a OfRoom>,
}

/// Lines for one block, with untrusted ones apart.
#[derive(Default)]
struct Lines {
    vouched: Vec<String>,
    unvouched: Vec<String>,
}

impl Gathering<'_> {
    /// Everything that stands in front of the message `words`, and which part of the world is in it.
    pub async fn blocks(&self, trigger: Trigger, words: &str) -> (Vec<Block>, WorldExcerpt) {
        let now = self.runner.runtime.clock.now();
        let (mut blocks, shown) = self.world(trigger, words, now);
        // Memory does not flow from the desk into a room (decision 0058).
        if let Some(room) = self.room {
            blocks.extend(room.history());
            return (blocks, shown);
        }
        let world = blocks.len();
        let recalled = self.agent.beliefs.recall(words, now);
        blocks.extend(block("", recalled.vouched, Trust::Trusted));
        blocks.extend(block("", recalled.text, Trust::Text));
        let wait = Duration::from_secs(self.prefetch.wait_s.into());
        // A slow disk must not keep a person's words waiting.
        match tokio::time::timeout(wait, self.remembered(words, now)).await {
            Ok(Ok(remembered)) => blocks.extend(remembered),
            Ok(Err(error)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the turn goes without what is remembered");
            }
            Err(_) => tracing::warn!(wait_s = self.prefetch.wait_s, "the turn goes without what is remembered"),
        }
        if self.set_aside_ms().is_some() {
            // Untrusted memory is not volunteered again here; the agent can search it.
            let remembered = blocks.split_off(world);
            blocks.extend(remembered.into_iter().filter(|block| !is_text(block)));
        }
        if !self.recalls {
            blocks.retain(|block| !is_text(block));
        }
        (blocks, shown)
    }

    /// The clock, and the world and the robots as they are now.
    fn world(&self, trigger: Trigger, words: &str, now: Now) -> (Vec<Block>, WorldExcerpt) {
        let mut entries = self.agent.world.ingest.entries();
        if let Some(aside_ms) = self.set_aside_ms() {
            // Entries carry times of the station's clock, the transcript those of the wall clock.
            let ago_ms = u64::try_from(now.wall_ms.saturating_sub(aside_ms)).unwrap_or(0);
            let aside = now.station.minus(Duration::from_millis(ago_ms));
            // A text of before may be what was set aside (decision 0085).
            entries.retain(|entry| entry.trust != Trust::Text || entry.changed_at > aside);
        }
        let named = named_keys(words, trigger, &entries);
        let wanted = Wanted {
            trigger_keys: &named,
            since: self.last_shown(now),
            lines_max: BLOCK_LINES_MAX,
            chars_max: BLOCK_CHARS_MAX,
        };
        let rendered = world::prompt_block::render(&entries, &wanted, now);
        let mut typed = rendered.typed;
        if rendered.left_out > 0 {
            typed = format!("{typed}\n+{} more", rendered.left_out);
        }
        let context = agent::context_block(now.wall_ms, trigger, &typed, Trust::Typed);
        let robots = robots_block::block(self.runner);
        let blocks = std::iter::once(context).chain(robots).chain(block("", rendered.text, Trust::Text)).collect();
        (blocks, WorldExcerpt { seq: rendered.seq, keys: rendered.keys.iter().map(Key::to_string).collect() })
    }

    /// When a person set aside what this conversation had read, UTC milliseconds.
    fn set_aside_ms(&self) -> Option<i64> {
        lock(&self.conversation.transcript).set_aside_at_ms()
    }

    /// The block of the world that this conversation has been shown last.
    fn last_shown(&self, now: Now) -> Option<Since> {
        let lines = self.conversation.lines();
        let (world, at_ms) = lines.iter().rev().find_map(|line| Some((line.world.as_ref()?, line.at_ms)))?;
        let ago_ms = u64::try_from(now.wall_ms.saturating_sub(at_ms)).unwrap_or(0);
        Some(Since { seq: world.seq, at: now.station.minus(Duration::from_millis(ago_ms)) })
    }

    async fn remembered(&self, words: &str, now: Now) -> Result<Vec<Block>, MemoryError> {
        let mut blocks = self.memory_file().await;
        if !self.recalls {
            return Ok(blocks);
        }
        let told_ms = self.told_ms();
        blocks.extend(self.days(told_ms, now).await?);
        blocks.extend(self.found(words).await?);
        blocks.extend(self.feed(told_ms, now).await?);
        Ok(blocks)
    }

    /// When this conversation was told last, UTC milliseconds: what was told then is still in front of the model.
    fn told_ms(&self) -> Option<i64> {
        let transcript = lock(&self.conversation.transcript);
        let epoch = transcript.epoch();
        let told = |entry: &&agent::Entry| entry.kind == EntryKind::Volatile && entry.epoch == epoch;
        transcript.entries().iter().rfind(told).map(|entry| entry.at_ms)
    }

    /// The newest lines of `MEMORY.md`.
    async fn memory_file(&self) -> Vec<Block> {
        let lines = match self.agent.notes.memory_lines(self.notes.lines as usize).await {
            Ok(lines) => lines,
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the turn goes without MEMORY.md");
                return Vec::new();
            }
        };
        let kept = |text: String| text[..text.floor_char_boundary(MEMORY_BYTES_MAX)].to_owned();
        let vouched = block("[MEMORY.md]\n", kept(lines.vouched), Trust::Trusted);
        vouched.into_iter().chain(block("[MEMORY.md]\n", kept(lines.unvouched), Trust::Text)).collect()
    }

    /// The records of yesterday and today that this conversation has not been told yet.
    async fn days(&self, told_ms: Option<i64>, now: Now) -> Result<Vec<Block>, MemoryError> {
        let zone = &self.runner.runtime.zone;
        let (today, today_ms) = zone.day_of(now.wall_ms);
        // The day before, however long it was: where clocks are changed it may have 23 or 25 hours.
        let (yesterday, yesterday_ms) = zone.day_of(today_ms - 1);
        // The feed has the alerts, jobs, missions and system events since the last turn.
        let of_feed = OF_FEED.iter().filter(|_| told_ms.is_none());
        let roles: Vec<EpisodeRole> = OF_DAYS.iter().chain(of_feed).copied().collect();
        let mut blocks = Vec::new();
        for (day, from_ms, until_ms) in [(yesterday, yesterday_ms, today_ms), (today, today_ms, i64::MAX)] {
            let from_ms = told_ms.map_or(from_ms, |told_ms| from_ms.max(told_ms));
            let wanted = self.newest(from_ms, until_ms, &roles, self.notes.daily_lines);
            let line = |record: &Recent| {
                let (at, role) = (zone.hh_mm(record.at_ms), word(&record.role));
                format!("{at} {role}: {}", one_line(&record.content))
            };
            blocks.extend(self.lines(&wanted, line).await?.blocks(&format!("[Day {day}]")));
        }
        Ok(blocks)
    }

    /// The records that fit the words best.
    async fn found(&self, words: &str) -> Result<Vec<Block>, MemoryError> {
        let query = Query::parse(words, Match::Any).filter(|_| words.chars().count() >= RECALLED_FOR_CHARS);
        let Some(query) = query.filter(|_| self.prefetch.hits > 0) else { return Ok(Vec::new()) };
        let (models, half_life_days) = (&self.runner.models, self.runner.memory.half_life_days);
        let weighing = self.agent.embeddings.weighing(models, half_life_days, words).await;
        let limit = self.prefetch.hits as usize;
        let looked_at = limit.saturating_mul(LOOKED_AT_PER_PLACE);
        let found = self.agent.episodes.search(&self.agent.db, query, Filters::default(), looked_at, weighing).await?;
        let mut lines = Lines::default();
        let mut said = PastTexts::with(words);
        // Words from a room are told in that room only.
        let of_desk = found.hits.into_iter().filter(|hit| !hit.origin.starts_with(OF_ROOM));
        for hit in of_desk.filter(|hit| said.is_new(&hit.content)).take(limit) {
            let content = cut_to(&hit.content.replace(['\n', '\r'], " "), self.prefetch.hit_chars as usize);
            lines.add(
                hit.trust,
                format!("{} {}: {content}", self.runner.runtime.zone.rfc3339(hit.at_ms), word(&hit.role)),
            );
        }
        Ok(lines.blocks("[Recalled]"))
    }

    /// The alerts, jobs, missions and system events since this conversation was last told of them.
    async fn feed(&self, told_ms: Option<i64>, now: Now) -> Result<Vec<Block>, MemoryError> {
        let Some(told_ms) = told_ms else { return Ok(Vec::new()) };
        let wanted = self.newest(told_ms, i64::MAX, &OF_FEED, self.prefetch.feed);
        let line = |record: &Recent| {
            // The wall clock may have been set back since.
            let ago_s = now.wall_ms.saturating_sub(record.at_ms).max(0) / 1_000;
            format!("{ago_s}s ago, {}: {}", word(&record.role), one_line(&record.content))
        };
        Ok(self.lines(&wanted, line).await?.blocks("[Since then]"))
    }

    fn newest<'b>(&'b self, from_ms: i64, until_ms: i64, roles: &'b [EpisodeRole], limit: u32) -> Newest<'b> {
        Newest { from_ms, until_ms, roles, not_session: &self.conversation.session, limit }
    }

    async fn lines(&self, wanted: &Newest<'_>, line: impl Fn(&Recent) -> String) -> Result<Lines, MemoryError> {
        let mut lines = Lines::default();
        if wanted.limit == 0 {
            return Ok(lines);
        }
        for record in self.agent.episodes.newest(&self.agent.db, wanted).await? {
            lines.add(record.trust, line(&record));
        }
        Ok(lines)
    }
}

impl Lines {
    fn add(&mut self, trust: Trust, line: String) {
        match trust {
            Trust::Trusted | Trust::Typed => self.vouched.push(line),
            Trust::Text => self.unvouched.push(line),
        }
    }

    fn blocks(self, header: &str) -> Vec<Block> {
        let header = format!("{header}\n");
        let vouched = block(&header, self.vouched.join("\n"), Trust::Trusted);
        vouched.into_iter().chain(block(&header, self.unvouched.join("\n"), Trust::Text)).collect()
    }
}

fn is_text(block: &Block) -> bool {
    matches!(block, Block::Text { trust: Trust::Text, .. })
}

/// A block of text, if there is any.
fn block(header: &str, text: String, trust: Trust) -> Option<Block> {
    (!text.is_empty()).then(|| Block::Text { text: format!("{header}{text}"), trust })
}

fn one_line(content: &str) -> String {
    cut_to(&content.replace(['\n', '\r'], " "), LINE_CHARS_MAX)
}

/// The keys that `words` name. A person may write a word with a dot that is no key; what a rule names is one.
fn named_keys(words: &str, trigger: Trigger, entries: &[Arc<Entry>]) -> Vec<Key> {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let keys = words.split(|c: char| !is_of_key(c)).filter_map(|word| {
        let word = word.trim_matches('.');
        let is_named = word.contains('.') && word.starts_with(|c: char| c.is_ascii_lowercase());
        Key::new(word).ok().filter(|_| is_named)
    });
    let is_known = |key: &Key| entries.iter().any(|entry| entry.key == *key);
    match trigger {
        // A rule may name a key that has no value yet, and that is what its agent has to see.
        Trigger::Alert => keys.collect(),
        Trigger::Operator | Trigger::Schedule | Trigger::Room | Trigger::Decision | Trigger::Task | Trigger::Resume => {
            keys.filter(is_known).collect()
        }
    }
}

mod repeated;

use repeated::PastTexts;

#[cfg(test)]
mod tests;
