//! Inputs of verdicts, kept for a day: any verdict can be made again, and a change of limits can be tried on real
//! commands. A thread of its own writes them, so that no command waits for it.

mod folder;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use robot::RobotId;
use safety::{Constraint, Limits};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::judgements::verdict_inputs::Inputs;
use crate::lock::lock;
use folder::{Folder, Series};

/// Recordings that may wait for the disk; one more is lost. At a hundred commands a second, five seconds.
const QUEUE_MAX: usize = 512;
/// Age up to which recordings count, milliseconds: a day.
const KEPT_MS: i64 = 24 * 3_600_000;

/// The recordings of a running station.
pub struct Recordings {
    root: PathBuf,
    queue: Mutex<Option<SyncSender<Job>>>,
    writer: Mutex<Option<Writer>>,
}

/// The thread that writes; the other end of the channel is dropped when it is over.
type Writer = (JoinHandle<()>, oneshot::Receiver<()>);

/// One judgement, with the verdict as it was made and not as it was changed afterwards.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recorded {
    /// The time of day, milliseconds since 1970, UTC.
    pub wall_ms: i64,
    /// The inputs of the judgement.
    pub inputs: Inputs,
    /// The verdict's JSON, byte for byte.
    pub verdict: Box<RawValue>,
}

/// A judgement on its way to the disk.
pub struct Recording {
    /// The time of day, milliseconds since 1970.
    pub wall_ms: i64,
    /// The inputs of the judgement.
    pub inputs: Arc<Inputs>,
    /// The limits it was judged by.
    pub limits: Arc<Limits>,
    /// The verdict as it was given.
    pub verdict: Box<RawValue>,
    /// True if the command passed in the end: denied ones are kept longest.
    pub allowed: bool,
}

enum Job {
    Keep(Box<Recording>),
    Flush(oneshot::Sender<()>),
}

/// A constraint set that recordings name, without the limits of the manifest.
#[derive(Serialize)]
struct RecordedSet<'a> {
    version: u64,
    hash: safety::SetHash,
    constraints: Vec<&'a Constraint>,
}

/// A line as it is written: as [`Recorded`], without copying the inputs.
#[derive(Serialize)]
struct Line<'a> {
    wall_ms: i64,
    inputs: &'a Inputs,
    verdict: &'a RawValue,
}

impl Recordings {
    /// Starts the writer for recordings under `root`; `tell` says to people when the disk begins to refuse them.
    pub fn start(root: PathBuf, tell: impl Fn(String) + Send + 'static) -> std::io::Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE_MAX);
        let folders = root.clone();
        let (is_over, over) = oneshot::channel::<()>();
        let writer = std::thread::Builder::new().name("recordings".into()).spawn(move || {
            // Dropped with the thread, after a panic too; `end` waits for that.
            let _is_over = is_over;
            write(&folders, &jobs, &tell);
        })?;
        Ok(Self { root, queue: Mutex::new(Some(queue)), writer: Mutex::new(Some((writer, over))) })
    }

    /// Keeps a judgement. One that finds no room is lost: the audit has its hash, and no command waits for a disk.
    pub fn keep(&self, recording: Recording) {
        let lost =
            lock(&self.queue).as_ref().is_none_or(|queue| queue.try_send(Job::Keep(Box::new(recording))).is_err());
        if lost {
            tracing::warn!("a recording is lost; the disk is slower than the commands");
        }
    }

    /// Recordings of `robot` in the day before `wall_ms`, oldest first; those that wait are written before.
    pub async fn of_day(&self, robot: &RobotId, wall_ms: i64) -> Vec<Recorded> {
        let (done, flushed) = oneshot::channel();
        let sent = lock(&self.queue).as_ref().is_some_and(|queue| queue.try_send(Job::Flush(done)).is_ok());
        if sent {
            // Without an answer the writer is gone, and what it wrote is all there is.
            let _ = flushed.await;
        }
        let folder = self.root.join(robot.as_str());
        let read = tokio::task::spawn_blocking(move || folder::read(&folder, wall_ms - KEPT_MS));
        read.await.unwrap_or_default()
    }

    /// The files that may hold something of that time, both ends included, Unix milliseconds.
    pub fn covering(&self, from_ms: i64, to_ms: i64) -> Vec<String> {
        folder::covering(&self.root, from_ms, to_ms)
    }

    /// Writes what waits and ends the writer.
    pub async fn end(&self) {
        drop(lock(&self.queue).take());
        let Some((writer, over)) = lock(&self.writer).take() else { return };
        // Nothing is sent: it ends when the thread drops its side.
        let _ = over.await;
        if writer.join().is_err() {
            tracing::error!("the writer of recordings has failed");
        }
    }
}

fn write(root: &std::path::Path, jobs: &Receiver<Job>, tell: &dyn Fn(String)) {
    let mut folders = std::collections::BTreeMap::new();
    let mut is_losing = false;
    for job in jobs {
        match job {
            Job::Keep(recording) => {
                let robot = recording.inputs.command.robot.clone();
                let folder = folders.entry(robot.clone()).or_insert_with(|| Folder::new(root.join(robot.as_str())));
                let kept = keep(folder, &recording);
                let was_losing = std::mem::replace(&mut is_losing, kept.is_err());
                let Err(error) = kept else { continue };
                tracing::warn!(%robot, %error, "a recording is lost");
                // People are told when it begins, and not once for each that is lost.
                if !was_losing {
                    tell(format!(
                        "What verdicts of {robot} are made from is not recorded: {error}. The audit has them."
                    ));
                }
            }
            // The receiver may be gone.
            Job::Flush(done) => drop(done.send(())),
        }
    }
}

fn keep(folder: &mut Folder, recording: &Recording) -> std::io::Result<()> {
    let Recording { wall_ms, inputs, limits, verdict, allowed } = recording;
    folder.keep_set(limits.version(), || {
        let registered = limits.constraints().iter().filter(|row| !row.id.as_str().starts_with("manifest-"));
        let set = RecordedSet { version: limits.version(), hash: limits.hash(), constraints: registered.collect() };
        serde_json::to_vec(&set)
    })?;
    let line = serde_json::to_vec(&Line { wall_ms: *wall_ms, inputs, verdict })?;
    folder.append(if *allowed { Series::Allowed } else { Series::Denied }, *wall_ms, &line)
}
