//! The audit: acts, refusals, verdicts and sends in one chain on disk. Every part that has something to record queues
//! it here; one writer task gives it its place in the chain and commits it.

mod anchor;
mod anchoring;
mod call;
mod chain;
mod change;
mod host_refusals;
mod integrity;
mod mark;
mod outside;
mod room;
mod walk;
mod writer;

pub use anchor::Anchor;
pub use call::{Call, OTHER_CALL};
pub use chain::{AuditEntry, Checked, canonical_hash};
pub use chain::{AuditOrigin, AuditRecord, Broken, ChainCheck, Fault};
pub use integrity::Found;
pub use mark::{Mark, Marks};
pub use outside::found_more;
pub use room::{OnRecord, Room};
pub use walk::{AuditRange, follow, with_anchors};

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use memory::{MemoryError, StationDb};
use robot::{Now, RobotId, StationId};
use safety::Verdict;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::Clock;
use crate::error::{OpError, RuntimeCode};
use crate::lock::lock;
use crate::session::Session;
use anchoring::Signing;
use chain::Head;
use change::PendingChange;
use host_refusals::HostRefusals;
use integrity::Integrity;
use mark::MarkWriter;

/// Records that may wait for the disk; an act that needs one more is refused. At a hundred commands a second, 20 s.
const QUEUE_MAX: usize = 4_096;
/// A refusal is queued while fewer wait: somebody who is refused over and over does not keep commands out.
const REFUSALS_BELOW: usize = QUEUE_MAX / 2;
/// Room beyond `QUEUE_MAX` for what has happened already and cannot be refused any more: stops, sends, robots' reports.
const RESERVE_MAX: usize = 1_024;
/// Longest time that an operation waits for its record to be on disk.
const COMMIT_WAIT: Duration = Duration::from_secs(1);

/// The audit of a running station.
pub struct Audit {
    clock: Clock,
    station: StationId,
    queue: Mutex<Queue>,
    /// True while the queue has no place for one more: the stop path asks without waiting for the queue.
    is_full: AtomicBool,
    arrived: Notify,
    /// Number of the queued records that are on disk.
    committed: watch::Sender<u64>,
    /// The end of the chain on disk.
    head: Mutex<Head>,
    /// The newest anchor of earlier runs whose record was not found: the end was cut off.
    anchored: AtomicU64,
    /// The newest record that earlier runs have left.
    left: u64,
    integrity: watch::Sender<Integrity>,
    marks: Arc<Marks>,
    /// The keychain did not take the last mark; it is asked again in a while.
    keychain_rests: AtomicBool,
    /// Written one after the other, so that an older mark never follows a newer.
    keeping: tokio::sync::Mutex<MarkWriter>,
    failing: AtomicBool,
    signing: watch::Sender<Signing>,
    host_refusals: Mutex<HostRefusals>,
    /// Something is on disk whose anchor cannot wait.
    anchor_asked: Notify,
    ended: CancellationToken,
    tasks: TaskTracker,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<(Now, Entry)>,
    queued: u64,
    /// Places that acts hold which have not ended yet.
    reserved: usize,
}

impl Queue {
    /// True if there is a place for another entry in a queue of `room`.
    fn has_place(&self, room: usize) -> bool {
        self.waiting.len() + self.reserved < room
    }

    /// Lets an entry in, and gives its place.
    fn take_in(&mut self, now: Now, entry: Entry) -> u64 {
        self.waiting.push_back((now, entry));
        self.queued += 1;
        self.queued
    }
}

/// The locked queue; on unlocking, `is_full` is set anew.
struct Queued<'a> {
    queue: MutexGuard<'a, Queue>,
    is_full: &'a AtomicBool,
}

impl Deref for Queued<'_> {
    type Target = Queue;

    fn deref(&self) -> &Queue {
        &self.queue
    }
}

impl DerefMut for Queued<'_> {
    fn deref_mut(&mut self) -> &mut Queue {
        &mut self.queue
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.is_full.store(!self.queue.has_place(QUEUE_MAX), Ordering::Release);
    }
}

/// An entry that waits for its place in the chain.
#[derive(Debug)]
enum Entry {
    Record(Box<AuditEntry>),
    /// A change of the constraints with its records, written together.
    Change(PendingChange),
}

/// The queue of the audit is full: the act to be recorded must not happen.
#[derive(Debug, PartialEq, Eq)]
pub struct AuditFull;

impl Audit {
    /// Takes up the chain where the disk ends, and the mark that is kept outside the database.
    pub async fn open(db: &StationDb, station: StationId, clock: Clock, marks: Marks) -> Result<Self, MemoryError> {
        let marks = Arc::new(marks);
        let newest = db.audit_newest(1).await?;
        let head = newest.first().map_or_else(Head::default, |row| Head::of_row(row.seq, &row.record));
        let (mark, found) = match marks.in_file().await {
            Ok(mark) => (mark, Vec::new()),
            // An unreadable mark is a finding: it must not pass for a station that never kept one.
            Err(error) => (None, vec![Found::MarkUnusable(error.to_string())]),
        };
        let stale = AuditRange::of(mark.as_ref(), head.seq).stale_anchors;
        // An anchor behind the end of the chain is the trace of records that were cut off.
        let cut = db.anchors(head.seq.max(stale) + 1..=u64::MAX).await?.last().map_or(0, |line| line.seq);
        Ok(Self {
            clock,
            station,
            queue: Mutex::default(),
            is_full: AtomicBool::new(false),
            arrived: Notify::new(),
            committed: watch::Sender::default(),
            left: head.seq,
            head: Mutex::new(head),
            anchored: AtomicU64::new(cut),
            integrity: watch::Sender::new(Integrity { mark, found, ..Integrity::default() }),
            keeping: tokio::sync::Mutex::new(MarkWriter::of(Arc::clone(&marks))),
            marks,
            keychain_rests: AtomicBool::new(false),
            failing: AtomicBool::new(false),
            signing: watch::Sender::default(),
            host_refusals: Mutex::default(),
            anchor_asked: Notify::new(),
            ended: CancellationToken::new(),
            tasks: TaskTracker::new(),
        })
    }

    /// Queues an act that is about to happen. Refused when the queue is full: then it must not happen.
    pub fn note(&self, entry: AuditEntry) -> Result<(), AuditFull> {
        self.push(record(entry), QUEUE_MAX).map(drop)
    }

    /// Queues a refusal, as long as much of the queue is free.
    pub fn note_refusal(&self, entry: AuditEntry) -> Result<(), AuditFull> {
        self.push(record(entry), REFUSALS_BELOW).map(drop)
    }

    /// Records that `call` was refused with `error`, and gives the error
    /// back. A record that finds no room is lost: nothing happened.
    pub fn refused(&self, call: &Call, error: OpError) -> OpError {
        if self.note_refusal(call.refused(&error)).is_err() {
            tracing::warn!(code = error.code.as_str(), "a refusal is not on record");
        }
        error
    }

    /// Queues an act that has happened, or must happen whatever the audit says.
    pub fn note_done(&self, entry: AuditEntry) {
        if self.push(record(entry), QUEUE_MAX + RESERVE_MAX).is_err() {
            tracing::error!("the audit is full; a record is lost");
        }
    }

    /// Queues what happens only if this succeeds, and waits until it, and all queued before it, is on disk. What is
    /// given up because that takes too long has a second record that says so.
    pub async fn commit(&self, entry: AuditEntry) -> Result<(), OpError> {
        // Kept for a second record: the first stays queued and may reach the disk after the act was given up.
        let given_up = entry.clone();
        let place = self.push(record(entry), QUEUE_MAX + RESERVE_MAX).map_err(|AuditFull| full())?;
        if self.is_saved(place).await {
            return Ok(());
        }
        let error = self.late();
        self.note_done(AuditEntry { outcome: error.code.to_string(), ..given_up });
        Err(error)
    }

    /// Waits until what was queued before this call is on disk, but for no disk that does not take it.
    pub async fn settle(&self) {
        let queued = self.queue().queued;
        if !self.failing.load(Ordering::Acquire) {
            // The caller is answered from the records that are on disk by then.
            let _saved = self.is_saved(queued).await;
        }
    }

    /// Waits until what was queued at `place`, and all before it, is on disk; false if that takes too long.
    async fn is_saved(&self, place: u64) -> bool {
        tokio::time::timeout(COMMIT_WAIT, self.saved(place)).await.is_ok_and(|saved| saved)
    }

    /// Waits until what was queued at `place`, and all before it, is on disk; false if the station ends before.
    pub async fn saved(&self, place: u64) -> bool {
        let mut committed = self.committed.subscribe();
        committed.wait_for(|committed| *committed >= place).await.is_ok()
    }

    /// Fails with the reason while nothing that must be on record can be done. Waits for nobody.
    pub fn check_available(&self) -> Result<(), OpError> {
        if self.failing.load(Ordering::Acquire) {
            return Err(failed());
        }
        if self.is_full.load(Ordering::Acquire) { Err(full()) } else { Ok(()) }
    }

    /// The error for a record that is not on disk in time.
    fn late(&self) -> OpError {
        if self.failing.load(Ordering::Acquire) { failed() } else { slow() }
    }

    /// The number of the last record on disk.
    pub fn last_seq(&self) -> u64 {
        self.head().seq
    }

    /// The number of the last record that is known to have been written.
    pub fn written(&self) -> u64 {
        self.last_seq().max(self.anchored.load(Ordering::Acquire))
    }

    /// Commits what waits and ends the writer.
    pub async fn end(&self) {
        self.ended.cancel();
        self.tasks.close();
        if tokio::time::timeout(COMMIT_WAIT, self.tasks.wait()).await.is_err() {
            tracing::error!("the end of the audit could not be saved");
        }
        // Last, so that the mark names the end that this run leaves behind.
        if self.integrity.borrow().mark.is_some() {
            self.keep_mark().await;
        }
    }

    fn push(&self, entry: Entry, room: usize) -> Result<u64, AuditFull> {
        let mut queue = self.queue();
        if !queue.has_place(room) {
            return Err(AuditFull);
        }
        // Read inside the lock, so that times rise with numbers.
        let place = queue.take_in(self.clock.now(), entry);
        drop(queue);
        self.arrived.notify_one();
        Ok(place)
    }

    fn queue(&self) -> Queued<'_> {
        Queued { queue: lock(&self.queue), is_full: &self.is_full }
    }

    fn head(&self) -> MutexGuard<'_, Head> {
        lock(&self.head)
    }
}

fn record(entry: AuditEntry) -> Entry {
    Entry::Record(Box::new(entry))
}

/// More waits for the disk than there is room for.
fn full() -> OpError {
    let message = "More waits to be recorded than there is room for. Nothing was done; try again in a moment. Stopping \
                   works.";
    OpError::new(RuntimeCode::AuditFull, message)
}

/// The disk does not take the record.
fn failed() -> OpError {
    let message = "The record of what is done cannot be written. Nothing was done; look whether the station's disk is \
                   full or cannot be written. Stopping works.";
    OpError::new(RuntimeCode::AuditFailed, message)
}

/// The disk takes the record, but not in time.
fn slow() -> OpError {
    let message = "The station's disk takes too long to save the record. Nothing was done; try again in a moment. \
                   Stopping works.";
    OpError::new(RuntimeCode::AuditSlow, message)
}

impl AuditEntry {
    /// Done, or refused, for `session`. The operation is the program's own word, here and below: a start goes by some of
    /// them, and nobody writes one of those by calling something so.
    pub fn by(session: &Session, operation: &'static str, outcome: &str) -> Self {
        Self::refused_to(session, operation, outcome)
    }

    /// The same under whatever word was called, for refusals by a host.
    fn refused_to(session: &Session, operation: &str, outcome: &str) -> Self {
        let base = Self::of(session.actor().to_owned(), session.audit_origin(), operation, outcome);
        Self { role: Some(session.recorded_role()), ..base }
    }

    /// Done by the station itself.
    pub fn by_station(operation: &'static str, outcome: &str) -> Self {
        Self::of("station".to_owned(), AuditOrigin::Station, operation, outcome)
    }

    /// Reported by a robot.
    pub fn by_robot(robot: &RobotId, operation: &'static str, outcome: &str) -> Self {
        Self::of(robot.to_string(), AuditOrigin::Robot, operation, outcome)
    }

    fn of(actor: String, origin: AuditOrigin, operation: &str, outcome: &str) -> Self {
        Self {
            actor,
            role: None,
            origin,
            operation: operation.to_owned(),
            input_hash: None,
            inputs: None,
            outcome: outcome.to_owned(),
            verdict_id: None,
            set_version: None,
            epoch: None,
            detail: String::new(),
        }
    }

    /// The verdict it rests on.
    pub fn under(self, verdict: &Verdict) -> Self {
        Self { verdict_id: Some(verdict.id), set_version: Some(verdict.set_version), ..self }
    }

    /// The subject of the record; cut to 200 characters.
    pub fn about(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }
}

#[cfg(test)]
mod fake_keychain;
#[cfg(test)]
mod tests;
