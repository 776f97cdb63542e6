//! One value of the world state, with everything that says how far to believe it.

use std::sync::Arc;

use robot::{Instant, MissionId, Now, Scalar, ScalarRef, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::state::freshness::{first_older_than, transition_ages};
use crate::{Freshness, Key, ProviderId, freshness};

/// The clock from which an entry's age is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AgeBasis {
    /// The source's own time stamp.
    Source,
    /// The moment the sample arrived here.
    Received,
}

/// Origin of a value. (The origin of a text is [`robot::Origin`].)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ValueOrigin {
    /// Measured by a sensor.
    #[default]
    Measured,
    /// Computed, not measured.
    Estimated,
    /// It comes from a recording.
    Replay,
}

/// Anomalies of an entry. All false is the normal case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(default)]
pub struct Flags {
    /// The source's time stamp was implausible, so the arrival counts.
    pub untrusted_ts: bool,
    /// It was older than its maximum age when it arrived; it is never shown as live.
    pub late: bool,
    /// It was stored by an earlier run, and nothing has come since; it is never shown as live.
    pub restored: bool,
    /// The text was longer than 2 KiB.
    pub cut: bool,
    /// Control, direction or invisible characters were taken out of the text.
    pub cleaned: bool,
    /// Another live source says something else.
    pub contested: bool,
    /// Its provider is paused with its mission.
    pub paused: bool,
}

/// One value of the world state.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name.
    pub key: Key,
    /// Value that the source sent.
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
    /// Number of the sample on its subscription; none if an earlier run received it.
    pub sample_n: Option<u64>,
    /// The clock that `observed_at` comes from.
    pub age_basis: AgeBasis,
    /// Age beyond which it is stale, milliseconds.
    pub max_age_ms: u64,
    /// The concrete key expression of the sample.
    pub source: Arc<str>,
    /// Instance of the source, if its envelope names one.
    pub instance: Option<Arc<str>>,
    /// The rule that made it.
    pub provider: ProviderId,
    /// The mission of that rule.
    pub mission: Option<MissionId>,
    /// Measured or estimated.
    pub origin: ValueOrigin,
    /// `Typed` or `Text`.
    pub trust: Trust,
    /// When the shown value last differed.
    pub changed_at: Instant,
    /// Rises with every shown change of this world.
    pub seq: u64,
    /// Its anomalies.
    pub flags: Flags,
    /// The source is known to be gone.
    pub lost_source: bool,
    /// Its age when this run loaded it, milliseconds; 0 for what this run received.
    pub age_before_ms: u64,
}

impl Entry {
    /// Time since it was observed, milliseconds.
    #[must_use]
    pub const fn age_ms(&self, now: Instant) -> u64 {
        now.ms_since(self.observed_at).saturating_add(self.age_before_ms)
    }

    /// Wall clock when it was observed, Unix milliseconds.
    #[must_use]
    pub fn observed_ms(&self, now: Now) -> i64 {
        let before_ms = i64::try_from(self.age_before_ms).unwrap_or(i64::MAX);
        now.wall_ms_of(self.observed_at).saturating_sub(before_ms)
    }

    /// True if a text of it, or its name, is one that `says` knows.
    pub(crate) fn says(&self, says: &impl Fn(&str) -> bool) -> bool {
        says(&self.value.words())
            || says(self.key.as_str())
            || says(&self.source)
            || self.instance.as_deref().is_some_and(says)
    }

    /// Freshness: how far it can still be taken for the present.
    #[must_use]
    pub fn freshness(&self, now: Instant) -> Freshness {
        let by_age = freshness(self.age_ms(now), self.max_age_ms, self.lost_source);
        if self.flags.late || self.flags.restored { by_age.max(Freshness::Stale) } else { by_age }
    }

    /// The first moment at which it is older than `age_ms`.
    pub(crate) fn older_than_at(&self, age_ms: u64) -> Instant {
        // The age from before this run counts too; the station clock says nothing about that time.
        first_older_than(self.observed_at, age_ms.saturating_sub(self.age_before_ms))
    }

    /// The next moment after `at` at which age alone changes its freshness.
    pub(crate) fn next_transition(&self, at: Instant) -> Option<Instant> {
        if self.lost_source {
            return None;
        }
        transition_ages(self.max_age_ms).map(|age_ms| self.older_than_at(age_ms)).into_iter().find(|due| *due > at)
    }

    /// Takes over everything from `other`, and the memory for texts where it can.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let value = std::mem::replace(&mut self.value, Scalar::Bool(false));
        let mission = self.mission.take().filter(|mission| other.mission.as_ref() == Some(mission));
        *self = Self { value, mission: mission.or_else(|| other.mission.clone()), ..other.without_texts() };
        ScalarRef::from(&other.value).store(&mut self.value);
    }

    /// A copy but for what has memory of its own.
    fn without_texts(&self) -> Self {
        Self {
            key: self.key.clone(),
            value: Scalar::Bool(false),
            unit: self.unit.clone(),
            source: Arc::clone(&self.source),
            instance: self.instance.clone(),
            provider: self.provider.clone(),
            mission: None,
            ..*self
        }
    }
}

/// Flags as a number, the form in which they are stored.
pub(crate) mod flag_bits {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Flags;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's form")]
    pub(crate) fn serialize<S: Serializer>(flags: &Flags, serializer: S) -> Result<S::Ok, S::Error> {
        let Flags { untrusted_ts, late, restored, cut, cleaned, contested, paused } = *flags;
        // Stored by place: a new flag goes to the end.
        let all = [untrusted_ts, late, restored, cut, cleaned, contested, paused];
        let bits = all.iter().enumerate().fold(0, |bits, (place, set)| bits | (u64::from(*set) << place));
        serializer.serialize_u64(bits)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Flags, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        let is_set = |place: u32| bits & (1 << place) != 0;
        Ok(Flags {
            untrusted_ts: is_set(0),
            late: is_set(1),
            restored: is_set(2),
            cut: is_set(3),
            cleaned: is_set(4),
            contested: is_set(5),
            paused: is_set(6),
        })
    }
}
