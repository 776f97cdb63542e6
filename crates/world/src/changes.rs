//! Effects of a sample, or of silence: at once for rules, gathered for everybody else.

use std::sync::Arc;

use robot::Instant;

use crate::{Entry, Fire, HistoryPoint, Key, ProviderId, RuleMove};

/// Immediate effects of a sample, or of silence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Rules that fired.
    pub fires: Vec<Fire>,
    /// Rules whose predicate says something else than before.
    pub moves: Vec<RuleMove>,
    /// Notices about a provider or a source; each is given once until it is over.
    pub notices: Vec<Notice>,
    /// When to call [`crate::World::tick`] at the latest.
    pub next_due: Option<Instant>,
}

/// Something about a provider or a source that a person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A provider has its most keys; new ones push out old ones, or are dropped where rules name all.
    TooManyKeys {
        /// Id of the provider.
        provider: ProviderId,
        /// Its limit.
        keys_max: u32,
    },
    /// A provider has rejected every row for a minute.
    RejectsAll {
        /// Id of the provider.
        provider: ProviderId,
    },
    /// A provider has seen no sample for five times its maximum age.
    NoSample {
        /// Id of the provider.
        provider: ProviderId,
    },
    /// Clocks of a provider's sources are more than a second off: their ages are counted from arrival. Given whenever
    /// there is one more or one less.
    SourceClocks {
        /// Id of the provider.
        provider: ProviderId,
        /// Number of sources whose clocks are off.
        skewed: usize,
        /// The clock that is farthest off; none if all are right.
        worst: Option<SkewedClock>,
    },
}

/// A clock that is off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkewedClock {
    /// The key expression of its source.
    pub source: Arc<str>,
    /// Lag behind ours, milliseconds.
    pub behind_ms: i64,
}

/// Changes since they were last asked for; of a key that changed more than once only the newest state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changed {
    /// The entries that moved, in the order in which they first did.
    pub entries: Vec<Arc<Entry>>,
    /// The keys that are no longer there.
    pub removed: Vec<Key>,
    /// The history that was made, oldest first.
    pub points: Vec<HistoryPoint>,
    /// Shown values that a newer one replaced before anybody asked.
    pub conflated: u64,
    /// Points that were dropped because nobody asked for too long.
    pub points_lost: u64,
}
