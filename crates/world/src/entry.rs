//! One value of the world state, with everything that says how far to believe it.

use std::sync::Arc;

use robot::{Instant, MissionId, Scalar, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Freshness, Key, ProviderId, freshness};

/// Which clock an entry's age is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AgeBasis {
    /// The source's own time stamp.
    Source,
    /// The moment the sample arrived here.
    Received,
}

/// What is odd about an entry. All false is the normal case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct Flags {
    /// The source's time stamp was implausible, so the arrival counts.
    pub untrusted_ts: bool,
    /// It was older than its maximum age when it arrived; it is never shown as live.
    pub late: bool,
    /// The text was longer than 2 KiB.
    pub cut: bool,
    /// Control, direction or invisible characters were taken out of the text.
    pub cleaned: bool,
    /// Another live source says something else.
    pub contested: bool,
}

/// One value of the world state.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name.
    pub key: Key,
    /// What the source said.
    pub value: Scalar,
    /// The unit the provider declares.
    pub unit: Option<Arc<str>>,
    /// 0 to 1; none means unknown, which is not 1.
    pub confidence: Option<f64>,
    /// The moment it was true: by the source's stamp if that is plausible, else the arrival.
    pub observed_at: Instant,
    /// The source's own stamp, Unix milliseconds.
    pub source_ms: Option<i64>,
    /// Station clock at arrival.
    pub received_at: Instant,
    /// Wall clock at arrival, Unix milliseconds.
    pub received_ms: i64,
    /// What `observed_at` comes from.
    pub age_basis: AgeBasis,
    /// Age beyond which it is stale, milliseconds.
    pub max_age_ms: u64,
    /// The concrete key expression of the sample.
    pub source: Arc<str>,
    /// Which instance of the source, if its envelope says so.
    pub instance: Option<Arc<str>>,
    /// The rule that made it.
    pub provider: ProviderId,
    /// The mission of that rule.
    pub mission: Option<MissionId>,
    /// `Typed` or `Text`.
    pub trust: Trust,
    /// When the shown value last differed.
    pub changed_at: Instant,
    /// Rises with every shown change of this world.
    pub seq: u64,
    /// What is odd about it.
    pub flags: Flags,
    /// The source is known to be gone.
    pub lost_source: bool,
}

impl Entry {
    /// Time since it was observed, milliseconds.
    #[must_use]
    pub const fn age_ms(&self, now: Instant) -> u64 {
        now.ms_since(self.observed_at)
    }

    /// How far it can still be taken for the present.
    #[must_use]
    pub fn freshness(&self, now: Instant) -> Freshness {
        let by_age = freshness(self.age_ms(now), self.max_age_ms, self.lost_source);
        if self.flags.late { by_age.max(Freshness::Stale) } else { by_age }
    }
}
