//! The files of a station that runs: it replaces and removes some of them while they are read.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The end of the audit outside its database.
pub const MARK_FILE: &str = "audit.mark";
/// Looks at a folder in which something is replaced each time.
const LOOKS_MAX: usize = 1_000;

/// The answer of a `look` at `folder` during which no file went away.
pub fn settled<T>(folder: &Path, look: impl Fn(&Path) -> std::io::Result<T>) -> std::io::Result<T> {
    let mut looks = 1;
    loop {
        match look(folder) {
            // What went between its listing and its reading may stand under another name now.
            Err(error) if error.kind() == ErrorKind::NotFound && looks < LOOKS_MAX && folder.exists() => looks += 1,
            found => return found,
        }
    }
}

/// Every file below `folder` with its bytes, by its path from there.
pub fn contents(folder: &Path) -> std::io::Result<BTreeMap<String, Vec<u8>>> {
    settled(folder, look_at)
}

fn look_at(folder: &Path) -> std::io::Result<BTreeMap<String, Vec<u8>>> {
    let (mut open, mut found) = (vec![folder.to_owned()], BTreeMap::new());
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(&at)? {
            let path = entry?.path();
            let kind = path.symlink_metadata()?.file_type();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// The files below `folder` whose bytes `says` is true of.
pub fn holding(folder: &Path, says: impl Fn(&[u8]) -> bool) -> std::io::Result<Vec<String>> {
    Ok(contents(folder)?.into_iter().filter(|(_, bytes)| says(bytes)).map(|(name, _)| name).collect())
}

/// True if `bytes` hold `part`.
pub fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Copies a data folder as a crash would leave it: no database is folded together while it is read.
pub(crate) fn image(from: &Path, to: &Path) -> std::io::Result<()> {
    loop {
        let before = written(from)?;
        copy_all(from, to)?;
        if written(from)? == before {
            return Ok(());
        }
    }
}

/// When each database below a folder was written last, its log of changes left aside.
fn written(folder: &Path) -> std::io::Result<BTreeMap<PathBuf, SystemTime>> {
    let mut times = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            times.append(&mut written(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "db") {
            times.insert(path.clone(), path.metadata()?.modified()?);
        }
    }
    Ok(times)
}

/// Copies everything below `from` to `to`. Nobody writes there.
pub fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    let mut entries: Vec<_> = std::fs::read_dir(from)?.collect::<Result<_, _>>()?;
    // A mark is never newer than the database it is about.
    entries.sort_by_key(|entry| entry.file_name() != MARK_FILE);
    for entry in entries {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_all(&path, &target)?;
        } else if !entry.file_name().to_string_lossy().starts_with(".unfinished-") {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
