//! Removal of what is forgotten from the files and rows of an agent, and from values that are held.

mod readers;

pub(crate) use readers::READERS;

use memory::forget::{AgentFiles, Forgetting, Needles, Places, Removal, Step};
use memory::{AgentDb, MemoryError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use runtime::config::AgentFolders;
use runtime::crash::{self, CrashPoint};

/// The files of the agent in `folders`.
pub(crate) fn files(folders: &AgentFolders) -> AgentFiles {
    AgentFiles { root: folders.root.clone() }
}

/// The files and rows of an agent as forgetting changes them: for one request after the other.
pub(crate) struct Eraser {
    files: AgentFiles,
    db: AgentDb,
}

impl Eraser {
    pub fn new(folders: &AgentFolders, db: AgentDb) -> Self {
        Self { files: files(folders), db }
    }

    /// The agent's files.
    pub fn files(&self) -> &AgentFiles {
        &self.files
    }

    /// Takes it out of the files, then out of the rows. May have been begun before.
    pub async fn take_out(&mut self, forgetting: &Forgetting) -> Result<Places, MemoryError> {
        let removal = Removal::of(forgetting, READERS);
        let (in_files, of) = (self.files.clone(), removal.clone());
        let taken = tokio::task::spawn_blocking(move || {
            let mut replaced = Vec::new();
            let places = in_files.forget(&of, &mut replaced)?;
            Ok((places, replaced))
        });
        let (mut places, replaced) = taken.await.unwrap_or_else(|error| {
            let source = std::io::Error::other(error);
            Err(MemoryError::File { action: "forget in", path: self.files.root.clone(), source })
        })?;
        // Files before rows: the index is made from the files, and would bring the words back.
        self.db.forgetting_reached(&forgetting.tombstone, Step::Files).await?;
        crash::point(CrashPoint::ForgetFiles);
        for (place, count) in self.db.forget_rows(&removal, &replaced).await? {
            *places.entry(place).or_default() += count;
        }
        self.db.forgetting_reached(&forgetting.tombstone, Step::Rows).await?;
        crash::point(CrashPoint::ForgetRows);
        Ok(places)
    }

    /// At a start, before anything is read: takes out what an earlier run has begun to forget.
    pub async fn take_out_unfinished(&mut self) -> Result<(), MemoryError> {
        for forgetting in self.db.unfinished_forgetting().await? {
            self.take_out(&forgetting).await?;
            // Nobody knows which files were replaced before the end.
            self.db.index_from_start().await?;
        }
        Ok(())
    }
}

/// `held` without forgotten texts, but for those that it would be nothing without; none if it is as before.
pub fn without<T: Serialize + DeserializeOwned>(held: &T, needles: &Needles, mark: &str) -> Option<T> {
    needles.without(held, mark, |_| true)
}
