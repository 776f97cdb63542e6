//! A measurement that is read together with the time and the age it may have: no code can take an old one, or none, for
//! what holds now.

use std::time::Duration;

use robot::Instant;
use serde::{Deserialize, Serialize};

/// Longest time by which a stamp may lie in the future and still count: two threads read the clock in either order.
const FUTURE_TOLERANCE_MS: u64 = 100;

/// A value as it arrives, and when it was observed. What is kept of it is a [`Fresh`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured<T> {
    /// The value.
    pub value: T,
    /// Station clock at which it was true.
    pub observed: Instant,
}

/// The newest measurement of something, if there was one. Its value cannot be read without saying what time it is and
/// how old it may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fresh<T>(Option<Measured<T>>);

/// Reason a measurement cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFresh {
    /// Nothing was measured yet.
    Never,
    /// It is too old, or from the future.
    Aged {
        /// Its age, milliseconds; 0 if it is from the future.
        age_ms: u64,
        /// The largest age allowed, milliseconds.
        age_ms_max: u64,
    },
}

/// True if a thing of `stamp` is at most `age_ms_max` old at `now`. A stamp from the far future is not fresh.
pub(crate) fn is_fresh(stamp: Instant, now: Instant, age_ms_max: u64) -> bool {
    // `since` saturates at 0, so without the second test a stamp far ahead would stay fresh for ever.
    now.since(stamp) <= Duration::from_millis(age_ms_max) && stamp.ms_since(now) <= FUTURE_TOLERANCE_MS
}

impl<T> Default for Fresh<T> {
    fn default() -> Self {
        Self::NEVER
    }
}

impl<T> From<Measured<T>> for Fresh<T> {
    fn from(measured: Measured<T>) -> Self {
        Self(Some(measured))
    }
}

impl<T> From<Option<Measured<T>>> for Fresh<T> {
    fn from(measured: Option<Measured<T>>) -> Self {
        Self(measured)
    }
}

impl<T> Fresh<T> {
    /// Nothing was measured yet.
    pub const NEVER: Self = Self(None);

    /// `value`, true at `observed`.
    #[must_use]
    pub const fn at(value: T, observed: Instant) -> Self {
        Self(Some(Measured { value, observed }))
    }

    /// The value, if it is at most `age_ms_max` milliseconds old at `now`; else why it cannot be used.
    pub fn get(&self, now: Instant, age_ms_max: u64) -> Result<&T, NotFresh> {
        self.measured(now, age_ms_max).map(|measured| &measured.value)
    }

    /// The same with when it was true.
    pub fn measured(&self, now: Instant, age_ms_max: u64) -> Result<&Measured<T>, NotFresh> {
        let measured = self.0.as_ref().ok_or(NotFresh::Never)?;
        if is_fresh(measured.observed, now, age_ms_max) {
            return Ok(measured);
        }
        Err(NotFresh::Aged { age_ms: now.ms_since(measured.observed), age_ms_max })
    }

    /// When it was last true; not what it was.
    #[must_use]
    pub fn observed(&self) -> Option<Instant> {
        self.0.as_ref().map(|measured| measured.observed)
    }

    /// Takes in a measurement, unless it is older than the one that is known: samples overtake one another.
    pub fn renew(&mut self, measured: Measured<T>) {
        // Of two at the same moment the later to arrive counts: a coarse clock may stamp both alike.
        if self.observed().is_none_or(|known| known <= measured.observed) {
            self.0 = Some(measured);
        }
    }

    /// The measurement, for a test to change.
    #[cfg(test)]
    pub(crate) fn known_mut(&mut self) -> &mut Measured<T> {
        self.0.as_mut().unwrap()
    }

    /// The last measurement, however old: for showing it with its age, and for nothing that decides.
    #[must_use]
    pub const fn last_known(&self) -> Option<&Measured<T>> {
        self.0.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    #[test]
    fn a_measurement_is_read_up_to_its_age_and_never_without_one() {
        let fresh = Fresh::at(7, at(1_000));
        assert_eq!(fresh.get(at(1_500), 500), Ok(&7));
        assert_eq!(fresh.get(at(1_501), 500), Err(NotFresh::Aged { age_ms: 501, age_ms_max: 500 }));
        assert_eq!(fresh.get(at(900), 500), Ok(&7), "two threads read the clock in either order");
        assert_eq!(fresh.get(at(899), 500), Err(NotFresh::Aged { age_ms: 0, age_ms_max: 500 }));
        assert_eq!(Fresh::<i32>::NEVER.get(at(0), u64::MAX), Err(NotFresh::Never));
    }

    #[test]
    fn an_older_measurement_does_not_take_the_place_of_a_newer_one() {
        let mut fresh = Fresh::at(7, at(1_000));
        fresh.renew(Measured { value: 8, observed: at(999) });
        assert_eq!(fresh, Fresh::at(7, at(1_000)));
        fresh.renew(Measured { value: 8, observed: at(1_000) });
        assert_eq!(fresh, Fresh::at(8, at(1_000)));
    }

    #[test]
    fn what_was_kept_in_recordings_is_read_as_it_was_written() {
        let written = serde_json::json!({ "value": 0.5, "observed": 3 });
        assert_eq!(serde_json::from_value::<Fresh<f64>>(written.clone()).unwrap(), Fresh::at(0.5, Instant(3)));
        assert_eq!(serde_json::to_value(Fresh::at(0.5, Instant(3))).unwrap(), written);
        assert_eq!(serde_json::from_str::<Fresh<f64>>("null").unwrap(), Fresh::NEVER);
    }

    #[test]
    fn the_newest_of_what_was_measured_is_a_measurement_and_none_is_none() {
        let measured = Measured { value: 7, observed: at(1_000) };
        assert_eq!(Fresh::from(Some(measured)), Fresh::at(7, at(1_000)));
        assert_eq!(Fresh::<i32>::from(None), Fresh::NEVER);
    }
}
