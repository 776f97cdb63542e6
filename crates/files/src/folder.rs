//! A folder of files that is there whole or not at all.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Component, Path};

use crate::{FILE_MODE, UNFINISHED, folder_of, sync_folder_of};

/// The owner enters, lists and changes.
const FOLDER_MODE: u32 = 0o700;

/// Makes the folder `path` with `files`, by their paths in it, for the owner alone: on disk when this returns. An empty
/// folder of that name is replaced.
///
/// # Errors
/// `DirectoryNotEmpty` if something is in the folder, `NotADirectory` if a link or a file has its name, `InvalidInput` for a
/// path that leads out of it; otherwise what the disk refused. Nothing of it is there then.
pub fn make_whole_folder(path: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    check_free(path)?;
    let unfinished = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(Permissions::from_mode(FOLDER_MODE))
        .tempdir_in(folder_of(path))?;
    for (name, bytes) in files {
        write(unfinished.path(), Path::new(name), bytes)?;
    }
    File::open(unfinished.path())?.sync_all()?;
    check_free(path)?;
    // The system refuses to put a folder in the place of one that is not empty, or of a link.
    std::fs::rename(unfinished.path(), path)?;
    // It has another name now; there is nothing left to remove.
    let _ = unfinished.keep();
    sync_folder_of(path)
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
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(ErrorKind::InvalidInput.into());
    }
    let path = root.join(name);
    let folder = folder_of(&path);
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    File::open(folder)?.sync_all()
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
}
