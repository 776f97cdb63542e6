use super::*;

fn folder() -> (tempfile::TempDir, MissionFolder) {
    let temp = tempfile::tempdir().unwrap();
    let folder = MissionFolder::at(temp.path().to_owned());
    (temp, folder)
}

fn id(text: &str) -> MissionId {
    MissionId::new(text).unwrap()
}

fn source(text: &str) -> Change {
    Change::Source(text.to_owned())
}

fn refused<T: std::fmt::Debug>(result: Result<T, OpError>) -> String {
    result.unwrap_err().code.to_string()
}

fn file(name: &str, text: &str) -> MissionImport {
    MissionImport { name: name.to_owned(), bytes_base64: BASE64_STANDARD.encode(text) }
}

#[test]
fn mo_04_a_text_is_saved_over_the_one_that_was_seen_and_over_no_other() {
    let (temp, folder) = folder();
    let on_disk = || std::fs::read_to_string(temp.path().join("dock.md")).unwrap();
    let dock = id("dock");
    folder.save(&dock, None, source("One.")).unwrap();
    let again = folder.save(&dock, None, source("Two.")).unwrap_err();
    assert_eq!((again.code.as_str(), &again.details["source"]), ("mission_exists", &json!("One.")));
    let one = hash_of("One.");
    folder.save(&dock, Some(&one), source("Two.")).unwrap();
    let late = folder.save(&dock, Some(&one), source("Three.")).unwrap_err();
    assert_eq!((late.code.as_str(), &late.details["source"]), ("file_changed", &json!("Two.")));
    assert_eq!(late.details["hash"], hash_of("Two."));
    assert_eq!(on_disk(), "Two.");
    std::fs::remove_file(temp.path().join("dock.md")).unwrap();
    assert_eq!(refused(folder.save(&dock, Some(&hash_of("Two.")), source("Three."))), "mission_not_found");
}

#[test]
fn mo_04_edits_touch_nothing_else_and_one_that_is_not_possible_leaves_the_file() {
    let (temp, folder) = folder();
    let text = "---\r\n# mine\r\nrobots: [rover-1]   # the small one\r\n---\r\nLook.\r\n";
    std::fs::write(temp.path().join("dock.md"), text).unwrap();
    let edits = |edit: Edit| Change::Edits(vec![edit]);
    let base = hash_of(text);
    let saved = folder.save(&id("dock"), Some(&base), edits(Edit::AddDependency(id("calibrate")))).unwrap();
    assert!(saved.contains("depends_on:") && saved.contains("calibrate") && saved.contains("# mine\r\n"), "{saved:?}");
    let back = folder.save(&id("dock"), Some(&hash_of(&saved)), source(text)).unwrap();
    assert_eq!(back, text);
    let no_entry = edits(Edit::RemoveEntry { key: "robots".to_owned(), index: 7 });
    assert_eq!(refused(folder.save(&id("dock"), Some(&base), no_entry)), "invalid_input");
    assert_eq!(std::fs::read_to_string(temp.path().join("dock.md")).unwrap(), text);
}

#[test]
fn mo_04_a_text_over_the_cap_and_a_file_too_many_are_refused_and_a_link_is_never_followed() {
    let (temp, folder) = folder();
    assert_eq!(refused(folder.save(&id("dock"), None, source(&"x".repeat(FILE_BYTES_MAX + 1)))), "too_large");
    std::fs::write(temp.path().join("outside"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(temp.path().join("outside"), temp.path().join("link.md")).unwrap();
    assert_eq!(refused(folder.save(&id("link"), Some(&hash_of("secret")), source("gone"))), "mission_unreadable");
    assert_eq!(std::fs::read_to_string(temp.path().join("outside")).unwrap(), "secret");
    for n in 0..FILES_MAX {
        std::fs::write(temp.path().join(format!("many-{n}.md")), "").unwrap();
    }
    assert_eq!(refused(folder.save(&id("dock"), None, source("One too many."))), "limit_reached");
}

#[test]
fn mo_05_each_file_that_is_brought_in_has_its_own_outcome_and_none_is_overwritten_unasked() {
    let (temp, folder) = folder();
    std::fs::write(temp.path().join("dock.md"), "Mine.").unwrap();
    let outcome = |file: &MissionImport, policy| {
        let answer = folder.import(file, policy);
        (answer.outcome, answer.code)
    };
    let coded = |code: &str| (Outcome::Refused, Some(code.to_owned()));
    let theirs = file("dock.md", "Theirs.");
    assert_eq!(outcome(&file("dock.md", "Mine."), OnConflict::Ask), (Outcome::Same, None));
    assert_eq!(outcome(&theirs, OnConflict::Ask), (Outcome::Conflict, None));
    assert_eq!(outcome(&theirs, OnConflict::Skip), (Outcome::Skipped, None));
    assert_eq!(std::fs::read_to_string(temp.path().join("dock.md")).unwrap(), "Mine.");
    assert_eq!(outcome(&theirs, OnConflict::Replace), (Outcome::Replaced, None));
    assert_eq!(std::fs::read_to_string(temp.path().join("dock.md")).unwrap(), "Theirs.");
    assert_eq!(outcome(&file("yard.md", "# Yard"), OnConflict::Ask), (Outcome::Added, None));
    for name in ["../dock.md", "a/b.md", "a\\b.md", "dock.txt", "Dock One.md", ".md", "con.md"] {
        assert_eq!(outcome(&file(name, "x"), OnConflict::Replace), coded("bad_id"), "{name}");
    }
    let bytes = |bytes: &[u8]| MissionImport { name: "odd.md".to_owned(), bytes_base64: BASE64_STANDARD.encode(bytes) };
    assert_eq!(outcome(&bytes(&[0xff, 0xfe]), OnConflict::Ask), coded("mission_unreadable"));
    let torn = MissionImport { name: "odd.md".to_owned(), bytes_base64: "***".to_owned() };
    assert_eq!(outcome(&torn, OnConflict::Ask), coded("invalid_input"));
    assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 2);
}

#[test]
fn mo_12_a_file_that_is_put_away_is_kept_for_a_while_and_its_example_does_not_come_back() {
    let (temp, folder) = folder();
    let dock = id("dock");
    folder.save(&dock, None, source("One.")).unwrap();
    assert_eq!(refused(folder.put_away(&dock, &hash_of("Two."), 1)), "file_changed");
    assert!(!folder.was_put_away("dock"));
    assert_eq!(folder.put_away(&dock, &hash_of("One."), 1).unwrap(), "One.");
    assert!(folder.was_put_away("dock") && !folder.was_put_away("ck"), "another id that ends the same");
    assert_eq!(refused(folder.put_away(&dock, &hash_of("One."), 2)), "mission_not_found");
    for n in 0..TRASHED_MAX {
        folder.save(&id("yard"), None, source("Look.")).unwrap();
        folder.put_away(&id("yard"), &hash_of("Look."), 10 + i64::try_from(n).unwrap()).unwrap();
    }
    let kept = std::fs::read_dir(temp.path().join(TRASH)).unwrap().count();
    assert_eq!((kept, folder.was_put_away("dock")), (TRASHED_MAX, false));
}

#[test]
fn mc_14_a_saved_text_is_whole_and_leaves_nothing_else_in_the_folder() {
    let (temp, folder) = folder();
    let dock = id("dock");
    let long = "x".repeat(FILE_BYTES_MAX);
    folder.save(&dock, None, source("One.")).unwrap();
    folder.save(&dock, Some(&hash_of("One.")), source(&long)).unwrap();
    refused(folder.save(&dock, Some(&hash_of("One.")), source("Two.")));
    let names: Vec<_> = std::fs::read_dir(temp.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["dock.md"], "no file of a save is left");
    assert_eq!(std::fs::read_to_string(temp.path().join("dock.md")).unwrap(), long);
    // A file under another name is another mission, and the first one is gone.
    std::fs::rename(temp.path().join("dock.md"), temp.path().join("ramp.md")).unwrap();
    let ids: Vec<String> = listed(temp.path()).unwrap().files.keys().map(ToString::to_string).collect();
    assert_eq!(ids, ["ramp"]);
}
