//! From a row of a sample to what a provider wants to know: key, value, confidence, trust, time.

use std::borrow::Cow;
use std::time::Duration;

use robot::{Field, Instant, RejectReason, Row, Sample, Scalar, ScalarRef, Trust};

use crate::state::source_clock::{Reckoned, STAMP_AHEAD_MS_MAX, SourceClock};
use crate::{AgeBasis, Key, Provider};

/// The longest text value, in bytes.
const TEXT_BYTES_MAX: usize = 2_048;
/// A clock further from ours does not count ages, milliseconds.
const SKEW_MS_MAX: i64 = 1_000;

/// Reading of one row. Its value is read again when it is written, so that nothing is copied that stays the same.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// Index of the row in its sample.
    pub(crate) row: usize,
    pub(crate) key: Key,
    pub(crate) confidence: Option<f64>,
    pub(crate) trust: Trust,
}

/// Filter, key, value, confidence, in this order; the first that fails names the reason. `key_of` gives the key for a
/// legal text, the one that is known already if it can.
pub(crate) fn read(
    provider: &Provider,
    index: usize,
    row: &Row,
    text: &mut String,
    key_of: impl FnOnce(&str) -> Option<Key>,
) -> Result<Reading, RejectReason> {
    if !provider.passes(row) {
        return Err(RejectReason::Filtered);
    }
    if !provider.expand_key(row, text) {
        return Err(RejectReason::KeyRejected);
    }
    let key = key_of(text).ok_or(RejectReason::KeyRejected)?;
    match provider.value(row) {
        Field::Missing => return Err(RejectReason::MissingValue),
        Field::NotScalar => return Err(RejectReason::NotScalar),
        Field::Scalar(_) => {}
    }
    let confidence = read_confidence(provider, row)?;
    let trust = if provider.is_closed(row) { Trust::Typed } else { Trust::Text };
    Ok(Reading { row: index, key, confidence, trust })
}

/// A value as it may be kept.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clean<'a> {
    text: Option<Cow<'a, str>>,
    scalar: ScalarRef<'a>,
    pub(crate) cleaned: bool,
    pub(crate) cut: bool,
}

impl<'a> Clean<'a> {
    /// Of a text without what hides or reorders it, at most 2 KiB; of anything else as it is.
    pub(crate) fn of(scalar: &'a Scalar) -> Self {
        let said = ScalarRef::from(scalar);
        let ScalarRef::Text(text) = said else { return Self { text: None, scalar: said, cleaned: false, cut: false } };
        let (text, cleaned, cut) = clean(text);
        Self { text: Some(text), scalar: said, cleaned, cut }
    }

    pub(crate) fn value(&self) -> ScalarRef<'_> {
        self.text.as_deref().map_or(self.scalar, ScalarRef::Text)
    }
}

/// Unknown is none, never 1; what is there must be a finite number in [0, 1].
fn read_confidence(provider: &Provider, row: &Row) -> Result<Option<f64>, RejectReason> {
    let (field, required) = provider.confidence(row);
    match field {
        Field::Missing if !required => Ok(provider.confidence_default()),
        Field::Missing | Field::NotScalar => Err(RejectReason::BadConfidence),
        Field::Scalar(scalar) => match scalar.as_f64() {
            Some(confidence) if (0.0..=1.0).contains(&confidence) => Ok(Some(confidence)),
            Some(_) | None => Err(RejectReason::BadConfidence),
        },
    }
}

/// Takes out characters that could hide or reorder text, then cuts at 2 KiB.
fn clean(text: &str) -> (Cow<'_, str>, bool, bool) {
    let cleaned = text.contains(is_deceptive);
    let kept = if cleaned { Cow::Owned(text.replace(is_deceptive, "")) } else { Cow::Borrowed(text) };
    if kept.len() <= TEXT_BYTES_MAX {
        return (kept, cleaned, false);
    }
    let end = kept.floor_char_boundary(TEXT_BYTES_MAX);
    (Cow::Owned(kept[..end].to_owned()), cleaned, true)
}

/// Control, direction, zero-width and tag characters.
pub(crate) fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
        )
}

/// Order of a value among those of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Order {
    epoch: u32,
    stamp_ms: Option<i64>,
    at: Instant,
}

impl Order {
    /// The moment by our clock.
    pub(crate) const fn at(&self) -> Instant {
        self.at
    }

    /// Stamps of one epoch of the source's clock are compared as sent: they are exact where the arrival has jitter.
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        match (self.stamp_ms, other.stamp_ms) {
            (Some(stamp), Some(known)) if self.epoch == other.epoch => stamp < known,
            (Some(_) | None, _) => self.at < other.at,
        }
    }
}

/// When a sample's values were true.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Observed {
    pub(crate) at: Instant,
    pub(crate) basis: AgeBasis,
    pub(crate) source_ms: Option<i64>,
    pub(crate) untrusted: bool,
    pub(crate) late: bool,
    pub(crate) order: Order,
}

/// The source's stamp counts once its clock is known, if it is plausible against the arrival; a stamp too old makes the
/// values late. `wall_ahead_ms` is wall clock minus station clock, as at the start: a wall clock that is set decides nothing.
pub(crate) fn observed(
    sample: &Sample,
    source_ms: Option<i64>,
    clock: &mut SourceClock,
    wall_ahead_ms: i64,
    max_age_ms: u64,
) -> Observed {
    let received = sample.received;
    let by_arrival = Observed {
        at: received,
        basis: AgeBasis::Received,
        source_ms,
        untrusted: false,
        late: false,
        order: Order { epoch: clock.epoch(), stamp_ms: source_ms, at: received },
    };
    let Some(stamp_ms) = source_ms else { return by_arrival };
    let max_age_ms = i64::try_from(max_age_ms).unwrap_or(i64::MAX);
    match clock.reckon(received, stamp_ms) {
        Reckoned::Learning => {
            let mono_ms = i64::try_from(received.mono_ms()).unwrap_or(i64::MAX);
            let behind_ms = mono_ms.saturating_add(wall_ahead_ms).saturating_sub(stamp_ms);
            let untrusted = behind_ms.saturating_abs() > SKEW_MS_MAX;
            Observed { untrusted, late: behind_ms > max_age_ms, ..by_arrival }
        }
        Reckoned::Known { behind_ms, offset_ms } => {
            let (late, ahead) = (behind_ms > max_age_ms, behind_ms < -STAMP_AHEAD_MS_MAX);
            // A stamp in the future never makes a value younger than its arrival.
            let then = received.minus(Duration::from_millis(u64::try_from(behind_ms).unwrap_or(0)));
            let order = Order { epoch: clock.epoch(), at: then, ..by_arrival.order };
            let is_skewed = is_skewed(offset_ms, wall_ahead_ms);
            if late || ahead || is_skewed {
                return Observed { untrusted: late || ahead, late, order, ..by_arrival };
            }
            Observed { at: then, basis: AgeBasis::Source, order, ..by_arrival }
        }
    }
}

/// True for a source whose clock is so far from ours that ages are counted from arrival.
pub(crate) const fn is_skewed(offset_ms: i64, wall_ahead_ms: i64) -> bool {
    offset_ms.saturating_add(wall_ahead_ms).saturating_abs() > SKEW_MS_MAX
}

/// A stamp as it may be sent: a number in s, ms, µs or ns, or RFC 3339; as Unix milliseconds.
pub(crate) fn stamp_ms(stamp: ScalarRef<'_>) -> Option<i64> {
    match stamp {
        ScalarRef::Int(int) => Some(to_ms(int)),
        // Beyond the magnitude of seconds a fraction means nothing.
        #[expect(clippy::cast_possible_truncation, reason = "saturates; a stamp that far off is untrusted anyway")]
        ScalarRef::Float(float) if float.abs() < 1e11 => Some((float * 1_000.0) as i64),
        #[expect(clippy::cast_possible_truncation, reason = "saturates; a stamp that far off is untrusted anyway")]
        ScalarRef::Float(float) => Some(to_ms(float as i64)),
        ScalarRef::Bool(_) => None,
        ScalarRef::Text(text) => text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond),
    }
}

/// A stamp in s, ms, µs or ns, told apart by its magnitude, as milliseconds.
const fn to_ms(stamp: i64) -> i64 {
    match stamp.unsigned_abs() {
        0..100_000_000_000 => stamp.saturating_mul(1_000),
        100_000_000_000..100_000_000_000_000 => stamp,
        100_000_000_000_000..100_000_000_000_000_000 => stamp / 1_000,
        _ => stamp / 1_000_000,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use proptest::prelude::*;

    const WALL_AHEAD_MS: i64 = 1_772_000_000_000;

    /// The source has sent `before` samples, one a second, each `skew_ms` behind; then one `behind_ms` more.
    fn observe(before: u64, skew_ms: i64, behind_ms: i64) -> (u64, AgeBasis, bool, bool) {
        let mut clock = SourceClock::default();
        let mut at = |second: u64, behind_ms: i64| {
            let received = Instant::from_millis(second * 1_000);
            let sample = Sample {
                key_expr: "lab/cam-1/out/detections".into(),
                encoding: "".into(),
                payload: Arc::from([]),
                stamp_ms: None,
                received,
                received_ms: WALL_AHEAD_MS + second as i64 * 1_000,
                n: 0,
            };
            observed(&sample, Some(sample.received_ms - behind_ms), &mut clock, WALL_AHEAD_MS, 30_000)
        };
        for second in 100 - before..100 {
            at(second, skew_ms);
        }
        let observed = at(100, skew_ms.saturating_add(behind_ms));
        (observed.at.mono_ms(), observed.basis, observed.untrusted, observed.late)
    }

    #[test]
    fn ws_08_reads_a_stamp_in_any_of_its_forms() {
        let second_ms = Some(1_771_999_999_000);
        for stamp in [1_771_999_999, 1_771_999_999_000, 1_771_999_999_000_000, 1_771_999_999_000_000_000] {
            assert_eq!(stamp_ms(ScalarRef::Int(stamp)), second_ms, "{stamp}");
        }
        assert_eq!(stamp_ms(ScalarRef::Float(1_771_999_999.25)), Some(1_771_999_999_250));
        assert_eq!(stamp_ms(ScalarRef::Text("2026-02-25T06:13:19Z")), second_ms);
        assert_eq!(stamp_ms(ScalarRef::Text("2026-02-25T07:13:19+01:00")), second_ms);
        for none in [ScalarRef::Text("yesterday"), ScalarRef::Text("2026-02-25"), ScalarRef::Bool(true)] {
            assert_eq!(stamp_ms(none), None);
        }
    }

    #[test]
    fn ws_08_until_ten_stamps_the_arrival_counts() {
        use AgeBasis::{Received, Source};
        assert_eq!(observe(9, 0, 1_000), (100_000, Received, false, false));
        assert_eq!(observe(9, 0, 1_001), (100_000, Received, true, false));
        assert_eq!(observe(9, 0, 30_001), (100_000, Received, true, true));
        assert_eq!(observe(10, 0, 1_001), (98_999, Source, false, false));
    }

    #[test]
    fn cw_17_ws_09_trusts_a_stamp_only_near_its_arrival() {
        use AgeBasis::{Received, Source};
        for (skew_ms, behind_ms, expected) in [
            (0, 30_000, (70_000, Source, false, false)),
            (0, 30_001, (100_000, Received, true, true)),
            (0, -100, (100_000, Source, false, false)),
            (0, -101, (100_000, Received, true, false)),
            (0, -600_000, (100_000, Received, true, false)),
            (900, 50, (99_950, Source, false, false)),
            (420_000, 50, (100_000, Received, false, false)),
            (420_000, 30_001, (100_000, Received, true, true)),
        ] {
            assert_eq!(observe(20, skew_ms, behind_ms), expected, "{skew_ms} and {behind_ms} ms behind");
        }
    }

    #[test]
    fn ws_06_takes_out_what_hides_text_and_cuts_the_rest() {
        assert_eq!(clean("a\u{202E}b\u{200B}\nc"), ("abc".into(), true, false));
        let long = "ä".repeat(2_000);
        let (text, cleaned, cut) = clean(&long);
        assert_eq!((text.len(), cleaned, cut), (2_048, false, true));
    }

    proptest! {
        #[test]
        fn ws_04_ws_09_no_stamp_panics_or_makes_a_value_younger_than_its_arrival(before in 0_u64..30, skew_ms: i32, behind_ms: i64) {
            prop_assert!(observe(before, i64::from(skew_ms), behind_ms.saturating_div(4)).0 <= 100_000);
        }
    }
}
