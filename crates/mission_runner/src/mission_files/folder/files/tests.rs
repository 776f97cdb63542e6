use std::time::Duration;

use notify::event::{AccessKind, EventKind};
use notify::{RecursiveMode, Watcher};
use runtime::clock::ClockShift;

use super::super::listing::FILES_MAX;
use super::*;

/// A folder that is looked at by a clock which a test moves.
struct Watched {
    folder: tempfile::TempDir,
    shift: &'static ClockShift,
    files: MissionFiles,
}

impl Watched {
    fn new() -> Self {
        let shift: &'static ClockShift = Box::leak(Box::default());
        Self { folder: tempfile::tempdir().unwrap(), shift, files: MissionFiles::new(Clock::shifted(shift)) }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn look(&self) -> BTreeMap<MissionId, Draft> {
        self.files.look(self.folder.path())
    }

    fn passes_ms(&self, ms: u64) {
        self.shift.suspend(Duration::from_millis(ms));
    }

    /// A look after everything has stood still.
    fn settled(&self) -> BTreeMap<MissionId, Draft> {
        self.look();
        self.passes_ms(STILL_EMPTY_MS);
        self.look()
    }

    fn text(&self, id: &str) -> Option<Result<String, Unread>> {
        self.files.text(self.folder.path(), &MissionId::new(id).unwrap())
    }
}

/// Each draft with its title, or the word `unread`, or its error.
fn told(drafts: &BTreeMap<MissionId, Draft>) -> Vec<(&str, String)> {
    let words = |draft: &Draft| match draft {
        Ok(file) => file.title.clone(),
        Err(error) => {
            if is_read(draft) {
                error.to_string()
            } else {
                "unread".to_owned()
            }
        }
    };
    drafts.iter().map(|(id, draft)| (id.as_str(), words(draft))).collect()
}

#[test]
fn mi_03_mc_13_missions_are_the_md_files_of_the_folder_itself_with_an_id_for_a_stem() {
    let watched = Watched::new();
    let at = |name: &str| watched.folder.path().join(name);
    std::fs::create_dir(at("more")).unwrap();
    for name in ["dock.md", "_note.md", ".dock.md", "README.md", "ramp.MD", "ramp.markdown", "more/yard.md"] {
        watched.write(name, "# Dock");
    }
    std::os::unix::fs::symlink(at("dock.md"), at("link.md")).unwrap();
    let drafts = watched.settled();
    let told: Vec<(&str, bool)> = drafts.iter().map(|(id, draft)| (id.as_str(), draft.is_ok())).collect();
    assert_eq!(told, [("dock", true), ("link", false)], "a link is told as a problem and never opened");
}

/// Each problem of a file as a whole: the id, the code, and whether it keeps a mission from being activated.
fn told_faults(files: &MissionFiles) -> Vec<String> {
    let told = |(id, problem): (&MissionId, &Problem)| {
        assert_eq!((problem.start.line, problem.start.column), (1, 1), "{problem}");
        format!("{id} {} {:?}: {}", problem.code, problem.severity, problem.sentence())
    };
    files.faults().iter().flat_map(|(id, problems)| problems.iter().map(move |problem| told((id, problem)))).collect()
}

/// Part of each problem in the order in which they are told.
#[track_caller]
fn assert_faults(files: &MissionFiles, expected: &[(&str, &str)]) {
    let told = told_faults(files);
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, (start, part)) in told.iter().zip(expected) {
        assert!(told.starts_with(start) && told.contains(part), "{told} is not {start} … {part}");
    }
}

#[test]
fn mi_02_mi_03_mc_03_a_file_whose_name_is_no_id_is_told_with_the_id_to_use() {
    let watched = Watched::new();
    for name in ["Night Patrol.md", "con.md", "-x.md", "ramp.MD", "yard.markdown", "README.md", "_Old Note.MD", "x.txt"]
    {
        watched.write(name, "# Dock");
    }
    std::fs::create_dir(watched.folder.path().join("My Notes.md")).unwrap();
    assert_eq!(told(&watched.settled()), [], "none of them is a mission");
    assert_faults(
        &watched.files,
        &[
            ("mission-con bad_id Error", "Rename it to `mission-con.md`."),
            ("night-patrol bad_id Error", "The file `Night Patrol.md` is no mission"),
            ("ramp not_a_file Error", "does not end in `.md`. Rename it to `ramp.md`."),
            ("x bad_id Error", "Rename it to `x.md`."),
            ("yard not_a_file Error", "`yard.markdown`"),
        ],
    );
    let (before, _) = watched.files.look_all(watched.folder.path()).unwrap();
    let of = |name: &str| watched.folder.path().join(name);
    std::fs::rename(of("Night Patrol.md"), of("night-patrol.md")).unwrap();
    assert_eq!(told(&watched.settled()), [("night-patrol", "Dock".to_owned())]);
    assert_eq!(told_faults(&watched.files).len(), 4, "the one that was renamed is no problem any more");
    assert_ne!(watched.files.look_all(watched.folder.path()).unwrap().0, before, "people are told of it");
}

#[test]
fn mi_02_mi_03_of_files_that_could_have_one_id_the_right_one_counts_and_each_other_is_told() {
    let watched = Watched::new();
    for name in ["dock.md", "Dock.md", "dock.MD", "dock.markdown", "Bay.md", "BAY.md"] {
        watched.write(name, &format!("# {name}"));
    }
    assert_eq!(told(&watched.settled()), [("dock", "dock.md".to_owned())]);
    let beside = "There is `dock.md` already: give it another name, or remove it.";
    assert_faults(
        &watched.files,
        &[
            ("bay bad_id Error", "`BAY.md`"),
            ("bay bad_id Error", "`Bay.md`"),
            ("dock bad_id Warning", beside),
            ("dock not_a_file Warning", beside),
            ("dock not_a_file Warning", beside),
        ],
    );
    (0..60).for_each(|n| watched.write(&format!("巡回-{}.md", "回".repeat(n)), ""));
    watched.settled();
    let told = told_faults(&watched.files);
    assert!(told.iter().any(|told| told.starts_with("mission bad_id") && told.contains("40 more files")), "{told:#?}");
}

#[test]
fn mi_03_mc_03_a_file_that_cannot_be_read_has_a_code_and_a_place() {
    let watched = Watched::new();
    let at = |name: &str| watched.folder.path().join(name);
    watched.write("outside.txt", "# Secret");
    std::os::unix::fs::symlink(at("outside.txt"), at("link.md")).unwrap();
    std::fs::create_dir(at("folder.md")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe.md")).status().unwrap();
    assert!(made.success());
    std::fs::write(at("cut.md"), [b'a', 0xe2, 0x82]).unwrap();
    watched.write("giant.md", &"x".repeat(300_000));
    watched.write("wrong.md", "---\nrobot: [\n---\n");
    // A pipe would hold up whoever opens it, until somebody writes.
    watched.settled();
    assert_faults(
        &watched.files,
        &[
            ("cut not_utf8 Error", "Save it in UTF-8."),
            ("folder not_a_file Error", "never opened"),
            ("giant too_large Error", "more than 262144 bytes"),
            ("link not_a_file Error", "In the place of `link.md`"),
            ("pipe not_a_file Error", "never opened"),
        ],
    );
}

#[test]
fn mi_02_a_file_is_there_by_its_name_alone() {
    let watched = Watched::new();
    let has = |id: &str| watched.files.has(watched.folder.path(), &MissionId::new(id).unwrap());
    for name in ["dock.md", "_note.md", "con.md", "Bay.md"] {
        watched.write(name, "# Dock");
    }
    assert!(has("dock"), "nobody has read it yet");
    assert!(!has("_note") && !has("con") && !has("bay") && !has("gone"));
}

#[test]
fn mc_13_a_file_is_read_once_it_has_stood_still_and_says_what_it_said_before_until_then() {
    let watched = Watched::new();
    watched.write("dock.md", "# Do");
    let unread = [("dock", "unread".to_owned())];
    assert_eq!(told(&watched.look()), unread);
    watched.passes_ms(200);
    watched.write("dock.md", "# Dock");
    watched.passes_ms(200);
    assert_eq!(told(&watched.look()), unread, "nobody has seen this text 300 ms ago");
    assert_eq!(watched.text("dock"), Some(Err(Unread::NotYet)));
    watched.passes_ms(200);
    assert_eq!(told(&watched.look()), unread);
    watched.passes_ms(200);
    assert_eq!(told(&watched.look()), [("dock", "Dock".to_owned())]);
    watched.write("dock.md", "# Dock of");
    assert!(watched.files.settles(watched.folder.path(), &MissionId::new("dock").unwrap()));
    watched.passes_ms(200);
    watched.write("dock.md", "# Dock of rover-2");
    watched.passes_ms(200);
    assert_eq!(told(&watched.look()), [("dock", "Dock".to_owned())], "half a text is no draft");
    assert_eq!(watched.text("dock"), Some(Ok("# Dock".to_owned())));
    watched.passes_ms(400);
    assert_eq!(watched.text("dock"), Some(Ok("# Dock of rover-2".to_owned())));
    assert!(!watched.files.is_settling());
}

#[test]
fn mc_13_an_empty_file_counts_only_after_two_seconds() {
    let watched = Watched::new();
    watched.write("dock.md", "# Dock");
    watched.settled();
    watched.write("dock.md", "");
    watched.look();
    watched.passes_ms(1_900);
    assert_eq!(told(&watched.look()), [("dock", "Dock".to_owned())]);
    watched.passes_ms(200);
    assert_eq!(told(&watched.look()), [("dock", "dock".to_owned())], "an empty file is a mission without a title");
}

#[test]
fn mc_13_what_takes_the_place_of_a_file_ends_what_it_said() {
    let watched = Watched::new();
    let at = |name: &str| watched.folder.path().join(name);
    for name in ["link.md", "folder.md", "gone.md", "cut.md"] {
        watched.write(name, "# Dock");
    }
    watched.settled();
    for name in ["link.md", "folder.md", "gone.md"] {
        std::fs::remove_file(at(name)).unwrap();
    }
    watched.write("outside.txt", "# Secret");
    std::os::unix::fs::symlink(at("outside.txt"), at("link.md")).unwrap();
    std::fs::create_dir(at("folder.md")).unwrap();
    std::fs::write(at("cut.md"), [b'a', 0xe2, 0x82]).unwrap();
    let drafts = watched.settled();
    assert!(drafts.values().all(Result::is_err), "{drafts:?}");
    assert_eq!(drafts.keys().map(MissionId::as_str).collect::<Vec<_>>(), ["cut", "folder", "link"]);
    assert!(drafts.values().all(is_read), "no time mends that");
    assert!(watched.files.known().is_empty() && watched.files.hashes().is_empty());
    assert!(["cut", "folder", "link"].iter().all(|id| watched.text(id).unwrap().is_err()));
    assert_eq!(watched.text("gone"), None);
}

#[test]
fn mc_13_mc_14_a_text_that_was_written_here_counts_at_once() {
    let watched = Watched::new();
    let id = MissionId::new("dock").unwrap();
    watched.write("dock.md", "# Dock");
    watched.files.accept(watched.folder.path(), &id, "# Another");
    assert_eq!(told(&watched.look()), [("dock", "unread".to_owned())], "somebody else has written since");
    watched.files.accept(watched.folder.path(), &id, "# Dock");
    assert_eq!(told(&watched.look()), [("dock", "Dock".to_owned())]);
    assert!(!watched.files.is_settling());
}

#[test]
fn ml_33_mc_13_a_file_is_parsed_again_only_when_it_says_something_else() {
    let watched = Watched::new();
    let path = watched.folder.path().join("patrol.md");
    let file = || watched.settled()[&MissionId::new("patrol").unwrap()].clone().unwrap();
    watched.write("patrol.md", "# One");
    let first = file();
    let (before, _) = watched.files.look_all(watched.folder.path()).unwrap();
    assert!(Arc::ptr_eq(&first, &file()), "nobody has changed it");
    watched.write("new", "# One");
    std::fs::rename(watched.folder.path().join("new"), &path).unwrap();
    assert!(Arc::ptr_eq(&first, &file()), "another file that says the same");
    watched.write("patrol.md", "# One");
    watched.settled();
    assert_eq!(watched.files.look_all(watched.folder.path()).unwrap().0, before, "a touch is no change");
    watched.write("patrol.md", "# Two");
    assert_eq!((first.title.as_str(), file().title.as_str()), ("One", "Two"));
    assert_ne!(watched.files.look_all(watched.folder.path()).unwrap().0, before);
}

#[test]
fn ml_33_only_a_look_that_finds_a_change_counts_one() {
    let watched = Watched::new();
    watched.write("patrol.md", "# One");
    watched.settled();
    let changes = || watched.files.changes();
    let mut before = changes();
    watched.look();
    watched.files.look_all(watched.folder.path()).unwrap();
    assert_eq!(changes(), before, "nobody has changed a file");
    watched.write("patrol.md", "# Two");
    watched.settled();
    assert!(std::mem::replace(&mut before, changes()) < changes(), "a text is another one");
    std::fs::remove_file(watched.folder.path().join("patrol.md")).unwrap();
    watched.look();
    assert!(before < changes(), "a file is gone");
}

#[test]
fn att_25_many_long_files_wait_for_the_watcher_and_bind_until_they_are_read() {
    let watched = Watched::new();
    let long = "x".repeat(200 * 1024);
    (0..12).for_each(|n| watched.write(&format!("long-{n:02}.md"), &long));
    let unread = |drafts: BTreeMap<MissionId, Draft>| drafts.values().filter(|draft| draft.is_err()).count();
    assert_eq!(unread(watched.settled()), 7, "five have room in what is parsed at once");
    watched.files.look_all(watched.folder.path()).unwrap();
    assert_eq!(unread(watched.look()), 0);
}

#[test]
fn att_25_mi_03_other_files_push_no_mission_out_and_of_too_many_the_shipped_and_the_first_by_name_stay() {
    let watched = Watched::new();
    (0..200).for_each(|n| watched.write(&format!("note-{n}.txt"), ""));
    watched.write("patrol.md", "# Patrol");
    assert_eq!(listed(watched.folder.path()).unwrap().files.len(), 1);
    (0..FILES_MAX + 10).for_each(|n| watched.write(&format!("a-{n:05}.md"), ""));
    missions::EXAMPLES.iter().for_each(|(shipped, text)| watched.write(&format!("{shipped}.md"), text));
    let Listed { files, left_out, .. } = listed(watched.folder.path()).unwrap();
    let names: Vec<String> = files.keys().map(ToString::to_string).collect();
    assert_eq!((names.len(), names.first().unwrap().as_str()), (FILES_MAX, "a-00000"));
    assert!(missions::EXAMPLES.iter().all(|(shipped, _)| names.iter().any(|name| name == shipped)), "{names:?}");
    assert_eq!(left_out.len(), 11 + missions::EXAMPLES.len());
    assert!(left_out.contains(&MissionId::new("patrol").unwrap()), "it is told which ones are left out");
    watched.look();
    let more = missions::EXAMPLES.len() + 1;
    assert_faults(&watched.files, &[("a-09", &*format!("and {more} more. Move"))]);
    assert!(told_faults(&watched.files).concat().contains(" too_many_files Error: "));
}

/// Counts of the mission files that the system has opened, until the one named `end` is.
fn opened_until(told: &std::sync::mpsc::Receiver<notify::Event>, end: &str) -> usize {
    let mut opened = 0;
    loop {
        let event = told.recv_timeout(Duration::from_secs(60)).expect("the system tells of every file that is opened");
        let is_opened = matches!(event.kind, EventKind::Access(AccessKind::Open(_)));
        let names = event.paths.iter().filter_map(|path| path.file_name()?.to_str());
        for name in names.filter(|_| is_opened) {
            if name == end {
                return opened;
            }
            opened += usize::from(name.ends_with(".md"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn mc_16_a_look_at_a_thousand_unchanged_files_reads_none_of_them() {
    let watched = Watched::new();
    let folder = watched.folder.path();
    (0..1_000).for_each(|n| watched.write(&format!("dock-{n:04}.md"), "# Dock"));
    // No mission: two openings of one file in a row may be told as one.
    watched.write("mark.txt", "");
    let (tell, told) = std::sync::mpsc::sync_channel(100_000);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        tell.send(event.unwrap()).unwrap();
    })
    .unwrap();
    watcher.watch(folder, RecursiveMode::NonRecursive).unwrap();
    watched.files.look_all(folder).unwrap();
    watched.passes_ms(STILL_MS);
    watched.files.look_all(folder).unwrap();
    std::fs::read(folder.join("mark.txt")).unwrap();
    assert_eq!(opened_until(&told, "mark.txt"), 1_000, "each was read once");
    for _ in 0..10 {
        assert_eq!(watched.files.look_all(folder).unwrap().0.files.len(), 1_000);
        assert_eq!(watched.look().len(), 1_000);
    }
    watched.write("end.md", "");
    assert_eq!(opened_until(&told, "end.md"), 0, "nobody has changed them");
}
