//! Ends a real station at every point between two effects that must not come apart, starts it again on the same data,
//! and checks that it knows what it must and does nothing twice.

mod locked;
mod mission;
mod served;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::{Value, json};

use served::Served;

/// The crash points of `runtime::crash`.
const POINTS: [&str; 28] = [
    "command",
    "sent",
    "lease_epoch",
    "latch",
    "lockout",
    "audit",
    "audit_mark",
    "approval",
    "dispatch",
    "turn_said",
    "turn_steer",
    "turn_begin",
    "turn_end",
    "append_user",
    "append_volatile",
    "append_assistant",
    "append_result",
    "append_marker",
    "set_change",
    "forget_intent",
    "forget_files",
    "forget_rows",
    "forget_backups",
    "forget_tombstone",
    "mission_bind",
    "mission_save",
    "mission_dispatch",
    "mission_end",
];
/// A simulator ends within so many looks at the folder of its station.
const REMOVALS_MAX: u32 = 100;
const REMOVAL_EVERY: Duration = Duration::from_millis(100);
/// Runs at once: each mostly waits for its robots.
const AT_ONCE: usize = 3;
/// The most passages of a point that are let through before the end.
const PASSAGES: usize = 3;
/// Words that ask the agent for a motion, so that there is something to approve.
const ASKED: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

/// Words to the turn that waits for the approval.
const STEERED: &str = "missions draft";

/// Words to be forgotten; the station ends in the middle of that.
const SECRET: &str = "the vault opens with 4711-quartz";

/// Runs each point whose name begins with `prefix` once, and goes on with later passages of the points until `runs` runs
/// are done.
pub fn run(root: &Path, runs: usize, prefix: &str) -> anyhow::Result<()> {
    let points: Vec<&str> = POINTS.into_iter().filter(|point| point.starts_with(prefix)).collect();
    ensure!(!points.is_empty(), "no point begins with {prefix}");
    let build = ["build", "--workspace", "--bin", "quarterdeck-server", "--features", "server/failpoints"];
    ensure!(Command::new("cargo").args(build).current_dir(root).status()?.success(), "the server does not build");
    let bin = std::env::current_exe()?.parent().context("this program lies in a folder")?.to_owned();
    let (next, runs) = (AtomicUsize::new(0), runs.max(points.len()));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(|| work(&bin, &points, &next, runs))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a run panicked"))?)
    })?;
    println!("{runs} crashes, every start right");
    Ok(())
}

/// Takes one run after the other. A run that fails takes all the rest, so that no worker begins another.
fn work(bin: &Path, points: &[&str], next: &AtomicUsize, runs: usize) -> anyhow::Result<()> {
    loop {
        let run = next.fetch_add(1, Ordering::Relaxed);
        if run >= runs {
            return Ok(());
        }
        let (point, passage) = (points[run % points.len()], run / points.len() % PASSAGES);
        println!("crash {run}: {point}, passage {passage}");
        if let Err(error) = once(bin, point, passage) {
            next.store(runs, Ordering::Relaxed);
            return Err(error.context(format!("crash at {point}, passage {passage}")));
        }
    }
}

/// Answers of the station before it ended.
#[derive(Debug, Default)]
struct Said {
    /// A stop of every robot was answered as saved, and not released.
    latched: bool,
    /// The arm was shown as locked.
    locked: bool,
    /// A registered limit.
    limit: Option<String>,
    /// Commands that were answered.
    commands: BTreeSet<String>,
    /// A person's words that were acknowledged.
    words: Vec<&'static str>,
    /// Something was asked to be forgotten.
    forget_asked: bool,
    /// It was answered as forgotten.
    forgotten: bool,
    /// The mission.
    mission: mission::Said,
}

fn once(bin: &Path, point: &str, passage: usize) -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join(format!("quarterdeck-crash-{}-{point}-{passage}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        folder.join("config.toml"),
        "[zenoh]\nlisten = [\"tcp/127.0.0.1:0\"]\n[secrets]\nstore = \"environment\"\n",
    )?;
    let mut said = Said::default();
    // Lets the point pass so many times, and ends the process there the next time.
    let failpoints = format!("{point}={passage}*off->return");
    if let Ok(mut station) = Served::start(bin, &folder, Some(&failpoints)) {
        // It ends somewhere in here; how far it came is in `said`.
        let driven = match point.starts_with("mission_") {
            true => mission::drive(&mut station, &mut said.mission),
            false => drive(&mut station, &mut said),
        };
        match driven {
            Ok(()) => println!("  {point} was passed fewer times; killed at the end"),
            // A failure on a station that lives is a fault of the run, not the crash that was asked for.
            Err(error) => ensure!(station.has_ended()?, "the station lives, but {error:#}"),
        }
        station.kill()?;
    }
    let mut station = Served::start(bin, &folder, None)?;
    check(&mut station, &said).with_context(|| format!("data in {}", folder.display()))?;
    let left = holders(&folder)?;
    // Once the intent is on disk, the next start finishes the forgetting.
    let is_forgotten = said.forgotten || said.forget_asked && point.starts_with("forget_");
    ensure!(!is_forgotten || left.is_empty(), "what was to be forgotten is in {left:?}");
    station.kill()?;
    remove(&folder)
}

/// Removes the folder of a run. Its simulator ends by itself after the station, and keeps its robots' stops until then.
fn remove(folder: &Path) -> anyhow::Result<()> {
    for _ in 0..REMOVALS_MAX {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => std::thread::sleep(REMOVAL_EVERY),
            removed => return Ok(removed?),
        }
    }
    bail!("somebody still writes into {}", folder.display())
}

/// A limit, a motion of a person, one of the agent, a stop, its release, and all again; at last a lock.
fn drive(station: &mut Served, said: &mut Said) -> anyhow::Result<()> {
    for _ in 0..2 {
        let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.5" });
        said.limit = station.call("register_constraint", &limit)?["id"].as_str().map(str::to_owned);
        station.until("safety_status", |status| robot(status, "arm-1")["arming_problem"].is_null())?;
        station.call_until_done("arm_robot", &json!({ "robot": "arm-1" }))?;
        let goal = json!({ "position_m": [0.4, 0.0, 0.9], "speed_mps": 0.2 });
        let command = json!({ "robot": "arm-1", "actuator": "arm", "motion": { "pose_goal": goal } });
        let sent = station.call("send_command", &command)?;
        said.commands.extend(sent["command_id"].as_str().map(str::to_owned));
        // While the arm carries out the person's motion, the agent's would be denied.
        station.until("list_locks", |rows| rows.as_array().is_some_and(|rows| rows.iter().all(is_free)))?;
        forget(station, said)?;
        let sent = station.call("send_message", &json!({ "text": ASKED }))?;
        said.words.push(ASKED);
        let waiting = station.until("list_proposals", |rows| rows[0]["state"] == "waiting")?;
        let shown = &waiting[0];
        let approved = json!({ "id": shown["id"], "version": shown["version"], "action_hash": shown["action_hash"] });
        station.call("approve_proposal", &approved)?;
        // The turn may be over by now, and then takes no more words.
        let steer = json!({ "turn": sent["turn"], "text": STEERED });
        if station.call("turn_steer", &steer).is_ok() {
            said.words.push(STEERED);
        }
        let stopped = station.call("stop_all", &json!({}))?;
        said.latched = stopped["latch_saved"] == true;
        station.until("safety_status", |status| {
            let rows = status["stops"][0]["robots"].as_array();
            rows.is_some_and(|rows| rows.iter().all(|row| row["standstill"] == true))
        })?;
        let release = json!({ "stop_ids": [stopped["stop_id"]], "robots": stopped["robots"], "reason": "a test" });
        said.latched = false;
        // A robot that was told to stop may still be measured to move a little.
        station.call_until_done("release_stop", &release)?;
    }
    locked::lock_out(station)?;
    said.locked = true;
    Ok(())
}

/// Says something and has it forgotten.
fn forget(station: &mut Served, said: &mut Said) -> anyhow::Result<()> {
    (said.forget_asked, said.forgotten) = (false, false);
    station.call("send_message", &json!({ "text": SECRET }))?;
    let search = json!({ "query": "quartz", "role": "user" });
    station.until_with("memory_search", &search, |found| found["items"][0].is_object())?;
    said.forget_asked = true;
    station.call("memory_forget", &json!({ "query": "quartz", "reason": "a test" }))?;
    said.forgotten = true;
    Ok(())
}

/// The files below `folder` that hold what was to be forgotten.
fn holders(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(holders(&path)?);
        } else if std::fs::read(&path)?.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    Ok(found)
}

fn check(station: &mut Served, said: &Said) -> anyhow::Result<()> {
    let status = station.call("safety_status", &json!({}))?;
    for row in status["robots"].as_array().into_iter().flatten() {
        let state = row["state"].as_str().unwrap_or_default();
        let is_arm = row["robot"] == "arm-1";
        let is_locked = is_arm && state == "lockout";
        ensure!(is_locked || ["disarmed", "safe_stop"].contains(&state), "{} is {state} after a start", row["robot"]);
        ensure!(is_locked || !is_arm || !said.locked, "the lock is gone: {row:#}");
        let causes: Vec<&Value> = row["causes"].as_array().into_iter().flatten().collect();
        ensure!(!causes.iter().any(|row| row["cause"] == "set_tampered"), "a crash looks like an edit: {row:#}");
    }
    ensure!(!said.latched || status["stopped"] == true, "the latch is gone: {status:#}");
    let limits = station.call("list_constraints", &json!({ "robot": "arm-1" }))?;
    let has = |id: &String| limits.as_array().is_some_and(|rows| rows.iter().any(|row| row["id"] == **id));
    ensure!(said.limit.as_ref().is_none_or(has), "an answered limit is gone: {limits:#}");
    check_conversation(station, said)?;
    mission::check(station, &said.mission)?;
    station.call("export_audit", &json!({}))?;
    let audit = station.call("verify_audit", &json!({}))?;
    ensure!(audit["intact"] == true, "the chain is broken: {audit:#}");
    ensure!(audit["signed_up_to"].is_u64(), "an export signs the end of the chain: {audit:#}");
    check_records(&station.call("list_audit", &json!({ "after": 0, "limit": 1_000 }))?)
}

/// Acknowledged words of a person stand there as often as they were said, and every call has exactly one result.
fn check_conversation(station: &mut Served, said: &Said) -> anyhow::Result<()> {
    let all = json!({ "limit": 2_000 });
    let heard = |page: &Value, words: &str| {
        let entries = page["entries"].as_array().into_iter().flatten().filter(|entry| entry["kind"] == "user");
        entries.filter(|entry| entry["content"].as_str().is_some_and(|text| text.ends_with(words))).count()
    };
    for words in [ASKED, STEERED] {
        let times = said.words.iter().filter(|said| **said == words).count();
        let page = station.until_with("get_transcript", &all, |page| heard(page, words) >= times)?;
        // The one that was cut off before its answer may be there as well.
        ensure!(heard(&page, words) <= times + 1, "{words:?} was said {times} times: {page:#}");
    }
    // A start gives a call that was cut off its result once the robot that it may have moved is seen.
    let is_at_rest = |page: &Value| page["running"].is_null() && called(page).len() <= answered(page).len();
    let page = station.until_with("get_transcript", &all, is_at_rest)?;
    ensure!(called(&page) == answered(&page), "a call has two results, or a result has no call: {page:#}");
    Ok(())
}

/// Ids of the calls on a page, sorted.
fn called(page: &Value) -> Vec<&str> {
    let calls = page["entries"].as_array().into_iter().flatten();
    let calls = calls.flat_map(|entry| entry["tool_calls"].as_array().into_iter().flatten());
    let mut ids: Vec<&str> = calls.filter_map(|call| call["id"].as_str()).collect();
    ids.sort_unstable();
    ids
}

/// Ids of the calls that the results on a page belong to, sorted.
fn answered(page: &Value) -> Vec<&str> {
    let results = page["entries"].as_array().into_iter().flatten();
    let mut ids: Vec<&str> = results.filter_map(|entry| entry["tool_call_id"].as_str()).collect();
    ids.sort_unstable();
    ids
}

/// Epochs only rise, and each command was sent once at most.
fn check_records(records: &Value) -> anyhow::Result<()> {
    let mut sent = BTreeSet::new();
    let mut epoch = 0;
    for record in records.as_array().context("records")? {
        let detail = record["detail"].as_str().unwrap_or_default();
        match record["operation"].as_str() {
            Some("epoch") if detail == "robot=arm-1" => {
                let raised = record["epoch"].as_u64().unwrap_or(0);
                ensure!(raised > epoch, "the epoch went from {epoch} to {raised}");
                epoch = raised;
            }
            Some("send") if record["outcome"] == "sent" && !sent.insert(detail) => bail!("sent twice: {detail}"),
            Some(_) | None => {}
        }
    }
    Ok(())
}

fn is_free(lock: &Value) -> bool {
    lock["owner"].is_null()
}

fn robot<'a>(status: &'a Value, id: &str) -> &'a Value {
    let rows = status["robots"].as_array().into_iter().flatten();
    rows.into_iter().find(|row| row["robot"] == id).unwrap_or(&Value::Null)
}
