//! Writing files of ours: a reader finds the old content or the new one, even after a loss of power; only the
//! owner may read them; and no link leads a write elsewhere. Calls can block.

mod folder;
mod lines;
mod private;
mod walk;

pub use folder::{make_whole_folder, remove_whole_folder, replace_whole_folder};
pub use lines::LineFile;
pub use private::{make_folder, make_named_folder, private_folder};
pub use walk::{Failures, Swept, sweep_below, tighten, unwritable};

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tempfile::{NamedTempFile, TempPath};

/// Prefix of the names of files that do not have their final name yet.
const UNFINISHED: &str = ".unfinished-";
/// The owner reads and writes; nobody else does either.
const FILE_MODE: u32 = 0o600;

/// Puts `bytes` in the place of `path`: on disk when this returns. On an error the old content is still there, whole,
/// unless the folder itself could not be synced: then one of the two is there.
///
/// # Errors
/// Names what the disk refused; a link or a folder in the place of the file is refused.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    prepare(path, bytes)?.put_in_place()
}

/// Makes the file `path`, whole: on disk when this returns.
///
/// # Errors
/// `AlreadyExists` if anything has that name; otherwise what the disk refused. Nothing half written has the name
/// then.
pub fn make(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Refused before anything is written; `persist_noclobber` refuses a name that was taken in between.
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let Prepared { unfinished, path } = prepare(path, bytes)?;
    unfinished.persist_noclobber(&path).map_err(|refused| refused.error)?;
    sync_folder_of(&path)
}

/// The new content of a file, on disk beside it. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Prepared {
    unfinished: NamedTempFile,
    path: PathBuf,
}

/// Writes the new content of `path` beside it, so that a last look at the old one can come right before the change.
///
/// # Errors
/// As [`replace`].
pub fn prepare(path: &Path, bytes: &[u8]) -> io::Result<Prepared> {
    check_place(path)?;
    let mut unfinished = unfinished_beside(path)?;
    unfinished.write_all(bytes)?;
    unfinished.flush()?;
    // Synced before it gets its name: a name that reaches the disk first would stand for an empty file after a
    // loss of power.
    unfinished.as_file().sync_all()?;
    Ok(Prepared { unfinished, path: path.to_owned() })
}

impl Prepared {
    /// Gives the content its name; on disk when this returns.
    ///
    /// # Errors
    /// As [`replace`].
    pub fn put_in_place(self) -> io::Result<()> {
        let Self { unfinished, path } = self;
        // Looked at again: a link may have been put there while the content was written.
        check_place(&path)?;
        unfinished.persist(&path).map_err(|refused| refused.error)?;
        // The name is an entry of the folder, and is lost with the power until that is synced.
        sync_folder_of(&path)
    }
}

/// An empty private file beside a name, for a library that writes to a path. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Unfinished {
    unfinished: TempPath,
    path: PathBuf,
}

/// Makes the file in which the content of `path` will grow.
///
/// # Errors
/// As [`replace`].
pub fn begin(path: &Path) -> io::Result<Unfinished> {
    check_place(path)?;
    Ok(Unfinished { unfinished: unfinished_beside(path)?.into_temp_path(), path: path.to_owned() })
}

impl Unfinished {
    /// Path to write to until the file gets its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.unfinished
    }

    /// Gives the file its name, in the place of what has it; on disk when this returns. Whoever wrote it must have
    /// closed it.
    ///
    /// # Errors
    /// As [`replace`].
    pub fn put_in_place(self) -> io::Result<()> {
        let Self { unfinished, path } = self;
        // The library that wrote the file may have left its bytes with the operating system.
        open(&unfinished)?.sync_all()?;
        check_place(&path)?;
        unfinished.persist(&path).map_err(|refused| refused.error)?;
        sync_folder_of(&path)
    }
}

/// Copies the file `from` into the place of `to`; on disk when this returns.
///
/// # Errors
/// As [`replace`], and if `from` cannot be read.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    check_place(to)?;
    let mut unfinished = unfinished_beside(to)?;
    io::copy(&mut open(from)?, &mut unfinished)?;
    unfinished.flush()?;
    unfinished.as_file().sync_all()?;
    Prepared { unfinished, path: to.to_owned() }.put_in_place()
}

/// Gives a file another name; on disk when this returns.
///
/// # Errors
/// Fails if the disk refuses; the file has one of the two names then.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)?;
    sync_folder_of(to)?;
    // From another folder its old name goes too, which is an entry of that one.
    if folder_of(from) == folder_of(to) { Ok(()) } else { sync_folder_of(from) }
}

/// Removes a file, also from disk when this returns; one that is not there is as good as removed.
///
/// # Errors
/// Fails if the disk refuses.
pub fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Without it, what was told as forgotten would be back after a loss of power.
        Ok(()) => sync_folder_of(path),
        Err(error) => Err(error),
    }
}

/// Opens or makes a file to add to its end and to read it. Once `write_all` returns, the operating system has the
/// bytes; once `sync_data` does, the disk.
///
/// # Errors
/// Fails if the disk refuses, or if a link or a folder is in the place of the file.
pub fn append(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .read(true)
        .mode(FILE_MODE)
        .custom_flags(without_following())
        .open(path)?;
    // `O_NOFOLLOW` refuses links only: a pipe or a device would open as well.
    only_file(&file)?;
    Ok(file)
}

/// Opens a file to read it.
///
/// # Errors
/// Fails if the disk refuses, or if a link or a folder is in the place of the file.
pub fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(without_following()).open(path)?;
    only_file(&file)?;
    Ok(file)
}

/// The text of a file, at most `bytes_max` bytes of UTF-8.
///
/// # Errors
/// As [`open`], and if it is longer or no UTF-8.
pub fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    // As bytes: the cut may fall within a character.
    let bytes = read_bounded(path, bytes_max)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

fn read_bounded(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too long from one that just fits.
    open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max { Err(too_long(bytes_max)) } else { Ok(bytes) }
}

/// The bytes of a file below `root`, at most `bytes_max`; `names` are the folders on the way and the file.
///
/// # Errors
/// As [`open`], if it is longer, or if `root` or a folder on the way is a link.
pub fn read_below(root: &Path, names: &[&str], bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut path = root.to_owned();
    // `O_NOFOLLOW` looks at the last name only, so every folder on the way is looked at here.
    for name in names {
        if !std::fs::symlink_metadata(&path)?.is_dir() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a link or a file is in a folder's place"));
        }
        path.push(name);
    }
    read_bounded(&path, bytes_max)
}

/// Holds `path` for this process alone: until the file is closed, so also with a killed process. None if another
/// holds it.
///
/// # Errors
/// Fails if the disk refuses, or if a link or a folder is in the place of the file.
pub fn hold(path: &Path) -> io::Result<Option<File>> {
    let file = append(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes from `folder` what a killed process has left unfinished. Only for whoever alone writes there.
///
/// # Errors
/// Fails if the disk refuses.
pub fn sweep(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !is_unfinished(&entry.file_name()) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_file() {
            remove(&entry.path())?;
        } else if kind.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

pub(crate) fn is_unfinished(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes())
}

/// A file with a name nobody can guess; the system refuses to make it through a link.
fn unfinished_beside(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(Permissions::from_mode(FILE_MODE))
        .tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    // The parent of a bare name is the empty path, which the system cannot open.
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new name is on disk once the folder is.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

/// Refuses whatever is no file in the place of `path`; nothing at all is fine. For a library that opens files
/// itself and would follow a link. Whoever put one there means it; it is not ours to replace.
///
/// # Errors
/// `InvalidInput` if a link or a folder is there; otherwise what the disk refused.
pub fn check_place(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(no_file()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn only_file(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { Ok(()) } else { Err(no_file()) }
}

fn too_long(bytes_max: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {bytes_max} bytes"))
}

fn no_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "a link or a folder is in the file's place")
}

/// Flags of an open that follows no link and does not wait for the other end of a pipe.
fn without_following() -> i32 {
    (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()
}

#[cfg(test)]
mod tests;
