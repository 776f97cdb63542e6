//! The configuration that was accepted last. A `config.toml` that has vanished or is empty loosens nothing of it: its
//! copy is taken if the audit knows it by its hash, and without one the safety numbers of the record itself.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use memory::{of_word, word};

use super::{ConfigError, SafetySettings, Settings};
use crate::audit::{AuditEntry, AuditOrigin, Checked, canonical_hash};
use crate::secrets::KeyStore;

/// The operation of a record that names an accepted configuration.
const RECORDED: &str = "settings";
/// Its outcome.
const ACCEPTED: &str = "ok";
/// Bytes of a configuration.
pub(super) const BYTES_MAX: u64 = 1 << 20;

/// A configuration by the newest record of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// Of its text.
    hash: String,
    safety: Option<SafetySettings>,
    /// The place of the keys with which the station signs: another one would make it another station.
    store: KeyStore,
}

/// The configuration that a start goes by.
#[derive(Debug)]
pub struct Loaded {
    /// The settings in it.
    pub settings: Settings,
    /// Its text; empty if there never was one.
    pub text: String,
    /// The place it was read from.
    pub source: Source,
}

/// The place that a configuration was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `config.toml`, or the defaults where none is known.
    File,
    /// The copy of the one that was accepted last; the file is missing or empty.
    Copy,
    /// Neither is there: the safety numbers are those on record, all else is as by default.
    Record,
}

impl Known {
    /// The configuration that `record` names.
    pub fn of(record: &Checked) -> Option<Self> {
        let is_accepted = record.operation == RECORDED && record.outcome == ACCEPTED;
        let is_whole = is_accepted && record.origin == AuditOrigin::Station && record.is_told_whole();
        let hash = record.input_hash.clone().filter(|_| is_whole)?;
        let safety = record.named("safety=").and_then(SafetySettings::from_numbers);
        let store = record.named("keys=").and_then(|word| of_word(word).ok()).unwrap_or(KeyStore::Keychain);
        Some(Self { hash, safety, store })
    }
}

impl Loaded {
    /// Reads `config.toml`, or a stand-in for one that is missing or empty although `known` names one.
    pub fn read(data_dir: &Path, known: Option<&Known>) -> Result<Self, ConfigError> {
        let path = data_dir.join("config.toml");
        let text = match files::read_text(&path, BYTES_MAX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(source) => return Err(ConfigError::File { path, source }),
        };
        // An empty file would otherwise put the safety numbers back to their defaults (decision 0102).
        let loaded = match known.filter(|_| is_blank(&text)) {
            Some(known) => Self::standing_in(data_dir, known),
            None => Settings::parse(&text).map(|settings| Self { settings, text, source: Source::File }),
        };
        loaded.map_err(|message| ConfigError::Settings { path, message })
    }

    fn standing_in(data_dir: &Path, known: &Known) -> Result<Self, String> {
        let copy =
            // A program with write access to the folder can forge
            // a copy; only the one whose hash is on record counts.
            files::read_text(&copy_in(data_dir), BYTES_MAX).ok().filter(|text| canonical_hash(text) == known.hash);
        if let Some((text, settings)) =
            copy.and_then(|text| Settings::parse(&text).ok().map(|settings| (text, settings)))
        {
            return Ok(Self { settings, text, source: Source::Copy });
        }
        let safety = known.safety.as_ref().map(SafetySettings::written).unwrap_or_default();
        let text = format!("[secrets]\nstore = \"{}\"\n{safety}", word(&known.store));
        Ok(Self { settings: Settings::parse(&text)?, text, source: Source::Record })
    }

    /// It says something, and is not the one that `known` names.
    pub fn is_new(&self, known: Option<&Known>) -> bool {
        let is_known = known.is_some_and(|known| known.hash == canonical_hash(&self.text));
        self.source == Source::File && !is_blank(&self.text) && !is_known
    }
}

impl Source {
    /// The alarm's sentence about a `config.toml` that is missing or empty.
    pub fn sentence(self) -> Option<&'static str> {
        match self {
            Self::File => None,
            Self::Copy => Some(
                "config.toml is missing or empty. The settings of the last start are in force, from config.toml.kept.",
            ),
            Self::Record => Some(
                "config.toml and its copy are missing. The safety numbers on record are in force; permissions, providers and \
                 all else are as by default.",
            ),
        }
    }
}

/// The copy of the configuration that was accepted last.
pub fn copy_in(data_dir: &Path) -> PathBuf {
    data_dir.join("config.toml.kept")
}

pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The record of an accepted configuration: hash, safety numbers in the order of their table, place of keys.
pub fn record(settings: &Settings, text: &str) -> AuditEntry {
    let about = format!("safety={} keys={}", settings.safety.numbers(), word(&settings.secrets.store));
    let record = AuditEntry::by_station(RECORDED, ACCEPTED).about(about);
    AuditEntry { input_hash: Some(canonical_hash(&text)), ..record }
}

#[cfg(test)]
mod tests {
    use memory::AuditLine;
    use robot::{Now, StationId};

    use super::*;
    use crate::audit::AuditRecord;

    const TEXT: &str = "site = \"hall\"\n[secrets]\nstore = \"environment\"\n[safety]\nbeat_lost_ms = 900\n[[permissions]]\ntool = \"send_command\"\nverdict = \"deny\"\n";

    fn known() -> Known {
        let settings = Settings::parse(TEXT).unwrap();
        Known { hash: canonical_hash(&TEXT), safety: Some(settings.safety), store: settings.secrets.store }
    }

    fn loaded(file: Option<&str>, copy: Option<&str>) -> Loaded {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = file {
            std::fs::write(folder.path().join("config.toml"), text).unwrap();
        }
        if let Some(text) = copy {
            std::fs::write(copy_in(folder.path()), text).unwrap();
        }
        Loaded::read(folder.path(), Some(&known())).unwrap()
    }

    #[test]
    fn a_configuration_that_is_gone_or_empty_loosens_nothing() {
        for file in [None, Some(""), Some(" \n\t\n")] {
            let copied = loaded(file, Some(TEXT));
            assert_eq!((copied.source, copied.text.as_str()), (Source::Copy, TEXT));
            assert_eq!(copied.settings, Settings::parse(TEXT).unwrap());
            for copy in [None, Some(""), Some("[safety]\nbeat_lost_ms = 3000\n")] {
                let recorded = loaded(file, copy);
                assert_eq!((recorded.source, recorded.settings.safety.beat_lost_ms), (Source::Record, 900));
                assert_eq!(recorded.settings.secrets.store, KeyStore::Environment);
                assert_eq!(Settings::parse(&recorded.text).unwrap(), recorded.settings);
            }
        }
    }

    #[test]
    fn f26_a_link_in_the_place_of_the_configuration_is_refused_wherever_it_leads() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for target in ["config.toml", "nothing"] {
            std::fs::write(outside.path().join("config.toml"), TEXT).unwrap();
            let link = folder.path().join("config.toml");
            std::os::unix::fs::symlink(outside.path().join(target), &link).unwrap();
            for known in [None, Some(&known())] {
                let refused = Loaded::read(folder.path(), known).unwrap_err();
                assert!(matches!(&refused, ConfigError::File { path, .. } if *path == link), "{refused:?}");
            }
            std::fs::remove_file(link).unwrap();
        }
        // The copy stands in for a file that is gone, and a link in its place does not.
        std::os::unix::fs::symlink(outside.path().join("config.toml"), copy_in(folder.path())).unwrap();
        assert_eq!(Loaded::read(folder.path(), Some(&known())).unwrap().source, Source::Record);
    }

    #[test]
    fn a_refused_call_is_no_record_of_an_accepted_configuration() {
        let accepted = record(&Settings::parse(TEXT).unwrap(), TEXT);
        let known = |entry: AuditEntry| {
            let record =
                AuditRecord::after(&Default::default(), &StationId::new("desk").unwrap(), Now::default(), entry);
            Known::of(&Checked::of(&AuditLine { seq: 1, record: record.line() }).unwrap())
        };
        assert_eq!(known(accepted.clone()), Some(self::known()));
        assert_eq!(known(AuditEntry { outcome: "unknown_operation".into(), ..accepted.clone() }), None);
        assert_eq!(known(AuditEntry { origin: AuditOrigin::Program, ..accepted }), None);
    }

    #[test]
    fn a_configuration_that_says_something_is_taken_as_it_is() {
        let chosen = loaded(Some("# all as by default\n"), Some(TEXT));
        assert_eq!((chosen.source, chosen.settings), (Source::File, Settings::parse("").unwrap()));
        assert!(Settings::parse("[safety]\nbeat_hz = 0").is_err() && SafetySettings::from_numbers("1,2").is_none());
    }
}
