use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};

use super::*;

fn mode_of(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_replaced_file_is_private_and_nothing_lies_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    replace(&path, b"new").unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode_of(&path)), ("new", 0o600));
    copy(&path, &folder.path().join("copy")).unwrap();
    make(&folder.path().join("made"), b"whole").unwrap();
    assert_eq!(names(folder.path()), ["config.toml", "copy", "made"]);
}

#[test]
fn what_is_prepared_and_not_put_in_place_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("MEMORY.md");
    fs::write(&path, "old").unwrap();
    drop(prepare(&path, b"new").unwrap());
    drop(begin(&path).unwrap());
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("old", 1));
}

#[test]
fn a_link_in_the_place_of_a_file_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let (outside, link) = (folder.path().join("outside"), folder.path().join("link"));
    fs::write(&outside, "theirs").unwrap();
    symlink(&outside, &link).unwrap();
    let refused = [
        replace(&link, b"ours").is_err(),
        make(&link, b"ours").is_err(),
        copy(&outside, &link).is_err(),
        begin(&link).is_err(),
        append(&link).is_err(),
        open(&link).is_err(),
        read_text(&link, 100).is_err(),
        hold(&link).is_err(),
        LineFile::open(&link).is_err(),
    ];
    assert_eq!(refused, [true; 9]);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "theirs");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(names(folder.path()), ["link", "outside"]);
}

#[test]
fn a_file_that_is_there_is_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm-1.key");
    make(&path, b"first").unwrap();
    assert_eq!(make(&path, b"second").unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), b"first");
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    fs::write(&path, "12345").unwrap();
    assert_eq!(read_text(&path, 5).unwrap(), "12345");
    assert_eq!(read_text(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
    fs::write(&path, "größer").unwrap();
    for bytes_max in 2..5 {
        assert_eq!(read_text(&path, bytes_max).unwrap_err().kind(), ErrorKind::FileTooLarge, "{bytes_max}");
    }
    fs::write(&path, [0xff]).unwrap();
    assert_eq!(read_text(&path, 5).unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn what_is_removed_or_gets_another_name_is_gone_from_its_folder() {
    let root = tempfile::tempdir().unwrap();
    let (from, to) = (root.path().join("a"), root.path().join("trash"));
    [&from, &to].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
    fs::write(from.join("draft.md"), "x").unwrap();
    rename(&from.join("draft.md"), &to.join("1-draft.md")).unwrap();
    assert_eq!((names(&from), names(&to)), (vec![], vec!["1-draft.md".to_owned()]));
    remove(&to.join("1-draft.md")).unwrap();
    remove(&to.join("1-draft.md")).unwrap();
    assert!(names(&to).is_empty());
    assert_eq!(remove(&from).unwrap_err().kind(), fs::remove_file(&from).unwrap_err().kind(), "a folder is no file");
}

#[test]
fn a_line_begins_behind_a_torn_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, "whole\nto").unwrap();
    let mut file = LineFile::open(&path).unwrap();
    file.add(b"next\n").unwrap();
    file.add_synced(b"last\n").unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode_of(&path)), ("whole\nto\nnext\nlast\n", 0o644));
}

#[test]
fn what_a_killed_process_has_left_is_swept_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let left = begin(&folder.path().join("memory.db")).unwrap();
    let left = left.unfinished.keep().unwrap();
    for kept in ["memory.db", ".lock"] {
        fs::write(folder.path().join(kept), "").unwrap();
    }
    assert!(left.exists());
    fs::create_dir(folder.path().join(".unfinished-folder")).unwrap();
    fs::write(folder.path().join(".unfinished-folder/key.pem"), "").unwrap();
    sweep(folder.path()).unwrap();
    assert_eq!(names(folder.path()), [".lock", "memory.db"]);
}

#[test]
fn what_killed_processes_have_left_is_swept_from_every_folder_below_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let (below, outside) = (root.path().join("agents/main/sessions"), tempfile::tempdir().unwrap());
    make_folder(&below).unwrap();
    let leave = |folder: &Path| begin(&folder.join("file")).unwrap().unfinished.keep().unwrap();
    leave(root.path());
    leave(&below);
    let theirs = leave(outside.path());
    symlink(outside.path(), below.join("link")).unwrap();
    fs::write(below.join("desk.jsonl"), "").unwrap();
    let swept = sweep_below(root.path());
    assert_eq!((swept.removed, swept.left.count), (2, 0));
    assert!(swept.folders.contains(&below) && theirs.exists());
    assert_eq!((names(root.path()), names(&below)), (vec!["agents".into()], vec!["desk.jsonl".into(), "link".into()]));
}

#[test]
fn a_folder_of_ours_is_no_link_and_one_that_a_person_names_may_be() {
    let root = tempfile::tempdir().unwrap();
    let link = root.path().join("backups");
    symlink(tempfile::tempdir().unwrap().path(), &link).unwrap();
    assert!(make_folder(&link).is_err(), "it leads nowhere");
    let outside = tempfile::tempdir().unwrap();
    let before = mode_of(outside.path());
    fs::remove_file(&link).unwrap();
    symlink(outside.path(), &link).unwrap();
    assert!(make_folder(&link).is_err() && private_folder(&link).is_err());
    assert_eq!(mode_of(outside.path()), before);
    make_named_folder(&link).unwrap();
}

#[test]
fn a_held_file_is_held_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".lock");
    let held = hold(&path).unwrap();
    assert!(held.is_some());
    assert!(hold(&path).unwrap().is_none());
    drop(held);
    assert!(hold(&path).unwrap().is_some());
    assert_eq!(mode_of(&path), 0o600);
}

#[test]
fn what_is_open_to_others_is_closed_and_links_are_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::set_permissions(outside.path(), Permissions::from_mode(0o644)).unwrap();
    let below = root.path().join("agents/main/sessions");
    fs::create_dir_all(&below).unwrap();
    let (file, program, link) = (below.join("s.jsonl"), below.join("run"), below.join("link"));
    for (path, mode) in [(&file, 0o644), (&program, 0o755)] {
        fs::write(path, "").unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    for folder in [root.path(), &root.path().join("agents"), &below] {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    symlink(outside.path(), &link).unwrap();
    assert_eq!(tighten(root.path()).count, 0);
    let modes = [root.path(), &below, &file, &program, outside.path()].map(mode_of);
    assert_eq!(modes, [0o700, 0o700, 0o600, 0o700, 0o644]);
    private_folder(&below.join("new/er")).unwrap();
    assert_eq!(mode_of(&below.join("new/er")), 0o700);
}
