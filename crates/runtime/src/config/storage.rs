//! The `[storage]` part of `config.toml`: the free space under which the station warns.

use std::ops::RangeInclusive;

use serde::Deserialize;

use super::in_range;

/// Range of `low_mib`: the highest is more than a station records in years.
const LOW_MIB: RangeInclusive<u64> = 16..=1_048_576;

/// Settings of the disk that holds the data directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StorageSettings {
    /// Free space is low under this, MiB, once it is also under a tenth of the disk.
    pub low_mib: u64,
}

impl StorageSettings {
    /// Refuses a number that is out of its range, naming key and range.
    pub(super) fn check(self) -> Result<(), String> {
        in_range("storage.low_mib", self.low_mib, &LOW_MIB)
    }
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self { low_mib: 10 * 1024 }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Settings;

    #[test]
    fn u_1310_the_space_that_counts_as_low_has_a_range() {
        for (low_mib, taken) in [(15, false), (16, true), (1_048_576, true), (1_048_577, false)] {
            let settings = Settings::parse(&format!("[storage]\nlow_mib = {low_mib}"));
            assert_eq!(settings.map(|settings| settings.storage.low_mib).ok(), taken.then_some(low_mib));
        }
        assert_eq!(Settings::parse("").unwrap().storage.low_mib, 10 * 1024);
        let refused = Settings::parse("[storage]\nlow_mib = 1").unwrap_err();
        assert_eq!(refused, "storage.low_mib = 1: expected 16 to 1048576");
    }
}
