//! The `[memory]` part of `config.toml`: the weight of age in memory search.

use std::ops::RangeInclusive;

use serde::Deserialize;

/// Range of `half_life_days`.
const HALF_LIFE_DAYS: RangeInclusive<f64> = 1.0..=3_650.0;

/// Settings of memory search.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MemorySettings {
    /// Days after which age has taken half of what it can take of a record's weight, 1 to 3,650.
    pub half_life_days: f64,
}

impl MemorySettings {
    /// Refuses a number that is out of its range, naming key and range.
    pub(super) fn check(&self) -> Result<(), String> {
        let range = HALF_LIFE_DAYS;
        if range.contains(&self.half_life_days) {
            return Ok(());
        }
        Err(format!("memory.half_life_days is {}; it is {} to {}", self.half_life_days, range.start(), range.end()))
    }
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self { half_life_days: 30.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e2_07_the_half_life_has_a_range() {
        for (half_life_days, is_taken) in
            [(0.9, false), (1.0, true), (3_650.0, true), (3_651.0, false), (f64::NAN, false)]
        {
            assert_eq!(MemorySettings { half_life_days }.check().is_ok(), is_taken, "{half_life_days}");
        }
    }
}
