//! Episodic memory of an agent: a caller hands in a record and goes on. One task writes records to the daily log, then
//! to the index.

mod search;
mod writer;

pub(crate) use search::Weighing;
pub(crate) use writer::Place;

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard};

use jiff::tz::TimeZone;
use memory::episodic::{DailyLogs, Episode, EpisodeOrigin, EpisodeRole, cut_to};
use memory::forget::Needles;
use robot::{ConversationId, MissionId, Trust};
use tokio::sync::{Notify, watch};

use runtime::clock::Clock;
use runtime::lock::lock;
use runtime::secrets::redaction::Redaction;

/// Records that may wait for the disk. At a hundred a second, 40 s; what would be one more is lost and counted.
const QUEUE_MAX: usize = 4_096;
/// Characters of a tool's outcome that are kept; the transcript has the rest.
const OUTCOME_CHARS_MAX: usize = 1_000;

/// Something to record.
#[derive(Debug, Clone)]
pub struct Record {
    role: EpisodeRole,
    content: String,
    origin: String,
    trust: Trust,
    mission: Option<MissionId>,
    place: Option<(ConversationId, u64)>,
    cause: Option<String>,
}

impl Record {
    /// Words or an act of `origin`, for example `operator(dana)`.
    pub fn new(role: EpisodeRole, content: impl Into<String>, origin: impl Into<String>, trust: Trust) -> Self {
        let (content, origin) = (content.into(), origin.into());
        Self { role, content, origin, trust, mission: None, place: None, cause: None }
    }

    /// The outcome of a tool, cut to what is kept of it.
    pub fn outcome(content: &str, origin: impl Into<String>, trust: Trust) -> Self {
        Self::new(EpisodeRole::Tool, cut_to(content, OUTCOME_CHARS_MAX), origin, trust)
    }

    /// Of a mission.
    pub fn of_mission(self, mission: Option<MissionId>) -> Self {
        Self { mission, ..self }
    }

    /// The entry of a conversation that it stands in.
    pub fn in_session(self, session: &ConversationId, entry: u64) -> Self {
        Self { place: Some((session.clone(), entry)), ..self }
    }

    /// The record that led to it.
    pub fn caused_by(self, cause: Option<String>) -> Self {
        Self { cause, ..self }
    }
}

/// The records of one agent.
pub struct Episodes {
    clock: Clock,
    redaction: Redaction,
    queue: Mutex<Queue>,
    arrived: Notify,
    /// Somebody searches, and what was recorded last is not in the index yet.
    asked: Notify,
    /// The number of records that have reached the index.
    indexed: watch::Sender<u64>,
    /// Held while files are written or replaced, so that one follows the other.
    files: tokio::sync::Mutex<LogFiles>,
    /// The index does not hold yet what earlier runs have written.
    is_indexing: AtomicBool,
    /// Ids of records that are being forgotten; no read returns them any more.
    hidden: Mutex<BTreeSet<String>>,
}

/// The daily logs, and those of them that hold more than the index.
struct LogFiles {
    /// Behind a lock of its own for the threads that wait for the disk.
    logs: Arc<Mutex<DailyLogs>>,
    behind: BTreeSet<String>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Episode>,
    /// Records that were ever taken in.
    taken: u64,
    dropped: u64,
    is_sync_asked: bool,
}

impl Episodes {
    pub fn new(folder: PathBuf, zone: TimeZone, clock: Clock, redaction: Redaction) -> Self {
        Self {
            clock,
            redaction,
            queue: Mutex::default(),
            arrived: Notify::new(),
            asked: Notify::new(),
            indexed: watch::Sender::new(0),
            files: tokio::sync::Mutex::new(LogFiles {
                logs: Arc::new(Mutex::new(DailyLogs::new(folder, zone))),
                behind: BTreeSet::new(),
            }),
            is_indexing: AtomicBool::new(true),
            hidden: Mutex::default(),
        }
    }

    /// Queues a record and gives its id, so that what follows from it can name it. Never waits.
    pub fn record(&self, record: Record) -> String {
        let id = fresh_id();
        self.record_as(id.clone(), record);
        id
    }

    /// Queues a record under an id that something has named already.
    pub fn record_as(&self, id: String, record: Record) {
        // Outside the lock: to look for keys in a long text takes time.
        let content = self.redaction.without_secrets(&record.content);
        let mut queue = self.queue();
        // Read inside the lock, so that times rise in the order of the records.
        let at_ms = self.clock.now().wall_ms;
        let (session, entry) = record.place.unzip();
        let by = EpisodeOrigin { name: record.origin, trust: record.trust };
        let episode = Episode::new(id, at_ms, record.role, content, by);
        let mission = record.mission.map(|mission| mission.to_string());
        let episode = Episode { mission, session, entry, cause: record.cause, ..episode };
        if queue.waiting.len() >= QUEUE_MAX {
            // Lost rather than waited for: whoever records may be on a thread that must not block.
            queue.dropped += 1;
        } else {
            queue.waiting.push_back(episode);
            queue.taken += 1;
        }
        drop(queue);
        self.arrived.notify_one();
    }

    /// Asks that what was recorded so far is put on disk now, as at the end of a turn.
    pub fn sync(&self) {
        self.queue().is_sync_asked = true;
        self.arrived.notify_one();
    }

    /// Records that were lost because the disk was slower for too long.
    pub fn dropped(&self) -> u64 {
        self.queue().dropped
    }

    /// From here no search returns these.
    pub fn hide<'a>(&self, ids: impl IntoIterator<Item = &'a str>) {
        lock(&self.hidden).extend(ids.into_iter().map(str::to_owned));
    }

    /// They are gone, or it was not done.
    pub fn unhide<'a>(&self, ids: impl IntoIterator<Item = &'a str>) {
        let mut hidden = lock(&self.hidden);
        for id in ids {
            hidden.remove(id);
        }
    }

    /// Takes forgotten texts out of records that wait for the disk.
    pub fn forget(&self, needles: &Needles, mark: &str) {
        for episode in &mut self.queue().waiting {
            if let Some(kept) = needles.replaced(&episode.content, mark) {
                episode.content = kept;
            }
        }
    }

    fn is_hidden(&self, id: &str) -> bool {
        lock(&self.hidden).contains(id)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }
}

/// The id of a record that is about to be made.
pub(crate) fn fresh_id() -> String {
    format!("ep-{}", uuid::Uuid::now_v7())
}
