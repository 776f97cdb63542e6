//! Memory of a gate whose process was killed: the epoch, so that old claims and commands stay void, and the latch.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::PathBuf;

use robot::StationId;
use serde::{Deserialize, Serialize};

use crate::envelope::{OpenStop, StoppedBy};

/// Open stops of one station that are kept apart. Further ones become part of the strangers' stop, which a release has
/// to name by the number that the last of them gave it.
pub(super) const OPEN_STOPS_OF_ONE_MAX: usize = 16;
/// Stops of strangers that are known again when they are repeated; an older one that is repeated counts as another.
const STRANGERS_MAX: usize = 16;
/// Name of whoever sends a stop that cannot be read.
const UNKNOWN_SENDER: &str = "unknown-sender";
/// A longer file is none that a gate wrote, bytes.
const BYTES_MAX: u64 = 1024 * 1024;

/// State that must be on the disk before it is acknowledged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateMemory {
    /// Number of starts of the gate.
    pub boot: u64,
    /// The highest epoch that was ever claimed; 0 before the first.
    pub epoch: u64,
    /// The epoch at the newest stop: a release needs a newer one.
    pub stopped_epoch: u64,
    /// The stops that are not released; latched if there is one.
    pub stops: BTreeSet<OpenStop>,
    /// Number of the newest stop that the gate has numbered itself: its own and that of strangers.
    pub own_stop_id: u64,
    /// The newest of the stops that are one stop of strangers, as they call themselves.
    #[serde(default)]
    pub strangers: VecDeque<(StationId, u64)>,
}

/// Store of a gate's memory.
pub trait GateStore: Send {
    /// The memory saved last; the default if nothing ever was. Anything that cannot be read is an error, never the
    /// default: a gate that has forgotten its epoch would take an old claim for a new one.
    fn load(&mut self) -> io::Result<GateMemory>;

    /// Returns once `memory` would survive a loss of power.
    fn save(&mut self, memory: &GateMemory) -> io::Result<()>;
}

/// A memory in a file that is replaced whole.
#[derive(Debug)]
pub struct GateFile {
    path: PathBuf,
}

/// A memory that ends with the process, for tests and for sites that are made anew each time.
#[derive(Debug, Default)]
pub struct Volatile;

impl GateMemory {
    /// The memory of a gate that starts now: latched, because nobody knows what happened meanwhile.
    pub(super) fn started(mut self) -> Self {
        self.boot = self.boot.saturating_add(1);
        self.latch(StoppedBy::Restart);
        self
    }

    /// Latches under a new number of the gate's own, in place of an earlier latch of the same kind: one is enough, and
    /// a release that was prepared for the earlier one does not fit.
    pub(super) fn latch(&mut self, by: StoppedBy) {
        self.own_stop_id = self.own_stop_id.saturating_add(1);
        self.stops.retain(|stop| stop.by != by);
        self.stops.insert(OpenStop { by, stop_id: self.own_stop_id });
        self.stopped_epoch = self.epoch;
    }

    /// Latches for a known station. Of more than [`OPEN_STOPS_OF_ONE_MAX`] none is forgotten: they become part of the
    /// strangers' stop.
    pub(super) fn open(&mut self, station: StationId, stop_id: u64) {
        let stop = OpenStop { by: StoppedBy::Station(station.clone()), stop_id };
        if !self.stops.contains(&stop) && self.open_by(&stop.by) >= OPEN_STOPS_OF_ONE_MAX {
            return self.open_for_strangers(station, stop_id);
        }
        self.stops.insert(stop);
        // For a repetition too: a release needs a claim that is newer than the last time a stop was asked for.
        self.stopped_epoch = self.epoch;
    }

    /// Latches for strangers: one stop, whatever they call it, so that nobody can open more than can be released. Each
    /// that was not there before gives it a new number, so that none is lifted by a release prepared without it.
    pub(super) fn open_for_strangers(&mut self, station: StationId, stop_id: u64) {
        let named = (station, stop_id);
        let is_open = self.open_by(&StoppedBy::Stranger) > 0;
        // The same stop again and no further one: it keeps its number,
        // and a release needs a claim newer than this repetition.
        if is_open && self.strangers.contains(&named) {
            self.stopped_epoch = self.epoch;
            return;
        }
        if self.strangers.len() == STRANGERS_MAX {
            self.strangers.pop_front();
        }
        self.strangers.push_back(named);
        self.latch(StoppedBy::Stranger);
    }

    /// Latches for bytes that are no message: a stop of strangers that is told from others by what came.
    pub(super) fn open_unread(&mut self, payload: &[u8]) {
        let mut hash = DefaultHasher::new();
        hash.write(payload);
        match StationId::new(UNKNOWN_SENDER) {
            Ok(station) => self.open_for_strangers(station, hash.finish()),
            Err(_) => self.latch(StoppedBy::Stranger),
        }
    }

    /// Ends the stop of strangers alone; true if there was one. While a known station has so many stops that some of
    /// them may be part of it, it stays.
    pub(super) fn end_strangers(&mut self) -> bool {
        let is_full = |stop: &OpenStop| self.open_by(&stop.by) >= OPEN_STOPS_OF_ONE_MAX;
        if self.open_by(&StoppedBy::Stranger) == 0 || self.stops.iter().any(is_full) {
            return false;
        }
        self.stops.retain(|stop| stop.by != StoppedBy::Stranger);
        self.strangers.clear();
        true
    }

    /// Ends every stop.
    pub(super) fn release(&mut self) {
        self.stops.clear();
        self.strangers.clear();
    }

    fn open_by(&self, by: &StoppedBy) -> usize {
        self.stops.iter().filter(|stop| stop.by == *by).count()
    }
}

impl GateFile {
    /// A memory at `path`; the file need not exist, its folder must.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }
}

impl GateStore for GateFile {
    fn load(&mut self) -> io::Result<GateMemory> {
        match files::read_text(&self.path, BYTES_MAX) {
            Ok(text) => Ok(serde_json::from_str(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(GateMemory::default()),
            Err(error) => Err(error),
        }
    }

    fn save(&mut self, memory: &GateMemory) -> io::Result<()> {
        files::replace(&self.path, &serde_json::to_vec(memory)?)
    }
}

impl GateStore for Volatile {
    fn load(&mut self) -> io::Result<GateMemory> {
        Ok(GateMemory::default())
    }

    fn save(&mut self, _: &GateMemory) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_epoch_and_latch_and_every_start_latches_anew() {
        let folder = tempfile::tempdir().unwrap();
        let open = || GateFile::new(folder.path().join("arm-1.json"));
        let mut memory = open().load().unwrap().started();
        assert_eq!((memory.boot, memory.epoch, memory.stops.len()), (1, 0, 1));
        memory.epoch = 7;
        memory.latch(StoppedBy::Deadman);
        open().save(&memory).unwrap();

        let restarted = open().load().unwrap().started();
        assert_eq!((restarted.boot, restarted.epoch, restarted.stopped_epoch), (2, 7, 7));
        let own: Vec<_> = restarted.stops.iter().map(|stop| (stop.by.clone(), stop.stop_id)).collect();
        assert_eq!(own, [(StoppedBy::Restart, 3), (StoppedBy::Deadman, 2)]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_empty_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm-1.json");
        std::fs::write(&path, "{\"boot\":").unwrap();
        assert!(GateFile::new(path).load().is_err());
        assert!(GateFile::new(folder.path().join("no/arm-1.json")).save(&GateMemory::default()).is_err());
    }
}
