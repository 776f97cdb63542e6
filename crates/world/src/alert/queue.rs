//! The queue of rules' events from the receive thread to their consumer. A full queue merges, and loses nothing.

use std::collections::{BTreeMap, VecDeque};

use super::{AlertId, Fire, RuleMove};
use crate::Changes;

/// Events that may wait; beyond, the events of one rule are merged.
const QUEUE_MAX: usize = 1_024;

/// One thing a rule did.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleNews {
    /// It fired.
    Fired(Fire),
    /// Its predicate says something else.
    Moved(RuleMove),
}

/// The queue of one agent.
#[derive(Debug, Default)]
pub struct RuleQueue {
    waiting: VecDeque<RuleNews>,
    /// Events that found no room, merged by rule, so at most one for each rule there is.
    merged: BTreeMap<AlertId, Merged>,
}

#[derive(Debug, Default)]
struct Merged {
    fire: Option<Fire>,
    moved: Option<RuleMove>,
}

impl RuleQueue {
    /// Takes what rules did out of `changes`; fires come before moves, as their effects do. True if something came in.
    pub fn push(&mut self, changes: &mut Changes) -> bool {
        let came = !changes.fires.is_empty() || !changes.moves.is_empty();
        for fire in changes.fires.drain(..) {
            if self.has_room(&fire.alert) {
                self.waiting.push_back(RuleNews::Fired(fire));
            } else {
                self.merged.entry(fire.alert.clone()).or_default().fire(fire);
            }
        }
        for moved in changes.moves.drain(..) {
            if self.has_room(&moved.alert) {
                self.waiting.push_back(RuleNews::Moved(moved));
            } else {
                self.merged.entry(moved.alert.clone()).or_default().moved(moved);
            }
        }
        came
    }

    /// Everything that waits, in order.
    pub fn take(&mut self) -> Vec<RuleNews> {
        let merged = std::mem::take(&mut self.merged).into_values();
        let fires_then_moves = |merged: Merged| {
            let fire = merged.fire.map(RuleNews::Fired);
            fire.into_iter().chain(merged.moved.map(RuleNews::Moved))
        };
        self.waiting.drain(..).chain(merged.flat_map(fires_then_moves)).collect()
    }

    /// True if an event may wait on its own. Behind a merged one it is merged too: the order within a rule stays.
    fn has_room(&self, alert: &AlertId) -> bool {
        self.waiting.len() < QUEUE_MAX && !self.merged.contains_key(alert)
    }
}

impl Merged {
    fn fire(&mut self, fire: Fire) {
        let before = self.fire.as_ref().map_or(0, |before| before.merged);
        self.fire = Some(Fire { merged: fire.merged + before, ..fire });
    }

    fn moved(&mut self, moved: RuleMove) {
        let Some(before) = self.moved.take() else {
            self.moved = Some(moved);
            return;
        };
        // Values belong to an edge; a later move without one has none.
        let values = if moved.edges > 0 { moved.values } else { before.values };
        self.moved = Some(RuleMove { edges: moved.edges + before.edges, values, ..moved });
    }
}
