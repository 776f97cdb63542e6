//! The world as a rule sees it: what is stale, lost or missing is unknown.

use robot::{Instant, Scalar};

use crate::predicate::{Facts, StateTest};
use crate::{Entry, Freshness, Key};

/// Facts about some keys at one moment; `find` gives the entry of a key.
pub(crate) struct WorldFacts<'e, F> {
    pub keys: &'e [Key],
    pub find: F,
    pub at: Instant,
}

impl<'e, F: Fn(&Key) -> Option<&'e Entry>> WorldFacts<'e, F> {
    fn entry(&self, name: usize) -> Option<&'e Entry> {
        (self.find)(self.keys.get(name)?)
    }

    fn fresh(&self, name: usize) -> Option<&'e Entry> {
        self.entry(name).filter(|entry| entry.freshness(self.at) <= Freshness::Aging)
    }

    /// True if one of the keys is lost or missing.
    pub fn any_lost(&self) -> bool {
        let is_lost = |name| self.entry(name).is_none_or(|entry| entry.freshness(self.at) >= Freshness::Lost);
        (0..self.keys.len()).any(is_lost)
    }
}

impl<'e, F: Fn(&Key) -> Option<&'e Entry>> Facts for WorldFacts<'e, F> {
    fn value(&self, name: usize) -> Option<&Scalar> {
        self.fresh(name).map(|entry| &entry.value)
    }

    fn confidence(&self, name: usize) -> Option<f64> {
        self.fresh(name).and_then(|entry| entry.confidence)
    }

    fn is(&self, name: usize, test: StateTest) -> bool {
        // A key that was never heard of is not lost either; `exists` asks for that.
        let Some(freshness) = self.entry(name).map(|entry| entry.freshness(self.at)) else { return false };
        match test {
            StateTest::Exists => true,
            StateTest::Fresh => freshness <= Freshness::Aging,
            StateTest::Stale => freshness > Freshness::Aging,
            StateTest::Lost => freshness == Freshness::Lost,
        }
    }
}
