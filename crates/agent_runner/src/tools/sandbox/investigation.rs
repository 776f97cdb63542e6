//! The investigation sandbox of an agent: a cell without network and one folder per conversation, in which a
//! model may run what it likes, because nothing leaves it.

use std::path::PathBuf;

use robot::ConversationId;

use super::usage::{self, ROOM, Room};
use super::{Bounds, Cell, Ended, Purpose, Sandbox, give};
use crate::code::AgentCode;
use runtime::config::AgentFolders;
use runtime::error::OpError;

/// Bytes of a command.
const COMMAND_BYTES_MAX: usize = 16 * 1024;

/// The shell of investigations: programs with the bounds of a run, one at a time.
#[derive(Default)]
pub(super) struct Shell {
    bounds: Bounds,
}

impl Shell {
    /// Runs `command` as a shell script in `cell`.
    async fn run(&mut self, sandbox: &Sandbox, cell: &Cell<'_>, command: &str) -> Result<Ended, OpError> {
        let arguments = ["-c".to_owned(), command.to_owned()];
        sandbox.run(cell, "/bin/sh", &arguments, self.bounds).await
    }
}

/// The folder of one conversation.
pub(crate) struct Investigation {
    folder: PathBuf,
}

impl Investigation {
    /// That of `session`. It lies beside the transcript, so that what is forgotten there is forgotten here.
    pub fn open(folders: &AgentFolders, session: &ConversationId) -> Result<Self, OpError> {
        let folder = folders.sessions.join(format!("{session}.cell"));
        if std::fs::symlink_metadata(&folder).is_err() {
            files::make_folder(&folder).and_then(|()| give(&folder, &folder)).map_err(|error| failed(&error))?;
        }
        Ok(Self { folder })
    }

    /// Runs `command` as a shell script in the cell, once nothing else runs in the folder of an investigation.
    pub async fn execute(&self, sandbox: &Sandbox, command: &str) -> Result<Ended, OpError> {
        let mut shell = sandbox.shell.lock().await;
        if !(1..=COMMAND_BYTES_MAX).contains(&command.len()) || command.contains('\0') {
            let message = format!("A command is 1 to {COMMAND_BYTES_MAX} bytes without NUL.");
            return Err(OpError::bad_input(AgentCode::BadCommand, "command", message));
        }
        let cell = Cell { purpose: Purpose::Run, work: Some(&self.folder), readable: &[], may_grow: self.has_room(0) };
        let ended = shell.run(sandbox, &cell, command).await;
        // Also after a failure: forgetting has to read and remove whatever the run has left.
        self.open_up();
        ended
    }

    /// Puts `bytes` into the folder under a name made of `name`, and gives that name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<String, OpError> {
        if !self.has_room(bytes.len() as u64) {
            let message =
                format!("The sandbox holds {} MiB at most. Remove files there first.", ROOM.bytes / (1024 * 1024));
            return Err(OpError::new(AgentCode::SandboxFull, message));
        }
        let (stem, ending) = name.rsplit_once('.').map_or((name, ""), |(stem, ending)| (stem, ending));
        for number in 0..ROOM.count {
            let candidate = match (number, ending) {
                (0, _) => name.to_owned(),
                (_, "") => format!("{stem}-{number}"),
                (_, _) => format!("{stem}-{number}.{ending}"),
            };
            let path = self.folder.join(&candidate);
            // Never through a link: what runs in the cell may have put one here.
            match files::make(&path, bytes) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(&error)),
                Ok(()) => {
                    give(&path, &self.folder).map_err(|error| failed(&error))?;
                    return Ok(candidate);
                }
            }
        }
        Err(OpError::new(AgentCode::SandboxFull, "The sandbox holds too many files of this name."))
    }

    fn has_room(&self, more: u64) -> bool {
        let left = ROOM.bytes.checked_sub(more);
        left.is_some_and(|bytes| usage::fits(&self.folder, Room { bytes, ..ROOM }))
    }

    /// Lets the station read and remove whatever a run has left, however it has closed it.
    fn open_up(&self) {
        if let Err(error) = usage::open_up(&self.folder) {
            tracing::warn!(%error, "a file of a sandbox stays closed");
        }
    }
}

fn failed(error: &std::io::Error) -> OpError {
    OpError::new(AgentCode::SandboxFailed, format!("The sandbox's folder cannot be used: {error}."))
}
