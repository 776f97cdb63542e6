//! The streamed reply of a model on its way to the turn: the first piece at once, later ones merged, so that a fast
//! model floods nobody.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use llm::{Delta, DeltaSink, ModelError, Reply, Usage};
use tokio::sync::Notify;

use crate::models::ledger::Ending;
use runtime::lock::lock;

/// Time for which pieces are gathered: with a window channel's own delay, one frame of a screen.
pub(crate) const MERGE: Duration = Duration::from_millis(12);
/// Pieces that wait apart; one more joins the last of its kind.
const WAITING_MAX: usize = 1_024;

/// The pieces that wait.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    pieces: Mutex<Pieces>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Pieces {
    waiting: VecDeque<Delta>,
    heard: bool,
    usage: Option<Usage>,
    /// Usage of attempts that the model itself gave up.
    discarded: Option<Usage>,
}

impl Stream {
    /// Takes a piece. Never waits: it is called from within the driver of the model.
    pub fn push(&self, delta: Delta) {
        lock(&self.pieces).push(delta);
        self.arrived.notify_one();
    }

    /// Takes the pieces of a call that nobody watches.
    pub fn sink(self: &Arc<Self>) -> Arc<DeltaSink> {
        let stream = Arc::clone(self);
        Arc::new(move |delta| stream.push(delta))
    }

    /// The ending of the call for the ledger, by its answer; without one it was given up.
    pub fn ending<'a>(&self, answer: Option<&'a Result<Reply, ModelError>>) -> Ending<'a> {
        let (heard, usage) = self.heard();
        match answer {
            None => Ending::Dropped(usage, heard),
            Some(Ok(reply)) => Ending::Replied(reply),
            Some(Err(error)) => Ending::Failed(error, heard),
        }
    }

    /// Waits until something waits to be taken.
    pub async fn arrived(&self) {
        while lock(&self.pieces).waiting.is_empty() {
            self.arrived.notified().await;
        }
    }

    /// Everything that waits, in order.
    pub fn take(&self) -> VecDeque<Delta> {
        std::mem::take(&mut lock(&self.pieces).waiting)
    }

    /// True if anything came, and the usage that was reported last.
    pub fn heard(&self) -> (bool, Option<Usage>) {
        let pieces = lock(&self.pieces);
        (pieces.heard, pieces.usage)
    }

    /// Usage of attempts that the model gave up within the call, if there was any.
    pub fn discarded(&self) -> Option<Usage> {
        lock(&self.pieces).discarded
    }
}

impl Pieces {
    fn push(&mut self, delta: Delta) {
        self.heard = true;
        match delta {
            // The reply brings them whole, and nobody is shown half of them.
            Delta::CallArgs { .. } | Delta::CallEnd { .. } => {}
            // Of the prompt, not of the reply: it is shown as long as it is so, and not in the order of pieces.
            Delta::Prompt(_) => {}
            Delta::Usage(usage) => self.usage = Some(usage),
            // The waiting pieces are void, and nobody has seen them.
            Delta::Restart => {
                self.discard();
                self.waiting = VecDeque::from([Delta::Restart]);
            }
            Delta::Text(more) => match self.waiting.back_mut() {
                Some(Delta::Text(text)) => text.push_str(&more),
                Some(_) | None => self.push_apart(Delta::Text(more)),
            },
            Delta::Thinking(more) => match self.waiting.back_mut() {
                Some(Delta::Thinking(text)) => text.push_str(&more),
                Some(_) | None => self.push_apart(Delta::Thinking(more)),
            },
            start @ Delta::CallStart { .. } => self.push_apart(start),
        }
    }

    /// Moves the usage reported so far, which was paid for, to the discarded attempts.
    fn discard(&mut self) {
        if let Some(usage) = self.usage.take() {
            self.discarded.get_or_insert_default().add(&usage);
        }
    }

    fn push_apart(&mut self, delta: Delta) {
        // A provider that changes from words to thinking at each piece must not fill the memory.
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back(delta);
            return;
        }
        let joined = self.waiting.iter_mut().rev().find_map(|waiting| match (waiting, &delta) {
            (Delta::Text(text), Delta::Text(more)) | (Delta::Thinking(text), Delta::Thinking(more)) => {
                text.push_str(more);
                Some(())
            }
            (_, _) => None,
        });
        if joined.is_none() {
            tracing::debug!("a piece of a reply is not shown; the reply has it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Delta {
        Delta::Text(text.into())
    }

    /// Asserts that `expected` waits after `pieces`.
    fn check(pieces: &[Delta], expected: &[Delta]) {
        let stream = Stream::default();
        pieces.iter().cloned().for_each(|piece| stream.push(piece));
        assert_eq!(stream.take(), expected, "{pieces:?}");
        assert!(stream.take().is_empty());
    }

    #[test]
    fn v_01_pieces_of_one_kind_merge_and_their_order_stays() {
        let thought = Delta::Thinking("hm".into());
        check(&[text("a"), text("b"), thought.clone(), text("c")], &[text("ab"), thought, text("c")]);
        check(&[text("a"), Delta::Restart, text("b")], &[Delta::Restart, text("b")]);
        check(&[Delta::CallArgs { index: 0, json: "{".into() }, Delta::CallEnd { index: 0 }], &[]);
    }

    #[test]
    fn v_01_a_full_queue_merges_and_never_grows() {
        let stream = Stream::default();
        for n in 0..2 * WAITING_MAX {
            stream.push(text("t"));
            stream.push(Delta::Thinking(n.to_string()));
        }
        let taken = stream.take();
        assert_eq!(taken.len(), WAITING_MAX);
        let words: usize = taken.iter().map(|delta| if let Delta::Text(text) = delta { text.len() } else { 0 }).sum();
        assert_eq!(words, 2 * WAITING_MAX, "no word is lost");
    }

    #[test]
    fn wu_05_what_a_discarded_attempt_took_is_kept_apart() {
        let stream = Stream::default();
        let usage = |out| Usage { out, ..Usage::default() };
        for piece in [Delta::Usage(usage(3)), Delta::Restart, Delta::Restart, Delta::Usage(usage(4)), Delta::Restart] {
            stream.push(piece);
        }
        assert_eq!((stream.heard(), stream.discarded()), ((true, None), Some(usage(7))));
        stream.push(Delta::Usage(usage(1)));
        assert_eq!((stream.heard().1, stream.discarded()), (Some(usage(1)), Some(usage(7))));
    }

    #[tokio::test]
    async fn what_was_reported_is_known_when_the_call_is_dropped() {
        let stream = Stream::default();
        assert_eq!(stream.heard(), (false, None));
        let usage = Usage { in_fresh: 7, ..Usage::default() };
        stream.push(Delta::Usage(usage));
        assert_eq!(stream.heard(), (true, Some(usage)));
        stream.push(text("a"));
        stream.arrived().await;
    }
}
