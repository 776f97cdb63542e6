//! Files of the station: whole whatever the disk does, for their owner alone, and within their bounds.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use quarterdeck_tests::small_disk::SmallDisk;
use quarterdeck_tests::station_files::{MARK_FILE, copy_all, settled};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::arriving::Lag;

/// Room for a station with its databases and their backups.
pub(crate) const DISK_BYTES: u64 = 64 << 20;
/// Longest time until the alarm of a full disk is there.
const ALARM_WITHIN: Duration = Duration::from_secs(2);

/// Everything below `folder` by its path from there, with its rights.
fn rights(folder: &Path) -> anyhow::Result<BTreeMap<String, u32>> {
    Ok(settled(folder, look_at_rights)?)
}

fn look_at_rights(folder: &Path) -> std::io::Result<BTreeMap<String, u32>> {
    let mut open = vec![folder.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(at) = open.pop() {
        let metadata = std::fs::symlink_metadata(&at)?;
        let name = at.strip_prefix(folder).unwrap_or(&at).to_string_lossy().into_owned();
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
    let lag = Lag::watch(&site);
    let is_raised =
        |rows: &Value| find(rows, "source", "storage_low").is_some_and(|row| row["state"] == "unack_active");
    disk.fill()?;
    let raised_in = took(&mut site, is_raised).await?;
    disk.free()?;
    let over_in = took(&mut site, |rows| !is_raised(rows)).await?;
    // What this process waits for its turn comes on top: of the look, of the alarm and of this test.
    let lag_ms = lag.longest_ms();
    let within = ALARM_WITHIN + 5 * Duration::from_millis(lag_ms);
    assert!(raised_in <= within && over_in <= within, "{raised_in:?} and {over_in:?}, at a lag of {lag_ms} ms");
    Ok(())
}

/// The time until the alarms are as `holds` says.
async fn took(site: &mut Site, holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Duration> {
    let began = tokio::time::Instant::now();
    site.until("list_alarms", json!({}), holds).await?;
    Ok(began.elapsed())
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

#[tokio::test(flavor = "multi_thread")]
async fn files_stay_private_where_the_data_directory_is_a_link() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (data, link) = (folder.path().join("data"), folder.path().join("link"));
    std::fs::create_dir(&data)?;
    std::os::unix::fs::symlink(&data, &link)?;
    let site = Site::start_at(&link).await?;
    site.api.shutdown().await;
    open_up(&data)?;
    let site = Site::start_at(&link).await?;
    let found = rights(&data)?;
    let open: Vec<_> = found.iter().filter(|(_, mode)| **mode & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    site.api.shutdown().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_what_a_killed_run_has_left_unfinished_is_removed_at_start_and_told() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let folders = ["", "robots", "recordings", "agents/main", "agents/main/sessions", "agents/main/backups"];
    let left = |folder: &Path| folders.map(|name| folder.join(name).join(".unfinished-Ab12Cd"));
    let leave = |folder: &Path| -> anyhow::Result<()> {
        left(folder).iter().try_for_each(|path| Ok(std::fs::write(path, "half of some")?))
    };
    let site = site.edited(leave).await?;
    let there: Vec<_> = left(site.data_dir()).into_iter().filter(|path| path.exists()).collect();
    assert!(there.is_empty(), "{there:?}");
    let events = site.get("list_events", json!({})).await?;
    let told = find(&events, "code", "unfinished_removed").cloned().unwrap_or_default();
    let sentence = told["sentence"].as_str().unwrap_or_default();
    assert!(sentence.contains("6 unfinished files") && sentence.contains("agents/main/backups"), "{events:#}");
    Ok(())
}

/// Moves `name` away and leaves a link to it in its place.
fn link_away(data: &Path, outside: &Path, name: &str) -> anyhow::Result<()> {
    let (place, target) = (data.join(name), outside.join(name.replace('/', "-")));
    if std::fs::rename(&place, &target).is_err() {
        std::fs::write(&target, "theirs")?;
    }
    Ok(std::os::unix::fs::symlink(target, place)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_a_station_does_not_start_through_a_link_and_names_it() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    for name in [
        ".lock",
        "config.toml",
        "station.db",
        "station.db-wal",
        "station.db-shm",
        "robots",
        "recordings",
        "agents/main/memory.db",
        "agents/main/memory.db-wal",
        "agents/main/memory.db-shm",
        "agents/main/sessions",
    ] {
        let (outside, kept) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let refused = site.edited(|folder| {
            copy_all(folder, kept.path())?;
            link_away(folder, outside.path(), name)
        });
        let error = refused.await.err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(error.contains(name), "{name}: {error:?}");
        site = Site::start_from(kept).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_a_link_in_the_place_of_the_mark_or_the_backups_is_found_and_leads_nowhere() -> anyhow::Result<()> {
    let outside = tempfile::tempdir()?;
    let theirs = tempfile::tempdir()?;
    let mut site = Site::start_empty()
        .await?
        .edited(|folder| {
            link_away(folder, outside.path(), MARK_FILE)?;
            let backups = folder.join("agents/main/backups");
            std::fs::rename(&backups, folder.join("agents/main/older"))?;
            Ok(std::os::unix::fs::symlink(theirs.path(), backups)?)
        })
        .await?;
    let mark = std::fs::read(outside.path().join(MARK_FILE))?;
    site.until("list_alarms", json!({}), |rows| find(rows, "source", "audit_chain_broken").is_some()).await?;
    site.get("update_belief", belief("kitchen")).await?;
    site.api.shutdown().await;
    assert_eq!(std::fs::read(outside.path().join(MARK_FILE))?, mark);
    assert_eq!(std::fs::read_dir(theirs.path())?.count(), 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_every_file_of_the_station_has_its_row_in_the_table() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    busy(&mut site).await?;
    let rows = table();
    let found = rights(site.data_dir())?;
    let without: Vec<&String> = found
        .keys()
        .filter(|name| !name.ends_with('/') && !name.contains(".unfinished-"))
        .filter(|name| !rows.iter().any(|row| fits(row, name)))
        .collect();
    assert!(without.is_empty(), "docs/files.md has no row for {without:?}");
    Ok(())
}

/// The names in the table of files.
pub(crate) fn table() -> Vec<&'static str> {
    let table = include_str!("../../docs/files.md");
    table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// True if `name` is what `row` says, where `<word>` stands for any part of a name.
pub(crate) fn fits(row: &str, name: &str) -> bool {
    let (parts, names): (Vec<&str>, Vec<&str>) = (row.split('/').collect(), name.split('/').collect());
    parts.len() == names.len() && parts.iter().zip(names).all(|(part, name)| part_fits(part, name))
}

fn part_fits(part: &str, name: &str) -> bool {
    let Some((before, rest)) = part.split_once('<') else { return part == name };
    let after = rest.split_once('>').map_or("", |(_, after)| after);
    name.len() > before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
}
