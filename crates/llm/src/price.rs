//! Prices of tokens. Prices are data with a date; an unknown price is absent, never zero.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Usage;

/// Prices are per so many tokens.
const TOKENS_PRICED: u128 = 1_000_000;

/// Price of a model, with its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Price {
    /// The row it was found in, by its prefix.
    pub row: String,
    /// Date on which that row was true.
    pub as_of: String,
    /// The figures.
    pub tariff: Tariff,
}

/// Micro-dollars per million tokens; a long prompt may have figures of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Tariff {
    /// Price of a prompt of ordinary length.
    #[serde(flatten)]
    pub band: Band,
    /// Price of a longer prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub long: Option<LongBand>,
}

/// Micro-dollars per million tokens, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct Band {
    /// Read anew.
    #[ts(type = "number")]
    pub fresh: u64,
    /// Read from a cache.
    #[ts(type = "number")]
    pub cache_read: u64,
    /// Written to a cache for 5 minutes.
    #[serde(default)]
    #[ts(type = "number")]
    pub cache_write_5m: u64,
    /// Written to a cache for an hour.
    #[serde(default)]
    #[ts(type = "number")]
    pub cache_write_1h: u64,
    /// Written, reasoning included.
    #[ts(type = "number")]
    pub out: u64,
}

/// Figures of a call whose whole prompt is longer than a number of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LongBand {
    /// The longest prompt that is not.
    #[ts(type = "number")]
    pub above_tokens: u64,
    /// The figures.
    #[serde(flatten)]
    pub band: Band,
}

impl Price {
    /// The price of what runs here.
    #[must_use]
    pub fn free() -> Self {
        let tariff = Tariff { band: Band::default(), long: None };
        Self { row: "local".to_owned(), as_of: String::new(), tariff }
    }

    /// True if all tokens are free.
    #[must_use]
    pub fn is_free(&self) -> bool {
        // A price for long prompts alone is a price all the same.
        self.tariff.band == Band::default() && self.tariff.long.is_none()
    }

    /// Cost of one call, micro-dollars, rounded to the nearest.
    #[must_use]
    pub fn cost_micros(&self, usage: &Usage) -> u64 {
        let Tariff { band, long } = &self.tariff;
        // A long prompt is priced as a whole, not only for the part beyond the mark.
        let band = long.as_ref().filter(|long| usage.input() > long.above_tokens).map_or(band, |long| &long.band);
        let kinds = [
            (usage.in_fresh, band.fresh),
            (usage.cache_read, band.cache_read),
            (usage.cache_write_5m, band.cache_write_5m),
            (usage.cache_write_1h, band.cache_write_1h),
            (usage.out, band.out),
        ];
        // In 128 bits no token count that a provider reports can overflow the sum.
        let total: u128 = kinds.into_iter().map(|(tokens, price)| u128::from(tokens) * u128::from(price)).sum();
        u64::try_from((total + TOKENS_PRICED / 2) / TOKENS_PRICED).unwrap_or(u64::MAX)
    }
}
