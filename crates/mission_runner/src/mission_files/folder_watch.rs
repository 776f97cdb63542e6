//! The system's own watch on a folder. It tells of a change at once, and may miss one or end: whoever looks at the
//! folder looks from time to time without it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};

/// A burst of changes is over when nothing has come for so long.
const QUIET: Duration = Duration::from_millis(300);
/// A burst that does not end is looked at all the same.
const BURST_MAX: Duration = Duration::from_secs(1);

/// A watch on one folder.
#[derive(Default)]
pub(crate) struct FolderWatch {
    changed: Arc<Notify>,
    /// None as long as the system does not watch.
    held: Option<RecommendedWatcher>,
}

impl FolderWatch {
    /// Has the system watch `folder` unless it does.
    pub fn hold(&mut self, folder: &Path) -> notify::Result<()> {
        if self.held.is_none() {
            let changed = Arc::clone(&self.changed);
            let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
                // Reading a file changes nothing. What is lost to an error shows when the folder is looked at.
                if !matches!(event, Ok(Event { kind: EventKind::Access(_), .. })) {
                    changed.notify_one();
                }
            })?;
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
            self.held = Some(watcher);
        }
        Ok(())
    }

    /// Ends the watch: the folder may be another one by now.
    pub fn end(&mut self) {
        self.held = None;
    }

    /// Returns once something in the folder has changed and the burst is over.
    pub async fn burst(&self) {
        self.changed.notified().await;
        let end = Instant::now() + BURST_MAX;
        // Both ends: a quiet moment, or a program that writes without pause has been waited for long enough.
        while timeout_at(end, timeout(QUIET, self.changed.notified())).await.is_ok_and(|more| more.is_ok()) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const DEADLINE: Duration = Duration::from_secs(20);

    fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap_or_default())).collect()
    }

    /// Numbers that look random and are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % bound
        }
    }

    /// One change of a few files, as editors, scripts and people make them.
    fn disturb(folder: &Path, dice: &mut Dice) {
        let file = |n: u64| folder.join(format!("file-{n}.md"));
        let (one, other) = (file(dice.below(5)), file(dice.below(5)));
        let text = "x".repeat(usize::try_from(dice.below(4_000)).unwrap());
        match dice.below(5) {
            0 => drop(std::fs::remove_file(&one)),
            1 => drop(std::fs::rename(&one, &other)),
            2 => {
                std::fs::write(folder.join(".new.tmp"), &text).unwrap();
                std::fs::rename(folder.join(".new.tmp"), &one).unwrap();
            }
            3 => {
                use std::io::Write;
                let mut opened = std::fs::OpenOptions::new().append(true).create(true).open(&one).unwrap();
                opened.write_all(text.as_bytes()).unwrap();
            }
            _ => std::fs::write(&one, &text).unwrap(),
        }
    }

    #[tokio::test]
    async fn mc_12_after_every_storm_of_changes_a_look_is_asked_for_and_looking_asks_for_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = FolderWatch::default();
        watch.hold(folder.path()).unwrap();
        let mut dice = Dice(0x5eed);
        for storm in 0..6 {
            let changes = 1 + dice.below(60);
            (0..changes).for_each(|_| disturb(folder.path(), &mut dice));
            // Whatever the dice say, the storm changes something.
            std::fs::write(folder.path().join("last.md"), format!("storm {storm}")).unwrap();
            let mut seen = BTreeMap::new();
            while seen != contents(folder.path())
                || !seen.values().any(|text| *text == format!("storm {storm}").into_bytes())
            {
                timeout(DEADLINE, watch.burst()).await.expect("nobody asked for a look");
                seen = contents(folder.path());
            }
        }
        while timeout(QUIET * 3, watch.changed.notified()).await.is_ok() {}
        contents(folder.path());
        assert!(timeout(QUIET * 3, watch.changed.notified()).await.is_err(), "reading the files is no change of them");
    }

    #[test]
    fn mc_15_a_folder_that_is_not_there_cannot_be_watched_and_can_be_later() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("missions");
        let mut watch = FolderWatch::default();
        assert!(watch.hold(&folder).is_err());
        std::fs::create_dir(&folder).unwrap();
        watch.hold(&folder).unwrap();
    }
}
