//! The memory and the files of a whole run, looked at while it runs: the kernel's limits bind each of its processes and
//! each of its files, and not all of them together.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, RawMode, chmod, fstat, openat, statat};
use rustix::io::Errno;
use tokio::time::MissedTickBehavior;

use super::sandbox_process::FILE_BYTES_MAX;
use runtime::disk;

/// Time from one look to the next.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Folders in each other that are looked into; each takes one open file of the station.
const DEPTH_MAX: usize = 64;

/// The room that the files below a folder may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub bytes: u64,
    /// Files and folders.
    pub count: usize,
}

/// The room of one investigation; beyond it files can only be removed.
pub(super) const ROOM: Room = Room { bytes: 256 * 1024 * 1024, count: 10_000 };
/// The same while something runs: the file that fills the room may be written to its end.
const ROOM_OF_RUN: Room = Room { bytes: ROOM.bytes + FILE_BYTES_MAX, ..ROOM };

/// The run that is watched.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    /// The process that all others of the run descend from.
    pub process: u32,
    /// Memory that its processes may use together, bytes.
    pub memory_bytes: u64,
    /// The folder that it may fill.
    pub folder: Option<PathBuf>,
}

/// Waits until a run uses more than it may, and gives the sentence that says so.
pub(crate) async fn used_up(watched: Watched) -> String {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        let watched = watched.clone();
        match disk::blocking(move || excess(&watched)).await {
            Ok(None) => {}
            Ok(Some(sentence)) => return sentence,
            Err(error) => {
                tracing::warn!(%error, "a run cannot be watched");
                // A run that cannot be watched is not let run on.
                return "Ended: what it used could not be seen.".to_owned();
            }
        }
    }
}

fn excess(watched: &Watched) -> io::Result<Option<String>> {
    let family = family_of(watched.process)?;
    let used_bytes: u64 = family.iter().filter_map(|process| resident_bytes(*process)).sum();
    if used_bytes > watched.memory_bytes {
        let mebibytes = watched.memory_bytes / (1024 * 1024);
        return Ok(Some(format!("Ended: its processes used more than {mebibytes} MiB of memory together.")));
    }
    let fits = match &watched.folder {
        Some(folder) => room_beside_deleted(&family, folder)?.is_some_and(|room| fits(folder, room)),
        None => true,
    };
    Ok((!fits).then(|| "Ended: its files took more room than the sandbox has, or could not be counted.".to_owned()))
}

/// `root` and every process that descends from it. Of their resident memory, what several of them share counts
/// for each.
fn family_of(root: u32) -> io::Result<Vec<u32>> {
    let mut others: Vec<(u32, u32)> = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // One that has ended meanwhile uses nothing.
        others.extend(parent_of(process).map(|parent| (process, parent)));
    }
    let mut family = vec![root];
    loop {
        let known = family.len();
        others.retain(|(process, parent)| {
            let belongs = family.contains(parent);
            if belongs {
                family.push(*process);
            }
            !belongs
        });
        // Only when a round adds none: processes are listed in no order of descent.
        if family.len() == known {
            return Ok(family);
        }
    }
}

/// From `/proc/<process>/stat`: the name of a process stands in brackets and may hold any character.
fn parent_of(process: u32) -> Option<u32> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat).into_owned();
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn resident_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read(format!("/proc/{process}/status")).ok()?;
    let status = String::from_utf8_lossy(&status).into_owned();
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?;
    kibibytes.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

/// The rest of [`ROOM_OF_RUN`] beside the deleted files that processes of `family` still have open on the device of
/// `folder`; `None` if nothing is left.
fn room_beside_deleted(family: &[u32], folder: &Path) -> io::Result<Option<Room>> {
    let device = std::fs::metadata(folder)?.dev();
    let mut deleted: BTreeMap<u64, u64> = BTreeMap::new();
    for process in family {
        // One that has ended meanwhile has nothing open.
        let Some(open) = if_found(std::fs::read_dir(format!("/proc/{process}/fd")))? else { continue };
        for file in open {
            let Some(file) = if_found(file)? else { continue };
            let Some(file) = if_found(std::fs::metadata(file.path()))? else { continue };
            if file.nlink() == 0 && file.dev() == device {
                deleted.insert(file.ino(), taken(file.size(), file.blocks()));
            }
        }
    }
    let bytes = deleted.values().try_fold(ROOM_OF_RUN.bytes, |left, bytes| left.checked_sub(*bytes));
    let count = ROOM_OF_RUN.count.checked_sub(deleted.len());
    Ok(bytes.zip(count).map(|(bytes, count)| Room { bytes, count }))
}

/// `None` for what is gone since it was seen.
fn if_found<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(GONE) => Ok(None),
        Err(error) => Err(error),
    }
}

/// `ESRCH`: the process has ended.
const GONE: i32 = 3;
/// The unit of `st_blocks`, bytes.
const BLOCK_BYTES: u64 = 512;

/// The bytes that a file takes: its length, or its blocks, which may lie beyond its end.
fn taken(size: u64, blocks: u64) -> u64 {
    size.max(blocks.saturating_mul(BLOCK_BYTES))
}

/// True if everything below `folder` fits into `room`, however long its paths are. What cannot be seen does not fit.
pub(super) fn fits(folder: &Path, mut room: Room) -> bool {
    let opened = openat(CWD, folder, FOLDER, Mode::empty());
    opened.is_ok_and(|folder| takes(&folder, &mut room, DEPTH_MAX).unwrap_or(false))
}

/// A folder, never a link in its place.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Takes what is below `folder` off `room`; false if it does not fit.
fn takes(folder: &OwnedFd, room: &mut Room, depth: usize) -> Result<bool, Errno> {
    // Folders too deep to be counted count as too much.
    let Some(depth) = depth.checked_sub(1) else { return Ok(false) };
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        // Running programs may remove it in between.
        let Some(found) = if_there(statat(folder, name, AtFlags::SYMLINK_NOFOLLOW))? else { continue };
        let number = |number: i64| u64::try_from(number).unwrap_or(u64::MAX);
        let bytes = taken(number(found.st_size), number(found.st_blocks));
        let (Some(bytes), Some(count)) = (room.bytes.checked_sub(bytes), room.count.checked_sub(1)) else {
            return Ok(false);
        };
        *room = Room { bytes, count };
        if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
            let Some(below) = if_there(openat(folder, name, FOLDER, Mode::empty()))? else { continue };
            if !takes(&below, room, depth)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// `None` for what is gone, or has become something else, since it was seen.
fn if_there<T>(found: Result<T, Errno>) -> Result<Option<T>, Errno> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A file, a folder or a link itself, whatever its mode is.
const ITSELF: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Lets the station read and remove everything below `folder`, in which something may still run: a link is followed
/// nowhere, also not one that takes the place of a file meanwhile.
pub(super) fn open_up(folder: &Path) -> Result<(), Errno> {
    let folder = openat(CWD, folder, FOLDER, Mode::empty())?;
    open_up_below(&folder, DEPTH_MAX)
}

/// Goes on after a failure, and gives the last one.
fn open_up_below(folder: &OwnedFd, depth: usize) -> Result<(), Errno> {
    let depth = depth.checked_sub(1).ok_or(Errno::NAMETOOLONG)?;
    let mut opened = Ok(());
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            opened = open_up_one(folder, name, depth).or_else(|error| if_there::<()>(Err(error)).map(drop)).and(opened);
        }
    }
    opened
}

fn open_up_one(folder: &OwnedFd, name: &CStr, depth: usize) -> Result<(), Errno> {
    let itself = openat(folder, name, ITSELF, Mode::empty())?;
    let mode = fstat(&itself)?.st_mode;
    let kind = FileType::from_raw_mode(mode);
    if kind == FileType::Symlink {
        return Ok(());
    }
    let wanted = if kind == FileType::Directory { Mode::RWXU } else { of_file(mode) };
    set_mode(&itself, wanted)?;
    if kind == FileType::Directory {
        return open_up_below(&openat(&itself, c".", FOLDER, Mode::empty())?, depth);
    }
    Ok(())
}

/// Sets the mode of what was opened as [`ITSELF`], and not that of whatever bears its name now.
fn set_mode(itself: &OwnedFd, mode: Mode) -> Result<(), Errno> {
    chmod(format!("/proc/self/fd/{}", itself.as_raw_fd()), mode)
}

/// The station may read and write a file; its owner may run it if it could before.
fn of_file(mode: RawMode) -> Mode {
    Mode::RUSR | Mode::WUSR | (Mode::from_raw_mode(mode) & Mode::XUSR)
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, create_dir, metadata, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode_of(path: &Path) -> u32 {
        metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_a_run_has_closed_is_opened_and_nothing_behind_a_link() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (inside, key) = (folder.path().join("shut"), outside.path().join("key"));
        create_dir(&inside).unwrap();
        for (path, mode) in [(inside.join("run"), 0o111), (inside.join("note"), 0o000), (key.clone(), 0o444)] {
            write(&path, "").unwrap();
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        }
        symlink(&key, inside.join("link")).unwrap();
        symlink(outside.path(), folder.path().join("folder")).unwrap();
        set_permissions(outside.path(), Permissions::from_mode(0o755)).unwrap();
        set_permissions(&inside, Permissions::from_mode(0o000)).unwrap();
        open_up(folder.path()).unwrap();
        let modes = [mode_of(&inside), mode_of(&inside.join("run")), mode_of(&inside.join("note"))];
        assert_eq!((modes, mode_of(&key), mode_of(outside.path())), ([0o700, 0o700, 0o600], 0o444, 0o755));
    }

    #[test]
    fn a_link_in_the_place_of_a_file_that_was_looked_at_is_not_followed() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (name, key) = (folder.path().join("note"), outside.path().join("key"));
        write(&name, "").unwrap();
        write(&key, "").unwrap();
        set_permissions(&key, Permissions::from_mode(0o444)).unwrap();
        let opened = openat(CWD, folder.path(), FOLDER, Mode::empty()).unwrap();
        let looked_at = openat(&opened, c"note", ITSELF, Mode::empty()).unwrap();
        std::fs::rename(&name, folder.path().join("aside")).unwrap();
        symlink(&key, &name).unwrap();
        set_mode(&looked_at, Mode::RWXU).unwrap();
        assert_eq!((mode_of(&folder.path().join("aside")), mode_of(&key)), (0o700, 0o444));
    }
}
