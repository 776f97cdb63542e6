//! Finding what was said, in every conversation of an agent.

use std::time::Duration;

use agent::{EntryLine, LineKind};
use memory::MemoryError;
use robot::{ConversationId, Instant};

use super::head::{without_envelope, words};
use super::{Conversations, read};
use runtime::clock::Clock;
use runtime::lock::lock;
use runtime::wire::{SessionHit, SessionsFound};

/// A search answers with what it has by then.
const TIME_LIMIT: Duration = Duration::from_millis(500);
/// Characters shown before a match.
const BEFORE_MAX: usize = 60;
/// Characters shown of an entry.
const EXCERPT_MAX: usize = 240;

impl Conversations {
    /// The newest `limit` entries that hold every word of `query`, whatever its case.
    pub async fn search(&self, query: &str, limit: usize, clock: Clock) -> Result<SessionsFound, MemoryError> {
        let terms: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let until = clock.now().station.plus(TIME_LIMIT);
        let mut names: Vec<(Option<i64>, ConversationId)> =
            lock(&self.heads).iter().map(|(name, head)| (head.last_ms, name.clone())).collect();
        // The newest conversations first: the time limit leaves out the oldest.
        names.sort_unstable_by(|a, b| b.cmp(a));
        let mut items: Vec<SessionHit> = Vec::new();
        let mut partial = false;
        for (_, session) in names {
            // Looked at between two files, since one that is being read is read to its end.
            if is_over(clock, until) {
                partial = true;
                break;
            }
            let (_, _, lines) = read(&self.folder, &session).await?;
            items.extend(lines.iter().filter_map(|line| hit(&session, line, &terms)));
        }
        items.sort_by_key(|hit| std::cmp::Reverse((hit.at_ms, hit.entry)));
        partial |= items.len() > limit;
        items.truncate(limit);
        Ok(SessionsFound { items, partial })
    }
}

fn is_over(clock: Clock, until: Instant) -> bool {
    clock.now().station >= until
}

fn hit(session: &ConversationId, line: &EntryLine, terms: &[String]) -> Option<SessionHit> {
    match line.kind {
        LineKind::User | LineKind::Assistant | LineKind::ToolResult => {}
        // Lines that the station adds were said by nobody.
        LineKind::Volatile | LineKind::Nudge | LineKind::Summary | LineKind::Marker => return None,
    }
    let said = words(line);
    let text = without_envelope(&said);
    let folded = text.to_lowercase();
    let first = terms.iter().map(|term| folded.find(term.as_str())).collect::<Option<Vec<_>>>()?.into_iter().min()?;
    Some(SessionHit {
        session: session.clone(),
        entry: line.id,
        at_ms: line.at_ms,
        origin: line.origin.clone(),
        trust: line.trust,
        // Folding can change the length of a text, so the place is one of characters.
        excerpt: excerpt(text, folded.get(..first).map_or(0, |before| before.chars().count())),
    })
}

fn excerpt(text: &str, at: usize) -> String {
    let from = at.saturating_sub(BEFORE_MAX);
    let mut shown: String = text.chars().skip(from).take(EXCERPT_MAX).collect();
    if from > 0 {
        shown.insert(0, '…');
    }
    if text.chars().count() > from + EXCERPT_MAX {
        shown.push('…');
    }
    shown
}
