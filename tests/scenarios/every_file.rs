//! Every file of the table in `docs/files.md` on a disk that fails in every way: what writes it, and what it promises.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use bridge::robot_gate::{GateFile, GateMemory, GateStore as _};
use memory::AgentDb;
use quarterdeck_tests::small_disk::SmallDisk;
use quarterdeck_tests::station_files::contents;
use quarterdeck_tests::{Site, arm_goal, find};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::files::{DISK_BYTES, fits, table};

/// Bytes of a page of memory.
const PAGE: usize = 4_096;
/// More than the pages that a file has already.
const NEW: &[u8] = &[b'x'; 3 * PAGE];
/// The content of a file before the disk fails.
const OLD: &str = "old content\n";
/// The codes with which an operation refuses when nothing was written.
const CODES: &[&str] =
    &["audit_failed", "audit_full", "audit_slow", "config_not_written", "storage_failed", "storage_full"];
/// A part of the name of a file that somebody is writing.
const UNFINISHED: &str = ".unfinished-";
/// Databases of nobody, for what is done about damage and for copies.
const DAMAGED: &str = "spare/damaged/memory.db";
const COPIED: &str = "spare/copied/memory.db";

/// The writer of a file of one row.
enum Writer {
    /// An operation that is given a word, and the one that shows it once it was written.
    Operation(&'static str, fn(&str) -> Value, &'static str),
    /// A call of an operation, a task or the simulator, on a file of this name.
    Call(&'static str, for<'a> fn(&'a Scene, PathBuf) -> Called<'a>),
    /// The writer of that row's file.
    With(&'static str),
    /// Only people, or the system.
    Nobody,
}

type Called<'a> = Pin<Box<dyn Future<Output = anyhow::Result<()>> + 'a>>;

/// The rows of the table, each with what writes it.
const ROWS: &[(&str, Writer)] = &[
    (".lock", Writer::Call("fresh/.lock", start)),
    ("config.toml", Writer::Operation("set_provider", provider, "list_providers")),
    ("config.toml.kept", Writer::With("config.toml")),
    ("station.db", Writer::Operation("register_constraint", constraint, "list_constraints")),
    ("station.db-wal", Writer::With("station.db")),
    ("station.db-shm", Writer::With("station.db")),
    ("audit.mark", Writer::With("station.db")),
    ("remote-stations.json", Writer::Call("remote-stations.json", replace)),
    ("robots/<robot>.toml", Writer::Call("robots/old.toml", replace)),
    ("robots/<robot>.toml.removed", Writer::With("robots/<robot>.toml")),
    ("robots/<robot>.urdf", Writer::Call("robots/old.urdf", replace)),
    ("recordings/<robot>/<record>.jsonl", Writer::Call("recordings/old/old.jsonl", add)),
    ("recordings/<robot>/set-<version>.json", Writer::Call("recordings/old/set-9.json", replace)),
    ("simulator/<robot>.key", Writer::Call("simulator/new.key", make)),
    ("simulator/<robot>.json", Writer::Call("simulator/old.json", save_gate)),
    ("agents/<agent>/memory.db", Writer::Operation("update_belief", belief, "list_beliefs")),
    ("agents/<agent>/memory.db-wal", Writer::With("agents/<agent>/memory.db")),
    ("agents/<agent>/memory.db-shm", Writer::With("agents/<agent>/memory.db")),
    ("agents/<agent>/memory.db.damaged-<time>", Writer::Call(DAMAGED, restore)),
    ("agents/<agent>/backups/memory-<day>.db", Writer::Call("spare/copied/backups/memory-1970-01-01.db", back_up)),
    ("agents/<agent>/memory/<day>.jsonl", Writer::Call("agents/main/memory/1999-01-01.jsonl", add)),
    ("agents/<agent>/sessions/<conversation>.jsonl", Writer::Operation("send_message", said, "get_transcript")),
    (
        "agents/<agent>/sessions/<conversation>.out/<number>.txt",
        Writer::Call("agents/main/sessions/old.out/1.txt", make),
    ),
    (
        "agents/<agent>/sessions/<conversation>.out/<number>.trust",
        Writer::Call("agents/main/sessions/old.out/1.trust", make),
    ),
    ("agents/<agent>/sessions/<conversation>.cell/<file>", Writer::Call("agents/main/sessions/old.cell/f", make)),
    ("agents/<agent>/missions/<mission>.md", Writer::Operation("save_mission", mission, "list_missions")),
    ("agents/<agent>/missions/.trash/<time>-<mission>.md", Writer::With("agents/<agent>/missions/<mission>.md")),
    ("agents/<agent>/missions/.layout.json", Writer::Call("agents/main/missions/.layout.json", replace)),
    ("agents/<agent>/MEMORY.md", Writer::Operation("remember_note", note, "list_notes")),
    ("agents/<agent>/knowledge.md", Writer::Operation("remember_note", titled_note, "list_notes")),
    ("agents/<agent>/soul/identity.md", Writer::Nobody),
];

fn provider(word: &str) -> Value {
    json!({ "id": word, "kind": "openai_compatible", "base": "http://127.0.0.1:9", "local": true, "models": ["m-1"] })
}

fn constraint(word: &str) -> Value {
    let number: String = word.chars().filter(char::is_ascii_digit).collect();
    json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": format!("0.4{number}7") })
}

fn belief(word: &str) -> Value {
    json!({ "subject": word, "predicate": "location", "value": "kitchen", "confidence": 0.9 })
}

fn mission(word: &str) -> Value {
    json!({ "mission_id": word, "source": "Look at the dock.\n" })
}

fn said(word: &str) -> Value {
    json!({ "text": format!("{word} {}", "a long story ".repeat(PAGE / 8)) })
}

fn note(word: &str) -> Value {
    json!({ "text": word })
}

fn titled_note(word: &str) -> Value {
    json!({ "text": word, "title": format!("Dogs of {word}") })
}

fn start(scene: &Scene, _: PathBuf) -> Called<'_> {
    Box::pin(async { Site::start_beside(&scene.site.data_dir().join("fresh")).await.map(drop) })
}

fn replace(_: &Scene, path: PathBuf) -> Called<'_> {
    Box::pin(async move { Ok(files::replace(&path, NEW)?) })
}

fn make(_: &Scene, path: PathBuf) -> Called<'_> {
    Box::pin(async move { Ok(files::make(&path, NEW)?) })
}

fn add(_: &Scene, path: PathBuf) -> Called<'_> {
    Box::pin(async move { Ok(files::LineFile::open(&path)?.add_synced(NEW)?) })
}

fn save_gate(_: &Scene, path: PathBuf) -> Called<'_> {
    Box::pin(async move { Ok(GateFile::new(path).save(&GateMemory::default())?) })
}

fn restore(_: &Scene, path: PathBuf) -> Called<'_> {
    Box::pin(async move { Ok(AgentDb::open_or_restore(&path, 1).await.map(drop)?) })
}

fn back_up(scene: &Scene, _: PathBuf) -> Called<'_> {
    Box::pin(async { Ok(scene.copied.back_up(1).await.map(drop)?) })
}

/// One way in which a disk fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Full,
    /// Files that are open can be written, and nothing else.
    ReadOnly,
    /// The same for want of rights.
    NoPermission,
    /// Every write of bytes of this process fails; the simulator's do not.
    NoWrite,
    /// The databases take nothing for a while: somebody else holds them.
    Slow,
}

impl Fault {
    const ALL: [Self; 5] = [Self::Full, Self::ReadOnly, Self::NoPermission, Self::NoWrite, Self::Slow];

    async fn begin(self, disk: &SmallDisk, data: &Path) -> anyhow::Result<Vec<SqliteConnection>> {
        match self {
            Self::Full => disk.fill()?,
            Self::ReadOnly => disk.lock(data)?,
            Self::NoPermission => disk.forbid(data)?,
            Self::NoWrite => disk.refuse_writes(true)?,
            Self::Slow => return held(data).await,
        }
        Ok(Vec::new())
    }

    async fn end(self, disk: &SmallDisk, data: &Path, held: Vec<SqliteConnection>) -> anyhow::Result<()> {
        match self {
            Self::Full => disk.free()?,
            Self::ReadOnly => disk.unlock(data)?,
            Self::NoPermission => disk.permit(data)?,
            Self::NoWrite => disk.refuse_writes(false)?,
            Self::Slow => {}
        }
        for mut connection in held {
            sqlx::query("ROLLBACK").execute(&mut connection).await?;
            connection.close().await?;
        }
        Ok(())
    }

    /// The notice to people while it lasts: an alarm, or an event.
    fn told(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            Self::Full => Some(("list_alarms", "source", "storage_low")),
            Self::ReadOnly | Self::NoPermission => Some(("list_alarms", "source", "storage_unwritable")),
            Self::NoWrite => Some(("list_events", "code", "recordings_lost")),
            // Each caller gets an answer. Nothing is lost.
            Self::Slow => None,
        }
    }
}

/// Holds the databases of the station, so that nobody else writes them.
async fn held(data: &Path) -> anyhow::Result<Vec<SqliteConnection>> {
    let mut held = Vec::new();
    for name in ["station.db", "agents/main/memory.db"] {
        let options = SqliteConnectOptions::new().filename(data.join(name));
        let mut connection = SqliteConnection::connect_with(&options).await?;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await?;
        held.push(connection);
    }
    Ok(held)
}

/// A station with a robot, on a small disk.
struct Scene {
    site: Site,
    disk: SmallDisk,
    copied: AgentDb,
}

/// An operation that was called while the disk failed, and whether it was answered as done.
struct Asked {
    fault: Fault,
    operation: &'static str,
    word: String,
    shown_by: &'static str,
    is_done: bool,
}

impl Asked {
    /// The text by which it is found where it is shown.
    fn trace(&self) -> String {
        if self.shown_by != "list_constraints" {
            return self.word.clone();
        }
        constraint(&self.word)["params_json"].as_str().unwrap_or_default().to_owned()
    }
}

impl Scene {
    /// A station that has written what it writes, and beside that a file of each other row.
    async fn set(disk: SmallDisk) -> anyhow::Result<Self> {
        let data = disk.root.join("data");
        let mut site = Site::start_with_sim_at(&data).await?;
        for (_, writer) in ROWS {
            match writer {
                Writer::Operation(operation, input, _) => drop(site.until_ok(operation, input("w0w")).await?),
                Writer::Call(..) | Writer::With(_) | Writer::Nobody => {}
            }
        }
        site.get("send_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
        for folder in ["spare/damaged", "spare/copied", "recordings/old", "fresh"] {
            files::make_folder(&data.join(folder))?;
        }
        for folder in ["old.out", "old.cell"] {
            files::make_folder(&data.join("agents/main/sessions").join(folder))?;
        }
        let copied = AgentDb::open(&data.join(COPIED)).await?;
        copied.back_up(1).await?;
        let damaged = AgentDb::open(&data.join(DAMAGED)).await?;
        damaged.back_up(1).await?;
        damaged.close().await;
        files::make_folder(&data.join("agents/main/soul"))?;
        std::fs::write(data.join("agents/main/soul/identity.md"), "You are calm.\n")?;
        Ok(Self { site, disk, copied })
    }

    fn data(&self) -> &Path {
        self.site.data_dir()
    }

    /// Puts old content where nothing of the station lies.
    fn put_old(&self) -> anyhow::Result<()> {
        for (_, writer) in ROWS {
            let Writer::Call(name, _) = writer else { continue };
            let is_new = ["simulator/new.key", ".out/", ".cell/", "new.md"].iter().any(|new| name.contains(new));
            let is_database = name.ends_with(".db") && !name.contains("damaged");
            if !is_new && !is_database {
                std::fs::write(self.data().join(name), OLD)?;
            }
        }
        Ok(())
    }

    /// Lets every row write under `fault`, and checks that nothing claims a success it did not have.
    async fn suffer(&mut self, fault: Fault, turn: usize) -> anyhow::Result<Vec<Asked>> {
        self.put_old()?;
        let data = self.data().to_owned();
        let held = fault.begin(&self.disk, &data).await?;
        // Writes of the station and the simulator by themselves go on up to here.
        let before = contents(&data)?;
        let mut unfinished = Vec::new();
        let pressed = self.site.get("stop_all", json!({ "reason": format!("{fault:?}") })).await?;
        assert_eq!(pressed["robots"].as_array().map(Vec::len), Some(4), "{fault:?}: {pressed:#}");
        // After the stop, because that also ends the turns which people have begun.
        let asked = self.ask(fault, turn).await?;
        self.site.get("send_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
        if fault != Fault::Slow {
            self.call(fault, &before).await?;
            unfinished = unchanged(fault, &before, &contents(&data)?);
        }
        if let Some((operation, field, named)) = fault.told() {
            self.site.until(operation, json!({}), |rows| find(rows, field, named).is_some()).await?;
        }
        fault.end(&self.disk, &data, held).await?;
        self.site.until_ok("update_belief", belief(&format!("after-{turn}"))).await?;
        let are_saved = |status: &Value| {
            status["stops"].as_array().is_some_and(|stops| stops.iter().all(|stop| stop["latch_saved"] == true))
        };
        self.site.until("safety_status", json!({}), are_saved).await?;
        for done in asked.iter().filter(|asked| asked.is_done) {
            self.site.until(done.shown_by, json!({}), |shown| shown.to_string().contains(&done.trace())).await?;
        }
        self.site.until("get_transcript", json!({}), |page| page["running"].is_null()).await?;
        let after = contents(&data)?;
        let left = unfinished.into_iter().find(|name| after.contains_key(name));
        assert_eq!(left, None, "{fault:?}");
        Ok(asked)
    }

    async fn ask(&self, fault: Fault, turn: usize) -> anyhow::Result<Vec<Asked>> {
        let mut asked = Vec::new();
        for (row, (_, writer)) in ROWS.iter().enumerate() {
            let Writer::Operation(operation, input, shown_by) = writer else { continue };
            let word = format!("w{turn}x{row}w");
            let answer = self.site.call(operation, input(&word)).await;
            if let Err(refused) = &answer {
                assert!(CODES.contains(&refused.code.as_str()), "{fault:?} {operation}: {refused:?}");
            }
            asked.push(Asked { fault, operation, word, shown_by, is_done: answer.is_ok() });
        }
        if fault == Fault::Full || fault == Fault::NoWrite {
            let done: Vec<_> = asked.iter().filter(|asked| asked.is_done).map(|asked| asked.operation).collect();
            assert!(done.is_empty(), "{fault:?}: {done:?} claim to have written");
        }
        Ok(asked)
    }

    async fn call(&self, fault: Fault, before: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
        for (_, writer) in ROWS {
            let Writer::Call(name, write) = writer else { continue };
            let written = write(self, self.data().join(name)).await;
            assert!(written.is_err(), "{fault:?}: {name} claims to be written");
            let after = std::fs::read(self.data().join(name)).ok();
            let is_aside = *name == DAMAGED && after.is_none();
            assert!(is_aside || after.as_ref() == before.get(*name), "{fault:?}: {name} has changed");
        }
        // A database that was set aside is where it was set, and the next start finds the copy.
        let kept = contents(self.data())?.into_iter().filter(|(name, _)| name.starts_with(DAMAGED));
        assert!(kept.into_iter().any(|(_, bytes)| bytes == OLD.as_bytes()), "{fault:?}");
        Ok(())
    }
}

/// The promise of the row in the table that is about the file `name`.
fn promise(name: &str) -> Option<&'static str> {
    let row = table().into_iter().find(|row| fits(row, name))?;
    let text = include_str!("../../docs/files.md");
    let line = text.lines().find(|line| line.starts_with(&format!("| `{row}` |")))?;
    line.split('|').nth(3).map(str::trim)
}

/// That every file has kept what the table promises for it. Gives what is half written: it must not stay.
fn unchanged(fault: Fault, before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    for (name, old) in before {
        if name.contains(UNFINISHED) {
            continue;
        }
        let new = after.get(name);
        // Messages to the simulator go on: its process is not the one whose writes fail.
        if fault == Fault::NoWrite && name.starts_with("simulator/") {
            continue;
        }
        match promise(name) {
            Some("rows" | "as found") | None => {}
            Some("lines") => {
                assert!(new.is_some_and(|new| new.starts_with(old)), "{fault:?}: lines of {name} are gone");
            }
            Some(_) => assert!(new == Some(old), "{fault:?}: {name} has changed"),
        }
    }
    after.keys().filter(|name| name.contains(UNFINISHED)).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_every_file_keeps_its_promise_on_a_disk_that_fails_in_every_way() -> anyhow::Result<()> {
    let test = "every_file::f26_every_file_keeps_its_promise_on_a_disk_that_fails_in_every_way";
    let Some(disk) = SmallDisk::of(test, DISK_BYTES, |_| Vec::new())? else { return Ok(()) };
    let mut scene = Scene::set(disk).await?;
    let mut asked = Vec::new();
    for (turn, fault) in Fault::ALL.into_iter().enumerate() {
        asked.extend(scene.suffer(fault, turn + 1).await?);
    }
    let Scene { site, disk: _disk, copied } = scene;
    copied.close().await;
    let mut site = site.restart().await?;
    for asked in asked.iter().filter(|asked| asked.is_done) {
        site.until(asked.shown_by, json!({}), |shown| shown.to_string().contains(&asked.trace())).await?;
    }
    for asked in asked.iter().filter(|asked| !asked.is_done) {
        let shown = site.get(asked.shown_by, json!({})).await?.to_string();
        let Asked { fault, operation, .. } = asked;
        assert!(!shown.contains(&asked.trace()), "{fault:?} {operation} was refused, and is there: {shown}");
    }
    let status = site.get("safety_status", json!({})).await?;
    // Every further press is the same stop while it is open; robots whose gate cannot write confirm late, and their
    // supervision stops them once more.
    let pressed = status["stops"].as_array().into_iter().flatten().filter(|stop| stop["by"] != "supervision").count();
    assert_eq!((&status["stopped"], pressed), (&json!(true), 1), "{status:#}");
    let (_, restored) = AgentDb::open_or_restore(&site.data_dir().join(DAMAGED), 1).await?;
    assert!(restored.is_none_or(|restored| restored.backup_ms.is_some()), "the copy is not passed over");
    Ok(())
}

#[test]
fn f26_every_row_of_the_table_is_tried_on_a_failing_disk() {
    let tried: Vec<_> = ROWS.iter().map(|(row, _)| *row).collect();
    assert_eq!(tried, table(), "docs/files.md and the rows of this test differ");
    for (row, writer) in ROWS {
        if let Writer::With(other) = writer {
            assert!(tried.contains(other), "{row}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_a_simulator_that_the_disk_does_not_let_start_is_refused_and_starts_later() -> anyhow::Result<()> {
    let test = "every_file::f26_a_simulator_that_the_disk_does_not_let_start_is_refused_and_starts_later";
    let Some(disk) = SmallDisk::of(test, DISK_BYTES, |_| Vec::new())? else { return Ok(()) };
    let mut site = Site::start_at(&disk.root.join("data")).await?;
    let data = site.data_dir().to_owned();
    for fault in [Fault::Full, Fault::ReadOnly, Fault::NoPermission] {
        let held = fault.begin(&disk, &data).await?;
        let refused = site.refused("start_simulator", json!({})).await?;
        assert!(refused == "simulator_failed" || CODES.contains(&refused.as_str()), "{fault:?}: {refused}");
        fault.end(&disk, &data, held).await?;
        let names = contents(&data)?;
        // A simulator that had room may keep its keys; nobody has its robots or its missions by halves.
        let made: Vec<_> = names
            .keys()
            .filter(|name| name.starts_with("robots/") || name.ends_with(".md") || name.contains(UNFINISHED))
            .collect();
        assert!(made.is_empty(), "{fault:?}: {made:?}");
    }
    site.until_ok("start_simulator", json!({})).await?;
    site.until_robot("arm-1", |row| row["link"] == "live").await.map(drop)
}
