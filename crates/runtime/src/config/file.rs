//! `config.toml` as people write it: a change by the program leaves their comments and their order alone.

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use tokio::sync::{Mutex, Notify};

use super::Settings;
use super::kept::{BYTES_MAX, is_blank};
use crate::disk;
use crate::error::{OpError, RuntimeCode};

/// The file of a running station.
#[derive(Debug)]
pub struct ConfigFile {
    path: PathBuf,
    /// The text that was accepted last; held while a change is made, so that changes follow one another.
    accepted: Mutex<String>,
    changed: Notify,
}

impl ConfigFile {
    /// The file in the data directory; it need not exist. `accepted` is the text that the start went by.
    pub fn in_folder(data_dir: &Path, accepted: String) -> Self {
        Self { path: data_dir.join("config.toml"), accepted: Mutex::new(accepted), changed: Notify::new() }
    }

    /// Waits for a change by the program; gives the text that was accepted.
    pub async fn changed(&self) -> String {
        self.changed.notified().await;
        self.accepted.lock().await.clone()
    }

    /// Changes the file as it is now; what people wrote meanwhile stays. On disk when this returns; nothing is written
    /// that the next start would refuse. A file that has vanished or is empty comes back with what was accepted last.
    /// `take` puts the new settings in force before the next change is made: of two changes the newer one holds.
    pub async fn edit<T>(
        &self,
        change: impl FnOnce(&mut DocumentMut) -> Option<()>,
        take: impl FnOnce(Settings) -> T,
    ) -> Result<T, OpError> {
        let mut accepted = self.accepted.lock().await;
        let path = self.path.clone();
        let found = match disk::blocking(move || files::read_text(&path, BYTES_MAX)).await {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(self.failed(&error)),
        };
        let invalid = |why: String| {
            let message = format!("{} is refused: {why}. Nothing was changed; repair the file.", self.path.display());
            OpError::new(RuntimeCode::ConfigInvalid, message)
        };
        let text = if is_blank(&found) { accepted.clone() } else { found };
        let mut document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| invalid(error.message().into()))?;
        change(&mut document).ok_or_else(|| invalid("something else stands where a table belongs".into()))?;
        let text = document.to_string();
        let settings = Settings::parse(&text).map_err(invalid)?;
        disk::replace(self.path.clone(), text.clone()).await.map_err(|error| self.failed(&error))?;
        // After the write: what is accepted has to be what the next start reads.
        *accepted = text;
        self.changed.notify_one();
        Ok(take(settings))
    }

    fn failed(&self, error: &std::io::Error) -> OpError {
        let message = format!("{} could not be changed: {error}. Nothing was changed.", self.path.display());
        OpError::new(RuntimeCode::ConfigNotWritten, message)
    }
}

/// The table at `path`, made where it is missing; none if something else stands there.
pub fn table_at<'a>(document: &'a mut DocumentMut, path: &[&str]) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, name) in path.iter().enumerate() {
        let item = table.entry(name).or_insert_with(|| {
            let mut made = Table::new();
            // `[providers]` alone says nothing; `[providers.cloud]` does.
            made.set_implicit(depth + 1 < path.len());
            Item::Table(made)
        });
        table = item.as_table_like_mut()?;
    }
    Some(table)
}

/// Sets `key`, or removes it; the comment behind an older value stays.
pub fn put(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    let Some(mut value) = value else {
        table.remove(key);
        return;
    };
    if let Some(older) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = older.decor().clone();
    }
    table.insert(key, Item::Value(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn edited(
        before: &str,
        change: impl FnOnce(&mut DocumentMut) -> Option<()>,
    ) -> (Result<Settings, OpError>, String) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.toml"), before).unwrap();
        let done = ConfigFile::in_folder(folder.path(), String::new()).edit(change, |settings| settings).await;
        (done, std::fs::read_to_string(folder.path().join("config.toml")).unwrap())
    }

    #[tokio::test]
    async fn a_change_leaves_comments_and_order_alone() {
        let before = "# of the night shift\nsite = \"lab\"\n\n[providers.cloud] # paid\nkind = \"openai\"\nkey = \"old\" # ask Dana\n\n[memory]\nhalf_life_days = 20.0\n";
        let (done, after) = edited(before, |document| {
            put(table_at(document, &["providers", "cloud"])?, "key", Some("new".into()));
            put(table_at(document, &["providers", "near"])?, "kind", Some("ollama".into()));
            Some(())
        })
        .await;
        assert_eq!(done.unwrap().models.providers.len(), 2);
        let added = "[providers.near]\nkind = \"ollama\"\n\n[memory]";
        assert_eq!(after, before.replace("\"old\" # ask", "\"new\" # ask").replace("[memory]", added));
    }

    #[tokio::test]
    async fn f26_a_change_of_a_file_that_has_vanished_brings_back_what_was_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::in_folder(folder.path(), "[safety]\nbeat_lost_ms = 900\n".to_owned());
        let change = |document: &mut DocumentMut| {
            put(table_at(document, &["memory"])?, "half_life_days", Some(20.0.into()));
            Some(())
        };
        let settings = file.edit(change, |settings| settings).await.unwrap();
        assert_eq!(settings.safety.beat_lost_ms, 900);
        assert!(file.changed().await.contains("beat_lost_ms = 900"));
    }

    #[tokio::test]
    async fn nothing_is_written_that_the_next_start_would_refuse() {
        for (before, change) in [
            ("site = \"lab\"\n", ("kind", "teapot")),
            ("sight = \"lab\"\n", ("kind", "openai")),
            ("site = ", ("kind", "openai")),
            ("providers = 3\n", ("kind", "openai")),
        ] {
            let (done, after) = edited(before, |document| {
                put(table_at(document, &["providers", "cloud"])?, change.0, Some(change.1.into()));
                Some(())
            })
            .await;
            assert_eq!((done.unwrap_err().code.as_str(), after.as_str()), ("config_invalid", before));
        }
    }

    #[tokio::test]
    async fn f26_a_link_in_the_place_of_the_file_is_neither_read_nor_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (outside, link) = (folder.path().join("outside.toml"), folder.path().join("config.toml"));
        std::fs::write(&outside, "site = \"lab\"\n").unwrap();
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        let refused = ConfigFile::in_folder(folder.path(), String::new()).edit(|_| Some(()), drop).await.unwrap_err();
        assert_eq!(refused.code, "config_not_written");
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "site = \"lab\"\n");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[tokio::test]
    async fn an_inline_table_is_changed_too() {
        let (done, after) = edited("providers = { cloud = { kind = \"openai\" } }\n", |document| {
            put(table_at(document, &["providers", "cloud"])?, "window", Some(4_096.into()));
            Some(())
        })
        .await;
        assert!(done.is_ok(), "{after}");
        assert!(after.contains("window = 4096"), "{after}");
    }

    #[tokio::test]
    async fn settings_are_in_force_before_the_next_change_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::in_folder(folder.path(), String::new());
        let in_force = std::sync::Mutex::new(Vec::new());
        let set = |name: &'static str| {
            let change = move |document: &mut DocumentMut| {
                put(table_at(document, &["providers", name])?, "kind", Some("ollama".into()));
                Some(())
            };
            let take = |settings: Settings| {
                assert!(file.accepted.try_lock().is_err(), "nobody else changes the file meanwhile");
                in_force.lock().unwrap().push(settings.models.providers.len());
            };
            file.edit(change, take)
        };
        let (first, second) = tokio::join!(set("cloud"), set("near"));
        first.and(second).unwrap();
        assert_eq!(*in_force.lock().unwrap(), [1, 2]);
    }
}
