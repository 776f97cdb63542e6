//! A file that only grows, line by line.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::append;

/// A file to whose end whole lines are added. What a killed process or a full disk has left of a line stays alone on
/// it: the next one begins on its own.
#[derive(Debug)]
pub struct LineFile {
    file: File,
    /// The last line has no end yet.
    is_torn: bool,
}

impl LineFile {
    /// Opens or makes `path`.
    ///
    /// # Errors
    /// Fails if the disk refuses, or if a link or a folder is in the place of the file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = append(path)?;
        // An empty file needs no line end before its first line.
        let mut last = [b'\n'];
        if file.metadata()?.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        Ok(Self { file, is_torn: last != *b"\n" })
    }

    /// Adds `lines`, each with its end. The operating system has them when this returns; the disk has them once
    /// [`Self::sync`] does.
    ///
    /// # Errors
    /// Fails if the disk refuses the write; then nothing was added.
    pub fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        // The length is the way back: a write that fails on a full disk may have added a part of a line.
        let before = self.file.metadata()?.len();
        // One write for both, so that the line end is never added without the lines.
        let written =
            if self.is_torn { self.file.write_all(&[b"\n", lines].concat()) } else { self.file.write_all(lines) };
        match &written {
            Ok(()) => self.is_torn = false,
            Err(_) => self.take_back(before),
        }
        written
    }

    /// Adds `lines` and puts them on disk.
    ///
    /// # Errors
    /// Fails if the disk refuses the write or the sync; then nothing was added.
    pub fn add_synced(&mut self, lines: &[u8]) -> io::Result<()> {
        self.add_and(lines, Self::sync)
    }

    /// Adds `lines`, then does `then`; if that fails, nothing was added.
    fn add_and(&mut self, lines: &[u8], then: impl FnOnce(&Self) -> io::Result<()>) -> io::Result<()> {
        let (before, was_torn) = (self.file.metadata()?.len(), self.is_torn);
        self.add(lines)?;
        // Lines that are reported as not added must not turn up later.
        then(self).inspect_err(|_| {
            // The end that a torn line was given goes with what was added behind it.
            self.is_torn = was_torn;
            self.take_back(before);
        })
    }

    /// Puts what was added on disk.
    ///
    /// # Errors
    /// Fails if the disk refuses the sync.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Leaves nothing of a line that was not written. Where not even that works, the next line begins on its own.
    fn take_back(&mut self, length: u64) {
        self.is_torn |= self.file.set_len(length).is_err();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_behind_a_torn_one_after_a_sync_that_failed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "whole\nto").unwrap();
        let mut file = LineFile::open(&path).unwrap();
        let refused = |_: &LineFile| Err(io::Error::from(io::ErrorKind::StorageFull));
        file.add_and(b"lost\n", refused).unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\nto");
        file.add_synced(b"next\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\nto\nnext\n");
    }
}
