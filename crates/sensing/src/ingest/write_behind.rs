//! Write-behind: what changed reaches the disk within a quarter of a second, the newest state of each key once, and
//! nobody who receives waits for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use memory::WorldBatch;
use memory::forget::Needles;
use robot::{Instant, Now};
use tokio::sync::Notify;
use world::{Changed, Entry, HistoryLog, HistoryPoint, Key, Snapshot};

use crate::AgentWorld;
use crate::Sensing;
use runtime::TASKS_UNTIL;
use runtime::lock::lock;
use runtime::wire::WorldStoreStatus;

/// Time between two batches.
const BATCH_EVERY: Duration = Duration::from_millis(20);
/// A batch is looked for this often even when nothing new came: numbers whose second is over.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Rows of each table in one batch.
const BATCH_ROWS_MAX: usize = 500;
/// Longest time that the end may take. Together with [`END_BUSY_MAX`] it is less than the time that the end of a station
/// has for its tasks: a batch that is given up may still wait for another process.
const END_MAX: Duration = Duration::from_millis(2_500);
/// Longest wait of a batch at the end for another process that holds the database.
const END_BUSY_MAX: Duration = Duration::from_secs(1);
const _: () = assert!(END_MAX.as_millis() + END_BUSY_MAX.as_millis() < TASKS_UNTIL.as_millis());
/// Pause of the writer after a disk took nothing.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// Points that wait for the disk; beyond, the oldest go.
const POINTS_MAX: usize = 100_000;
/// Period at which points that are too old leave the history.
const SHORTEN_EVERY: Duration = Duration::from_secs(24 * 3_600);

/// Changes that wait for the disk.
#[derive(Default)]
pub struct WriteBehind {
    pending: Mutex<Pending>,
    /// Held while a batch is written.
    writing: tokio::sync::Mutex<()>,
    wake: Notify,
}

#[derive(Default)]
struct Pending {
    /// The newest state of each key that changed; none if it is gone.
    entries: BTreeMap<Key, Option<Arc<Entry>>>,
    log: HistoryLog,
    points: Vec<HistoryPoint>,
    conflated: u64,
    points_lost: u64,
}

impl WriteBehind {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        lock(&self.pending)
    }

    /// Takes in what has changed.
    pub fn note(&self, changed: Changed) {
        let mut pending = self.pending();
        pending.conflated += changed.conflated;
        pending.points_lost += changed.points_lost;
        let gone = changed.removed.into_iter().map(|key| (key, None));
        let newer = changed.entries.into_iter().map(|entry| (entry.key.clone(), Some(entry)));
        for (key, state) in gone.chain(newer) {
            let replaced = pending.entries.insert(key, state).is_some();
            pending.conflated += u64::from(replaced);
        }
        changed.points.into_iter().for_each(|point| pending.log.push(point));
        drop(pending);
        self.wake.notify_one();
    }

    /// Has everything written that is shown, in the place of what is `stored`, and `points` of the history.
    pub(crate) fn note_held(&self, shown: &Snapshot, stored: &[Key], points: Vec<Arc<HistoryPoint>>) {
        let mut pending = self.pending();
        for key in stored.iter().filter(|key| shown.get(key).is_none()) {
            pending.entries.entry(key.clone()).or_insert(None);
        }
        for entry in shown.entries() {
            pending.entries.entry(entry.key.clone()).or_insert_with(|| Some(Arc::clone(entry)));
        }
        // A point that waits already is written once.
        let waits: BTreeSet<(Key, i64)> =
            pending.points.iter().map(|point| (point.key.clone(), point.received_ms)).collect();
        let lost = points.iter().filter(|point| !waits.contains(&(point.key.clone(), point.received_ms)));
        let lost: Vec<HistoryPoint> = lost.map(|point| HistoryPoint::clone(point)).collect();
        pending.points.splice(0..0, lost);
        drop(pending);
        self.wake.notify_one();
    }

    /// Drops what holds a forgotten text; no batch that held it is written after this. What is shown instead is noted
    /// already.
    pub async fn forget(&self, needles: &Needles) {
        // After the batch in flight: one that the disk does not take waits on, as it was.
        let _writing = self.writing.lock().await;
        let mut pending = self.pending();
        let says = |text: &str| needles.is_in(text);
        pending.points.retain(|point| !point.says(says));
        pending.log.forget(says);
    }

    /// Counts of the entries that wait, and of those that were replaced or lost so far.
    pub fn status(&self) -> WorldStoreStatus {
        let pending = self.pending();
        WorldStoreStatus {
            waiting: pending.entries.len() as u64,
            conflated: pending.conflated,
            points_lost: pending.points_lost,
        }
    }

    /// The next batch. The last ones also take numbers whose second is not over, and all states before any history.
    fn batch(&self, now: Now, is_last: bool) -> WorldBatch {
        let mut pending = self.pending();
        let closed = pending.log.take((!is_last).then_some(now.wall_ms));
        pending.points.extend(closed);
        let beyond = pending.points.len().saturating_sub(POINTS_MAX);
        pending.points.drain(..beyond);
        pending.points_lost += beyond as u64;
        let mut batch = WorldBatch::default();
        while batch.entries.len() + batch.removed.len() < BATCH_ROWS_MAX
            && let Some((key, state)) = pending.entries.pop_first()
        {
            match state {
                Some(entry) => batch.entries.push(entry.stored(now)),
                None => batch.removed.push(key),
            }
        }
        let is_history_due = !is_last || batch == WorldBatch::default();
        let points = if is_history_due { pending.points.len().min(BATCH_ROWS_MAX) } else { 0 };
        batch.points = pending.points.drain(..points).collect();
        batch
    }

    /// Number of keys with a newer state than the disk, and number of points of history that it lacks.
    fn left(&self) -> (usize, usize) {
        let pending = self.pending();
        (pending.entries.len(), pending.points.len())
    }

    /// Takes back points that the disk did not take. The entries are written with their next change or from the board.
    fn give_back(&self, batch: WorldBatch, entry_of: impl Fn(&Key) -> Option<Arc<Entry>>) {
        let mut pending = self.pending();
        for key in batch.entries.into_iter().map(|entry| entry.key).chain(batch.removed) {
            let state = entry_of(&key);
            pending.entries.entry(key).or_insert(state);
        }
        pending.points.splice(0..0, batch.points);
    }
}

/// Writes an agent's world behind it, until the station ends and everything is written.
pub(crate) async fn write_behind(sensing: Arc<Sensing>, agent: Arc<AgentWorld>) {
    let mut writer = Writer { sensing, agent, takes: true, shortened: None };
    loop {
        let ended = tokio::select! {
            () = writer.sensing.runtime.ended.cancelled() => true,
            () = writer.agent.ingest.write_behind.wake.notified() => false,
            () = tokio::time::sleep(LOOK_EVERY) => false,
        };
        if ended {
            return writer.finish().await;
        }
        let pause = match writer.write(None).await {
            Written::Rows => BATCH_EVERY,
            Written::Nothing => {
                writer.shorten().await;
                BATCH_EVERY
            }
            Written::Failed => RETRY_AFTER,
        };
        tokio::select! {
            () = writer.sensing.runtime.ended.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

struct Writer {
    sensing: Arc<Sensing>,
    agent: Arc<AgentWorld>,
    /// The disk took the last batch.
    takes: bool,
    /// When the history was last looked through to its end.
    shortened: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Rows,
    Nothing,
    Failed,
}

impl Writer {
    /// Writes the next batch, unless the station ends meanwhile; with `until`, the next of the last ones, for no longer
    /// than that.
    async fn write(&mut self, until: Option<tokio::time::Instant>) -> Written {
        let over = async {
            match until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => self.sensing.runtime.ended.cancelled().await,
            }
        };
        let (written, error) = match write_batch(&self.sensing, &self.agent, until.is_some(), over).await {
            Ok(written) => (written, None),
            Err(error) => (Written::Failed, Some(error)),
        };
        if let Some(error) = &error
            && self.takes
        {
            let sentence = format!("The world state of {} is not being stored: {error}.", self.agent.id);
            self.sensing.runtime.bus.event_of(&self.agent.id, "world_not_stored", sentence);
        } else if written == Written::Rows && !self.takes {
            let sentence = format!("The world state of {} is stored again.", self.agent.id);
            self.sensing.runtime.bus.event_of(&self.agent.id, "world_stored_again", sentence);
        }
        match written {
            Written::Rows => self.takes = true,
            Written::Failed => self.takes = false,
            Written::Nothing => {}
        }
        written
    }

    /// Takes a few rows from the history that are too old, until there are none, once a day.
    async fn shorten(&mut self) {
        let now = self.sensing.runtime.clock.now();
        if self.shortened.is_some_and(|at| now.station.since(at) < SHORTEN_EVERY) {
            return;
        }
        match self.agent.db.forget_history(now.wall_ms).await {
            Ok(0) => self.shortened = Some(now.station),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(agent = %self.agent.id, %error, "the history was not shortened");
                self.shortened = Some(now.station);
            }
        }
    }

    /// Shows what an interval held back, then writes until nothing is left or the time is over, and says what is left. The
    /// station's own database keeps that: the agent's may be what does not take it.
    async fn finish(mut self) {
        self.agent.ingest.end_intervals(&self.sensing, &self.agent);
        let until = tokio::time::Instant::now() + END_MAX;
        match tokio::time::timeout_at(until, self.agent.db.wait_no_longer_than(END_BUSY_MAX)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(agent = %self.agent.id, %error, "the end may wait for a held database"),
            Err(_) => tracing::warn!(agent = %self.agent.id, "the database is held at the end"),
        }
        while self.write(Some(until)).await == Written::Rows {}
        let (keys, points) = self.agent.ingest.write_behind.left();
        if keys + points > 0 {
            let sentence = format!(
                "The end of the station left the newest state of {keys} keys and {points} points of history of {} unwritten.",
                self.agent.id
            );
            self.sensing.runtime.bus.event("world_not_stored", sentence);
        }
    }
}

/// Writes the next batch, or the next of the last ones, for as long as `over` waits. What the disk does not take waits on.
async fn write_batch(
    sensing: &Sensing,
    agent: &AgentWorld,
    is_last: bool,
    over: impl Future<Output = ()>,
) -> Result<Written, String> {
    let ingest = &agent.ingest;
    let _writing = ingest.write_behind.writing.lock().await;
    let batch = ingest.write_behind.batch(sensing.runtime.clock.now(), is_last);
    if batch == WorldBatch::default() {
        return Ok(Written::Nothing);
    }
    let written = tokio::select! {
        biased;
        saved = agent.db.save_world(&batch) => saved.map_err(|error| error.to_string()),
        () = over => Err("the station ends".to_owned()),
    };
    if written.is_err() {
        let shown = ingest.published.snapshot();
        ingest.write_behind.give_back(batch, |key| shown.get(key).cloned());
    }
    written.map(|()| Written::Rows)
}

/// Writes what an agent's world has waiting, as many batches as there can be, until the disk does not take one.
pub(crate) async fn write_waiting(sensing: &Sensing, agent: &AgentWorld) {
    for _ in 0..POINTS_MAX / BATCH_ROWS_MAX {
        match write_batch(sensing, agent, true, sensing.runtime.ended.cancelled()).await {
            Ok(Written::Rows) => {}
            Ok(Written::Nothing | Written::Failed) => return,
            Err(error) => return tracing::warn!(agent = %agent.id, error, "the world state waits for the disk"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st_01_the_last_batches_are_no_larger_than_the_others_and_take_states_first() {
        let storing = WriteBehind::default();
        let removed = (0..BATCH_ROWS_MAX + 1).map(|n| Key::new(&format!("dock.slot-{n}")).unwrap()).collect();
        storing.note(Changed { removed, ..Changed::default() });
        let now = Now::default();
        let taken: Vec<usize> = (0..3).map(|_| storing.batch(now, true).removed.len()).collect();
        assert_eq!(taken, [BATCH_ROWS_MAX, 1, 0]);
    }

    #[tokio::test]
    async fn what_is_forgotten_does_not_come_back_from_a_batch_that_fails() {
        let storing = WriteBehind::default();
        let point = |text: &str| HistoryPoint {
            key: Key::new("dock.sign").unwrap(),
            kind: world::PointKind::Value,
            value: robot::Scalar::Text(text.to_owned()),
            confidence: None,
            observed_ms: 0,
            received_ms: 0,
            source: "lab/sign".into(),
            provider_id: world::ProviderId("cp-1".into()),
        };
        let points = ["xylophon-4711", "open"].map(|text| Arc::new(point(text)));
        storing.note_held(&Snapshot::default(), &[], points.into());
        let writing = storing.writing.lock().await;
        let batch = storing.batch(Now::default(), true);
        assert_eq!(batch.points.len(), 2);
        let needles = Needles::of(&["xylophon-4711".to_owned()]);
        let mut forgetting = std::pin::pin!(storing.forget(&needles));
        assert!(futures::poll!(forgetting.as_mut()).is_pending(), "a batch is being written");
        storing.give_back(batch, |_| None);
        drop(writing);
        forgetting.await;
        assert_eq!(storing.batch(Now::default(), true).points, [point("open")]);
    }
}
