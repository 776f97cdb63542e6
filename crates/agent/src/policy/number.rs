//! Numbers of a policy as an operator writes them. They are kept as integers, so that equal settings are equal values.

use std::cmp::Ordering;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Parts of one in a [`Ratio`].
const RATIO_PARTS: u32 = 10_000;
/// Parts of a dollar in a [`Usd`].
const USD_PARTS: u32 = 1_000_000;
const MINUTES_OF_HOUR: u16 = 60;
const MINUTES_OF_DAY: u16 = 24 * MINUTES_OF_HOUR;

/// A share, weight or temperature, kept to four decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(u32);

impl Ratio {
    /// `percent` hundredths.
    #[must_use]
    pub const fn percent(percent: u32) -> Self {
        Self(percent.saturating_mul(RATIO_PARTS / 100))
    }

    /// As a number.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(RATIO_PARTS)
    }

    /// Part of `whole` that is this share, rounded up: an amount at the mark has reached it.
    #[must_use]
    pub const fn ceil_of(self, whole: u64) -> u64 {
        whole.saturating_mul(self.0 as u64).div_ceil(RATIO_PARTS as u64)
    }

    /// Part of `whole` that is this share, rounded down: an amount that fits in it.
    #[must_use]
    pub const fn floor_of(self, whole: u64) -> u64 {
        whole.saturating_mul(self.0 as u64) / RATIO_PARTS as u64
    }

    /// Compares `part` of `whole` with this share. Of nothing, everything is more.
    #[must_use]
    pub fn compare(self, part: u64, whole: u64) -> Ordering {
        // In 128 bits neither product can overflow, whatever token count a provider reports.
        (u128::from(part) * u128::from(RATIO_PARTS)).cmp(&(u128::from(whole) * u128::from(self.0)))
    }

    /// The nearest ratio to `value`; none if it is no number, negative or has no place here.
    #[must_use]
    pub fn from_value(value: f64) -> Option<Self> {
        parts(value, RATIO_PARTS).and_then(|parts| u32::try_from(parts).ok()).map(Self)
    }
}

/// An amount of money in US dollars, kept to a millionth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd(u64);

impl Usd {
    /// `cents` hundredths of a dollar.
    #[must_use]
    pub const fn cents(cents: u64) -> Self {
        Self(cents.saturating_mul(USD_PARTS as u64 / 100))
    }

    /// Millionths of a dollar.
    #[must_use]
    pub const fn micros(self) -> u64 {
        self.0
    }
}

/// A time of day on the station's wall clock, to the minute, written `04:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    minutes: u16,
}

impl TimeOfDay {
    /// A full hour; none if no day has it.
    #[must_use]
    pub const fn hour(hour: u16) -> Option<Self> {
        if hour < MINUTES_OF_DAY / MINUTES_OF_HOUR { Some(Self { minutes: hour * MINUTES_OF_HOUR }) } else { None }
    }

    /// Midnight.
    #[must_use]
    pub const fn midnight() -> Self {
        Self { minutes: 0 }
    }

    /// Minutes since midnight.
    #[must_use]
    pub const fn minutes(self) -> u16 {
        self.minutes
    }

    fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.split_once(':')?;
        // `4:0` is no time that a person writes, and a slip is better refused than guessed at.
        if hour.len() != 2 || minute.len() != 2 {
            return None;
        }
        let (hour, minute) = (hour.parse::<u16>().ok()?, minute.parse::<u16>().ok()?);
        let minutes = hour * MINUTES_OF_HOUR + minute;
        (minute < MINUTES_OF_HOUR && minutes < MINUTES_OF_DAY).then_some(Self { minutes })
    }
}

/// `value` in parts of one; none if it is no number, negative or too large to be exact.
fn parts(value: f64, of_one: u32) -> Option<u64> {
    let parts = (value * f64::from(of_one)).round();
    // Written so that a value that is no number fails.
    if !(parts >= 0.0 && parts <= f64::from(u32::MAX)) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "just checked to be a whole u32")]
    Some(parts as u64)
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::from_value(value).ok_or_else(|| de::Error::custom(format!("{value} is no share")))
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[expect(clippy::cast_precision_loss, reason = "read from a number of at most 32 bits")]
        serializer.serialize_f64(self.0 as f64 / f64::from(USD_PARTS))
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let micros = parts(value, USD_PARTS).ok_or_else(|| de::Error::custom(format!("{value} is no amount")))?;
        Ok(Self(micros))
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (hour, minute) = (self.minutes / MINUTES_OF_HOUR, self.minutes % MINUTES_OF_HOUR);
        serializer.serialize_str(&format!("{hour:02}:{minute:02}"))
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom(format!("{text:?} is no time of day such as 04:00")))
    }
}

/// A setting that can be switched off, written as its value or as `off`: a file has no other word for nothing.
pub mod or_off {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const OFF: &str = "off";

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "neither `off` nor a number or time that fits here")]
    enum Written<T> {
        Value(T),
        Off(Off),
    }

    #[derive(Deserialize)]
    enum Off {
        #[serde(rename = "off")]
        Off,
    }

    /// Writes the value, or `off`.
    ///
    /// # Errors
    /// Those of `serializer`.
    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub fn serialize<T: Serialize, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_str(OFF),
        }
    }

    /// Reads a value, or `off`.
    ///
    /// # Errors
    /// It is neither.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Ok(match Written::deserialize(deserializer)? {
            Written::Value(value) => Some(value),
            Written::Off(Off::Off) => None,
        })
    }
}
