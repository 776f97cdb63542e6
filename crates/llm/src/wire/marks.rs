//! Positions of cache marks: at the end of the conversation, and where that end was in the request before. They are
//! kept by block, because messages merge and their numbers move.

use super::{BlockKey, Marks};
use crate::TransientMark;

/// A block as marks see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub key: Option<BlockKey>,
    /// True if a mark may stand on it: not on thinking and not on empty text.
    pub eligible: bool,
    /// Gone after this call.
    pub transient: bool,
}

/// A block by its merged message and its place there.
pub(super) type Place = (usize, usize);

/// Marks of one request, and what is remembered for the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// In their order in the request.
    pub places: Vec<Place>,
    pub marks: Marks,
}

/// Marks for the merged messages of a request in `epoch`.
pub(super) fn place(messages: &[Vec<Spot>], transient: TransientMark, epoch: u32, before: &Marks) -> Placed {
    // In another epoch the past was edited, and the block that bore the mark may be gone.
    let before = Marks { epoch, prev: before.prev.filter(|_| before.epoch == epoch) };
    let prev = before.prev.and_then(|prev| find(messages, prev));
    let first_transient = places(messages).find(|at| spot(messages, *at).transient);
    let end = match (first_transient, transient) {
        (None, _) => (messages.len(), 0),
        (Some(_), TransientMark::SecondToLast) if messages.len() < 2 => {
            return Placed { places: Vec::new(), marks: before };
        }
        (Some(_), TransientMark::SecondToLast) => (messages.len() - 1, 0),
        (Some(first), TransientMark::BeforeTransient) => first,
    };
    let candidate = places(messages).take_while(|at| *at < end).filter(|at| spot(messages, *at).eligible).last();
    let newest = match (candidate, prev) {
        (Some(candidate), Some(prev)) if prev > candidate => prev,
        (Some(candidate), _) => candidate,
        (None, Some(prev)) => prev,
        (None, None) => return Placed { places: Vec::new(), marks: Marks { epoch, prev: None } },
    };
    let mut both: Vec<Place> = prev.into_iter().chain([newest]).collect();
    both.dedup();
    Placed { places: both, marks: Marks { epoch, prev: spot(messages, newest).key } }
}

fn places(messages: &[Vec<Spot>]) -> impl Iterator<Item = Place> {
    messages.iter().enumerate().flat_map(|(message, spots)| (0..spots.len()).map(move |block| (message, block)))
}

fn spot(messages: &[Vec<Spot>], (message, block): Place) -> Spot {
    messages[message][block]
}

fn find(messages: &[Vec<Spot>], key: BlockKey) -> Option<Place> {
    places(messages).find(|at| spot(messages, *at).key == Some(key) && spot(messages, *at).eligible)
}

#[cfg(test)]
mod tests;
