//! The investigation sandbox of an agent: a cell without network and one folder per conversation, in which a model may run
//! what it likes, because nothing leaves it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Bounds, Cell, Ended, Purpose, Sandbox, give};
use crate::config::AgentFolders;
use crate::error::{ErrorKind, OpError};

/// Bytes of the files of one conversation; above it files can only be removed.
const FOLDER_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Files and folders of one conversation that are looked at.
const FILES_MAX: usize = 10_000;
/// Bytes of a command.
const COMMAND_BYTES_MAX: usize = 16 * 1024;

/// The folder of one conversation.
pub(crate) struct Investigation {
    folder: PathBuf,
}

impl Investigation {
    /// That of `session`. It lies beside the transcript, so that what is forgotten there is forgotten here.
    pub fn open(folders: &AgentFolders, session: &str) -> Result<Self, OpError> {
        let folder = folders.sessions.join(format!("{session}.cell"));
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&error)),
            Ok(()) => std::fs::set_permissions(&folder, Permissions::from_mode(0o700))
                .and_then(|()| give(&folder, &folder))
                .map_err(|error| failed(&error))?,
        }
        Ok(Self { folder })
    }

    /// Runs `command` as a shell script in the cell.
    pub async fn execute(&self, sandbox: &Sandbox, command: &str) -> Result<Ended, OpError> {
        if !(1..=COMMAND_BYTES_MAX).contains(&command.len()) || command.contains('\0') {
            let message = format!("A command is 1 to {COMMAND_BYTES_MAX} bytes without NUL.");
            return Err(OpError::bad_input("bad_command", "command", message));
        }
        let cell = Cell { purpose: Purpose::Run, work: Some(&self.folder), readable: &[], may_grow: self.has_room(0) };
        let arguments = ["-c".to_owned(), command.to_owned()];
        let ended = sandbox.run(&cell, ("/bin/sh", &arguments), Bounds::default()).await;
        self.open_up();
        ended
    }

    /// Puts `bytes` into the folder under a name made of `name`, and gives that name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<String, OpError> {
        if !self.has_room(bytes.len() as u64) {
            let message = format!("The sandbox holds {FOLDER_BYTES_MAX} bytes at most. Remove files there first.");
            return Err(OpError::conflict("sandbox_full", message));
        }
        let (stem, ending) = name.rsplit_once('.').map_or((name, ""), |(stem, ending)| (stem, ending));
        for number in 0..FILES_MAX {
            let candidate = match (number, ending) {
                (0, _) => name.to_owned(),
                (_, "") => format!("{stem}-{number}"),
                (_, _) => format!("{stem}-{number}.{ending}"),
            };
            let path = self.folder.join(&candidate);
            // Never through a link: what runs in the cell may have put one here.
            match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(&error)),
                Ok(mut file) => {
                    std::io::Write::write_all(&mut file, bytes).map_err(|error| failed(&error))?;
                    give(&path, &self.folder).map_err(|error| failed(&error))?;
                    return Ok(candidate);
                }
            }
        }
        Err(OpError::conflict("sandbox_full", "The sandbox holds too many files of this name."))
    }

    fn has_room(&self, more: u64) -> bool {
        let mut bytes = more;
        let mut count = 0;
        let fits = each(&self.folder, &mut |_, found| {
            bytes += found.len();
            count += 1;
            bytes <= FOLDER_BYTES_MAX && count <= FILES_MAX
        });
        fits && bytes <= FOLDER_BYTES_MAX
    }

    /// Lets the station read and remove whatever a run has left, however it has closed it.
    fn open_up(&self) {
        each(&self.folder, &mut |path, found| {
            let mode = if found.is_dir() { 0o700 } else { 0o600 | found.permissions().mode() & 0o100 };
            if !found.is_symlink()
                && let Err(error) = std::fs::set_permissions(path, Permissions::from_mode(mode))
            {
                tracing::warn!(%error, "a file of a sandbox stays closed");
            }
            true
        });
    }
}

/// Shows `see` everything below `folder`, each folder before what is in it, until it says no. Follows no link.
fn each(folder: &Path, see: &mut impl FnMut(&Path, &std::fs::Metadata) -> bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    for entry in entries.flatten() {
        let (path, Ok(found)) = (entry.path(), entry.metadata()) else { continue };
        if !see(&path, &found) || (found.is_dir() && !each(&path, see)) {
            return false;
        }
    }
    true
}

fn failed(error: &std::io::Error) -> OpError {
    OpError::new(ErrorKind::Unavailable, "sandbox_failed", format!("The sandbox's folder cannot be used: {error}."))
}
