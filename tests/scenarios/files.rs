//! Files of the station: whole whatever the disk does, for their owner alone, and within their bounds.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quarterdeck_tests::small_disk::SmallDisk;
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

/// Room for a station with its databases and their backups.
const DISK_BYTES: u64 = 64 << 20;
/// Bytes of a page of memory.
const PAGE: usize = 4_096;
/// Longest time until the alarm of a full disk is there.
const ALARM_WITHIN: Duration = Duration::from_secs(2);

/// Everything below `folder` by its path from there, with its rights.
fn rights(folder: &Path) -> anyhow::Result<BTreeMap<String, u32>> {
    let mut open = vec![folder.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(at) = open.pop() {
        let metadata = std::fs::symlink_metadata(&at)?;
        let name = at.strip_prefix(folder)?.to_string_lossy().into_owned();
        if metadata.is_dir() {
            for entry in std::fs::read_dir(&at)? {
                open.push(entry?.path());
            }
        }
        let kind = if metadata.is_dir() { "/" } else { "" };
        found.insert(format!("{name}{kind}"), metadata.permissions().mode() & 0o777);
    }
    Ok(found)
}

/// Gives everything below `folder` away, as a careless program does.
fn open_up(folder: &Path) -> anyhow::Result<()> {
    for name in rights(folder)?.into_keys() {
        let mode = if name.ends_with('/') { 0o755 } else { 0o644 };
        std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// Lets the station write most kinds of its files.
async fn busy(site: &mut Site) -> anyhow::Result<()> {
    site.get("remember_note", json!({ "text": "The dog sleeps." })).await?;
    site.get("remember_note", json!({ "text": "Two dogs.", "title": "Dogs" })).await?;
    site.get("update_belief", belief("kitchen")).await?;
    site.get("set_sandbox", json!({ "on": true })).await?;
    site.say("status").await.map(drop)
}

fn belief(value: &str) -> Value {
    json!({ "subject": "cup", "predicate": "location", "value": value, "confidence": 0.9 })
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_the_station_writes_is_its_owners_alone_and_what_is_open_is_closed_at_start() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    busy(&mut site).await?;
    let mut site = site.edited(open_up).await?;
    busy(&mut site).await?;
    let found = rights(site.data_dir())?;
    for (name, mode) in &found {
        assert_eq!(*mode, if name.ends_with('/') { 0o700 } else { 0o600 }, "{name} has {mode:o}");
    }
    for kind in
        [".lock", "config.toml", "station.db-wal", "agents/main/memory.db-shm", "agents/main/sessions/desk.jsonl"]
    {
        assert!(found.contains_key(kind), "{kind}: {found:?}");
    }
    assert!(found.keys().any(|name| name.starts_with("agents/main/backups/memory-")), "{found:?}");
    let alarms = site.get("list_alarms", json!({})).await?;
    assert!(find(&alarms, "source", "files_open").is_none(), "{alarms:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_closed_to_others_is_an_alarm() -> anyhow::Result<()> {
    let test = "files::a_file_that_cannot_be_closed_to_others_is_an_alarm";
    // The manifest of the crate: a file of somebody else that everybody may read, and nobody can change here.
    let mount = |root: &Path| {
        let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").to_owned();
        vec!["--ro-bind".to_owned(), foreign, root.join("data/robots/notes.txt").display().to_string()]
    };
    let Some(disk) = SmallDisk::of(test, DISK_BYTES, mount)? else { return Ok(()) };
    let mut site = Site::start_at(&disk.root.join("data")).await?;
    let rows = site.until("list_alarms", json!({}), |rows| find(rows, "source", "files_open").is_some()).await?;
    let alarm = find(&rows, "source", "files_open").cloned().unwrap_or_default();
    assert!(alarm["message"].as_str().unwrap_or_default().contains("robots/notes.txt"), "{alarm:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn al_12_a_full_disk_is_an_alarm_within_two_seconds() -> anyhow::Result<()> {
    let test = "files::al_12_a_full_disk_is_an_alarm_within_two_seconds";
    let Some(disk) = SmallDisk::of(test, DISK_BYTES, |_| Vec::new())? else { return Ok(()) };
    let mut site = Site::start_at(&disk.root.join("data")).await?;
    let is_raised =
        |rows: &Value| find(rows, "source", "storage_low").is_some_and(|row| row["state"] == "unack_active");
    disk.fill()?;
    tokio::time::timeout(ALARM_WITHIN, site.until("list_alarms", json!({}), is_raised)).await??;
    disk.free()?;
    let is_over = |rows: &Value| !is_raised(rows);
    tokio::time::timeout(ALARM_WITHIN, site.until("list_alarms", json!({}), is_over)).await??;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn more_manifests_than_a_station_takes_are_counted_and_not_read() -> anyhow::Result<()> {
    let manifests: Value = (0..390).map(|n| (format!("robot-{n:03}"), json!("schema = 1\n"))).collect();
    let site = Site::start_with(&manifests).await?;
    let rows = site.get("list_robots", json!({})).await?;
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    assert_eq!((rows.len(), &rows[127]["id"]), (128, &json!("robot-127")));
    let events = site.get("list_events", json!({})).await?;
    let told = find(&events, "code", "too_many_robots").cloned().unwrap_or_default();
    let sentence = told["sentence"].as_str().unwrap_or_default();
    assert!(sentence.contains("390") && sentence.contains("262, from robot-128 on"), "{events:#}");
    Ok(())
}

/// One way in which a disk fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Full,
    /// Files that are open can be written, and nothing else.
    ReadOnly,
    /// Every write of bytes fails.
    NoWrite,
}

impl Fault {
    fn begin(self, disk: &SmallDisk, data: &Path) -> anyhow::Result<()> {
        match self {
            Self::Full => disk.fill(),
            Self::ReadOnly => disk.lock(data),
            Self::NoWrite => disk.refuse_writes(true),
        }
    }

    fn end(self, disk: &SmallDisk, data: &Path) -> anyhow::Result<()> {
        match self {
            Self::Full => disk.free(),
            Self::ReadOnly => disk.unlock(data),
            Self::NoWrite => disk.refuse_writes(false),
        }
    }
}

/// Operations that refuse when nothing could be written.
const CODES: &[&str] = &["config_not_written", "storage_failed", "storage_full", "agent_not_made", "audit_failed"];

/// Files that an operation writes, with the operation.
fn operations(turn: usize) -> Vec<(&'static str, &'static str, Value)> {
    let text = format!("note {turn}");
    vec![
        ("config.toml", "set_sandbox", json!({ "on": !turn.is_multiple_of(2) })),
        ("agents/main/MEMORY.md", "remember_note", json!({ "text": text })),
        ("agents/main/knowledge.md", "remember_note", json!({ "text": text, "title": "Dogs" })),
        ("agents/main/memory.db", "update_belief", belief(&text)),
    ]
}

/// Writes of what no operation writes on demand: robots, keys, exports of limits, transcripts, logs, copies.
fn carriers(data: &Path) -> Vec<(PathBuf, std::io::Result<()>)> {
    let at = |name: &str| data.join(name);
    // More than the pages that a file has already.
    let new = &[b'x'; 3 * PAGE];
    let line = files::LineFile::open(&at("recordings/old.jsonl")).and_then(|mut file| file.add_synced(new));
    let line_of_transcript =
        files::LineFile::open(&at("agents/main/sessions/chat-old.jsonl")).and_then(|mut file| file.add_synced(new));
    vec![
        (at("robots/old.txt"), files::replace(&at("robots/old.txt"), new)),
        (at("simulator/old.json"), files::replace(&at("simulator/old.json"), new)),
        (at("recordings/old.json"), files::replace(&at("recordings/old.json"), new)),
        (at("recordings/old.jsonl"), line),
        (at("agents/main/sessions/chat-old.jsonl"), line_of_transcript),
        (at("agents/main/missions/old.txt"), files::copy(&at("config.toml"), &at("agents/main/missions/old.txt"))),
        (at("simulator/new.key"), files::make(&at("simulator/new.key"), new)),
    ]
}

fn put_old_carriers(data: &Path) -> anyhow::Result<()> {
    files::make_folder(&data.join("simulator"))?;
    for (path, _) in carriers(data) {
        std::fs::write(&path, "old content\n")?;
    }
    Ok(std::fs::remove_file(data.join("simulator/new.key"))?)
}

/// A fault, and every row under it: nothing claims success, and the old content is whole.
async fn suffer(site: &Site, disk: &SmallDisk, fault: Fault, turn: usize) -> anyhow::Result<()> {
    let data = site.data_dir();
    put_old_carriers(data)?;
    let read = |name: &Path| std::fs::read(data.join(name)).ok();
    let rows = operations(turn);
    let before: Vec<_> = rows.iter().map(|(file, _, _)| read(Path::new(file))).collect();
    let held = site.get("get_belief", json!({ "subject": "cup", "predicate": "location" })).await?["value"].clone();
    fault.begin(disk, data)?;
    for ((file, operation, input), before) in rows.iter().zip(before) {
        // What is open can be written on: the databases are.
        let is_database = file.ends_with(".db");
        if is_database && fault == Fault::ReadOnly {
            continue;
        }
        let refused = site.call(operation, input.clone()).await.err();
        let refused = refused.ok_or_else(|| anyhow::anyhow!("{fault:?}: {operation} claims to have written {file}"))?;
        assert!(CODES.contains(&refused.code.as_str()), "{fault:?} {file}: {refused:?}");
        assert!(is_database || read(Path::new(file)) == before, "{fault:?}: {file} has changed");
    }
    for (path, written) in carriers(data) {
        assert!(written.is_err(), "{fault:?}: {} claims to be written", path.display());
        let expected = (!path.ends_with("simulator/new.key")).then(|| b"old content\n".to_vec());
        assert_eq!(read(&path), expected, "{fault:?}: {} has changed", path.display());
    }
    let found = rights(data)?;
    fault.end(disk, data)?;
    let is_left = |name: &&String| name.contains(".unfinished-");
    assert_eq!(found.keys().find(is_left), None, "{fault:?}");
    let shown = site.get("get_belief", json!({ "subject": "cup", "predicate": "location" })).await?["value"].clone();
    assert!(shown == held, "{fault:?}: {shown} is not {held}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_whatever_the_disk_does_old_content_is_whole_and_nothing_claims_success() -> anyhow::Result<()> {
    let test = "files::f26_whatever_the_disk_does_old_content_is_whole_and_nothing_claims_success";
    let Some(disk) = SmallDisk::of(test, DISK_BYTES, |_| Vec::new())? else { return Ok(()) };
    let mut site = Site::start_at(&disk.root.join("data")).await?;
    busy(&mut site).await?;
    for (turn, fault) in [Fault::Full, Fault::ReadOnly, Fault::NoWrite].into_iter().enumerate() {
        suffer(&site, &disk, fault, 2 * turn).await?;
        // What was refused works again, and is there after a restart.
        for (_, operation, input) in operations(2 * turn + 1) {
            site.until_ok(operation, input).await?;
        }
    }
    let site = site.restart_empty().await?;
    let held = site.get("get_belief", json!({ "subject": "cup", "predicate": "location" })).await?;
    assert_eq!(held["value"], "note 5");
    let notes = site.get("list_notes", json!({})).await?.to_string();
    assert!(notes.contains("note 5") && !notes.contains("note 4"), "{notes}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_every_file_of_the_station_has_its_row_in_the_table() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.say("status").await?;
    site.get("remember_note", json!({ "text": "The dog sleeps." })).await?;
    let table = include_str!("../../docs/files.md");
    let rows: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let found = rights(site.data_dir())?;
    let without: Vec<&String> = found
        .keys()
        .filter(|name| !name.ends_with('/') && !name.contains(".unfinished-"))
        .filter(|name| !rows.iter().any(|row| fits(row, name)))
        .collect();
    assert!(without.is_empty(), "docs/files.md has no row for {without:?}");
    Ok(())
}

/// True if `name` is what `row` says, where `<word>` stands for any part of a name.
fn fits(row: &str, name: &str) -> bool {
    let (parts, names): (Vec<&str>, Vec<&str>) = (row.split('/').collect(), name.split('/').collect());
    parts.len() == names.len() && parts.iter().zip(names).all(|(part, name)| part_fits(part, name))
}

fn part_fits(part: &str, name: &str) -> bool {
    let Some((before, rest)) = part.split_once('<') else { return part == name };
    let after = rest.split_once('>').map_or("", |(_, after)| after);
    name.len() > before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
}
