//! A folder of files that is there whole or not at all.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Component, Path};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempDir;

use crate::{FILE_MODE, UNFINISHED, folder_of, sync_folder_of};

/// The owner enters, lists and changes.
const FOLDER_MODE: u32 = 0o700;

/// Makes the folder `path` with `files`, by their paths in it, for the owner alone: on disk when this returns. An
/// empty folder of that name is replaced.
///
/// # Errors
/// `DirectoryNotEmpty` if something is in the folder, `NotADirectory` if a link or a file has its name,
/// `InvalidInput` for a path that leads out of it; otherwise what the disk refused. Nothing of it is there then.
pub fn make_whole_folder(path: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    check_free(path)?;
    let unfinished = unfinished_with(path, files)?;
    // Looked at again: something may have been put there while the files were written.
    check_free(path)?;
    // The system refuses to put a folder in the place of one that is not empty, or of a link.
    std::fs::rename(unfinished.path(), path)?;
    // It has another name now; there is nothing left to remove.
    let _ = unfinished.keep();
    sync_folder_of(path)
}

/// Makes the folder `path` with `files` in the place of one that is there, in one step: at each moment one of the
/// two is there, whole. On disk when this returns.
///
/// # Errors
/// As [`make_whole_folder`]; what was there is still there then, unless the folder around it could not be synced.
pub fn replace_whole_folder(path: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    match make_whole_folder(path, files) {
        // Only a full folder needs the exchange; a missing or an empty one is replaced by a plain rename.
        Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
        made => return made,
    }
    let unfinished = unfinished_with(path, files)?;
    // `rename` refuses a full folder, and to remove it first would leave a moment without either.
    renameat_with(CWD, unfinished.path(), CWD, path, RenameFlags::EXCHANGE)?;
    // What was there goes with the unfinished folder, whose name it has now.
    sync_folder_of(path)?;
    unfinished.close()
}

/// Removes the folder `path` with everything in it; at no moment a part of it has its name. False if there is none.
///
/// # Errors
/// `NotADirectory` if a link or a file has its name; otherwise what the disk refused.
pub fn remove_whole_folder(path: &Path) -> io::Result<bool> {
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Err(ErrorKind::NotADirectory.into()),
        Ok(_) => {}
    }
    // The whole tree loses its name in one step, and is removed under another.
    let unfinished = unfinished_with(path, &[])?;
    std::fs::rename(path, unfinished.path())?;
    // On disk before the removal begins: after a loss of power no half of the folder has the name.
    sync_folder_of(path)?;
    unfinished.close()?;
    Ok(true)
}

/// A folder beside `path` with `files`, on disk; dropped, it is removed.
fn unfinished_with(path: &Path, files: &[(String, Vec<u8>)]) -> io::Result<TempDir> {
    let unfinished = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(Permissions::from_mode(FOLDER_MODE))
        .tempdir_in(folder_of(path))?;
    for (name, bytes) in files {
        write(unfinished.path(), Path::new(name), bytes)?;
    }
    File::open(unfinished.path())?.sync_all()?;
    Ok(unfinished)
}

fn check_free(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if !found.is_dir() => Err(ErrorKind::NotADirectory.into()),
        Ok(_) if std::fs::read_dir(path)?.next().is_some() => Err(ErrorKind::DirectoryNotEmpty.into()),
        Ok(_) => Ok(()),
    }
}

fn write(root: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
    // `..` or an absolute path would lead out of the folder.
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(ErrorKind::InvalidInput.into());
    }
    let path = root.join(name);
    let folder = folder_of(&path);
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
    // `O_EXCL` follows no link, and refuses a name that stands in the list twice.
    let mut file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    // The name of the file is an entry of this folder, and the name of this folder one of the next, up to the root.
    folder.ancestors().take_while(|above| *above != root).try_for_each(|above| File::open(above)?.sync_all())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::tests::names;

    fn files() -> Vec<(String, Vec<u8>)> {
        [("router/router.json5", "{}"), ("robots/arm-1/key.pem", "key")]
            .map(|(name, text)| (name.to_owned(), text.into()))
            .into()
    }

    #[test]
    fn att_24_a_folder_is_there_whole_and_for_its_owner_alone() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("bundles");
        fs::create_dir(&folder).unwrap();
        make_whole_folder(&folder, &files()).unwrap();
        assert_eq!(
            (names(root.path()), names(&folder)),
            (vec!["bundles".into()], vec!["robots".into(), "router".into()])
        );
        let mode = |path: &str| fs::metadata(folder.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(["", "robots/arm-1", "robots/arm-1/key.pem"].map(mode), [0o700, 0o700, 0o600]);
    }

    #[test]
    fn att_24_what_is_in_the_way_is_left_alone_and_nothing_is_left_behind() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("full")).unwrap();
        fs::write(at("full/theirs"), "x").unwrap();
        fs::create_dir(at("elsewhere")).unwrap();
        symlink(at("elsewhere"), at("link")).unwrap();
        fs::write(at("file"), "x").unwrap();
        for (name, expected) in [
            ("full", ErrorKind::DirectoryNotEmpty),
            ("link", ErrorKind::NotADirectory),
            ("file", ErrorKind::NotADirectory),
            ("missing/bundles", ErrorKind::NotFound),
        ] {
            assert_eq!(make_whole_folder(&at(name), &files()).unwrap_err().kind(), expected, "{name}");
        }
        let outside = [("../theirs".to_owned(), Vec::new())];
        assert_eq!(make_whole_folder(&at("new"), &outside).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(names(root.path()), ["elsewhere", "file", "full", "link"]);
        assert!(names(&at("elsewhere")).is_empty());
    }

    #[test]
    fn rg_36_a_folder_is_replaced_in_one_step_or_stays_as_it_was() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("paired");
        let with = |text: &str| -> Vec<(String, Vec<u8>)> {
            vec![("key.pem".to_owned(), text.into()), (format!("{text}.pem"), Vec::new())]
        };
        replace_whole_folder(&folder, &with("first")).unwrap();
        replace_whole_folder(&folder, &with("second")).unwrap();
        assert_eq!(names(root.path()), ["paired"]);
        assert_eq!(names(&folder), ["key.pem", "second.pem"]);
        assert_eq!(fs::read_to_string(folder.join("key.pem")).unwrap(), "second");
        let mode = fs::metadata(folder.join("key.pem")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        // The second file cannot be written: the disk of that moment is full.
        let broken = [("key.pem".to_owned(), b"third".to_vec()), ("key.pem/below".to_owned(), Vec::new())];
        assert!(replace_whole_folder(&folder, &broken).is_err());
        assert_eq!(fs::read_to_string(folder.join("key.pem")).unwrap(), "second");
        assert_eq!(names(root.path()), ["paired"]);

        let link = root.path().join("link");
        symlink(&folder, &link).unwrap();
        assert_eq!(replace_whole_folder(&link, &with("x")).unwrap_err().kind(), ErrorKind::NotADirectory);
        assert_eq!(remove_whole_folder(&link).unwrap_err().kind(), ErrorKind::NotADirectory);
        assert!(remove_whole_folder(&folder).unwrap() && !remove_whole_folder(&folder).unwrap());
        assert_eq!(names(root.path()), ["link"]);
    }
}
