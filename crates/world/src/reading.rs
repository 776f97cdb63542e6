//! From a row of a sample to what a provider wants to know: key, value, confidence, trust, time.

use std::sync::Arc;

use robot::{Field, HeaderMeta, Instant, RejectReason, Row, Sample, Scalar, Trust};

use crate::{AgeBasis, Key, Provider};

/// The longest text value, in bytes.
const TEXT_BYTES_MAX: usize = 2_048;
/// How far a source's stamp may be ahead of its arrival, milliseconds: the clocks' usual disagreement.
const STAMP_AHEAD_MS_MAX: i64 = 100;

/// What one row says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) key: Key,
    pub(crate) value: Scalar,
    pub(crate) confidence: Option<f64>,
    pub(crate) trust: Trust,
    pub(crate) cut: bool,
    pub(crate) cleaned: bool,
}

/// Filter, key, value, confidence, in this order; the first that fails names the reason.
pub(crate) fn read(provider: &Provider, row: &Row) -> Result<Reading, RejectReason> {
    if !provider.passes(row) {
        return Err(RejectReason::Filtered);
    }
    let key = provider.expand_key(row).ok_or(RejectReason::KeyRejected)?;
    let value = match provider.value(row) {
        Field::Missing => return Err(RejectReason::MissingValue),
        Field::NotScalar => return Err(RejectReason::NotScalar),
        Field::Scalar(value) => value,
    };
    let confidence = read_confidence(provider, row)?;
    let trust = if provider.is_closed(row) { Trust::Typed } else { Trust::Text };
    let (value, cleaned, cut) = match value {
        Scalar::Text(text) => {
            let (text, cleaned, cut) = clean(text);
            (Scalar::Text(text), cleaned, cut)
        }
        Scalar::Int(_) | Scalar::Float(_) | Scalar::Bool(_) => (value.clone(), false, false),
    };
    Ok(Reading { key, value, confidence, trust, cut, cleaned })
}

/// Unknown is none, never 1; what is there must be a finite number in [0, 1].
fn read_confidence(provider: &Provider, row: &Row) -> Result<Option<f64>, RejectReason> {
    let (field, required) = provider.confidence(row);
    match field {
        Field::Missing if !required => Ok(None),
        Field::Missing | Field::NotScalar => Err(RejectReason::BadConfidence),
        Field::Scalar(scalar) => match scalar.as_f64() {
            Some(confidence) if (0.0..=1.0).contains(&confidence) => Ok(Some(confidence)),
            Some(_) | None => Err(RejectReason::BadConfidence),
        },
    }
}

/// Takes out characters that could hide or reorder text, then cuts at 2 KiB.
fn clean(text: &str) -> (String, bool, bool) {
    let mut clean: String = text.chars().filter(|c| !is_deceptive(*c)).collect();
    let cleaned = clean.len() < text.len();
    let cut = clean.len() > TEXT_BYTES_MAX;
    if cut {
        clean.truncate(clean.floor_char_boundary(TEXT_BYTES_MAX));
    }
    (clean, cleaned, cut)
}

/// Control, direction, zero-width and tag characters.
fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
        )
}

/// When a sample's values were true.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Observed {
    pub(crate) at: Instant,
    pub(crate) basis: AgeBasis,
    pub(crate) source_ms: Option<i64>,
    pub(crate) untrusted: bool,
    pub(crate) late: bool,
    pub(crate) instance: Option<Arc<str>>,
}

/// The source's stamp counts if it is plausible against the arrival; a stamp too old makes the values late.
pub(crate) fn observed(sample: &Sample, header: &HeaderMeta, max_age_ms: u64) -> Observed {
    let source_ms = header.ts_ns.map(to_ms).or(sample.stamp_ms);
    let behind_ms = source_ms.map(|source_ms| sample.received_ms.saturating_sub(source_ms));
    let late = behind_ms.is_some_and(|behind_ms| behind_ms > i64::try_from(max_age_ms).unwrap_or(i64::MAX));
    let ahead = behind_ms.is_some_and(|behind_ms| behind_ms < -STAMP_AHEAD_MS_MAX);
    let trusted_behind = behind_ms.filter(|_| !late && !ahead);
    // A stamp in the future never makes a value younger than its arrival.
    let behind = std::time::Duration::from_millis(trusted_behind.map_or(0, |ms| u64::try_from(ms).unwrap_or(0)));
    Observed {
        at: sample.received.minus(behind),
        basis: if trusted_behind.is_some() { AgeBasis::Source } else { AgeBasis::Received },
        source_ms,
        untrusted: late || ahead,
        late,
        instance: header.source_instance.as_deref().map(Arc::from),
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
    use super::*;
    use proptest::prelude::*;

    fn observe(stamp: Option<i64>) -> (u64, AgeBasis, bool, bool) {
        let sample = Sample {
            key_expr: "lab/cam-1/out/detections".into(),
            encoding: "".into(),
            payload: Arc::from([]),
            stamp_ms: None,
            received: Instant::from_millis(100_000),
            received_ms: 1_772_000_000_000,
        };
        let header = HeaderMeta { ts_ns: stamp, ..HeaderMeta::default() };
        let observed = observed(&sample, &header, 30_000);
        (observed.at.mono_ms(), observed.basis, observed.untrusted, observed.late)
    }

    #[test]
    fn ws_08_reads_a_stamp_in_any_of_four_units() {
        for stamp in [1_771_999_999, 1_771_999_999_000, 1_771_999_999_000_000, 1_771_999_999_000_000_000] {
            assert_eq!(observe(Some(stamp)), (99_000, AgeBasis::Source, false, false), "{stamp}");
        }
        assert_eq!(observe(None), (100_000, AgeBasis::Received, false, false));
    }

    #[test]
    fn ws_09_trusts_a_stamp_only_near_its_arrival() {
        for (behind_ms, expected) in [
            (30_000, (70_000, AgeBasis::Source, false, false)),
            (30_001, (100_000, AgeBasis::Received, true, true)),
            (-100, (100_000, AgeBasis::Source, false, false)),
            (-101, (100_000, AgeBasis::Received, true, false)),
        ] {
            assert_eq!(observe(Some(1_772_000_000_000 - behind_ms)), expected, "{behind_ms} ms behind");
        }
    }

    #[test]
    fn ws_06_takes_out_what_hides_text_and_cuts_the_rest() {
        assert_eq!(clean("a\u{202E}b\u{200B}\nc"), ("abc".into(), true, false));
        let (text, cleaned, cut) = clean(&"ä".repeat(2_000));
        assert_eq!((text.len(), cleaned, cut), (2_048, false, true));
    }

    proptest! {
        #[test]
        fn ws_09_no_stamp_panics_or_makes_a_value_younger_than_its_arrival(stamp: i64) {
            prop_assert!(observe(Some(stamp)).0 <= 100_000);
        }
    }
}
