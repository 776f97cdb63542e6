//! Records of stops and of their releases, and what a start makes of them: a stop on record is open until its release
//! is on record, whatever its row says.

use std::collections::{BTreeMap, BTreeSet};

use memory::{MemoryError, OpenStop, StationDb, StoredStop};
use robot::RobotId;

use crate::fleet::Fleet;
use crate::state::stop_records::Stops;
use runtime::audit::{Audit, AuditEntry, Checked, canonical_hash};
use runtime::session::Session;

/// The highest number of a stop that a record is believed: screens can name every number up to it, and as many more.
const STOP_ID_MAX: u64 = 1 << 52;

/// One stop as the records have it.
struct Recorded {
    by: String,
    at_ms: i64,
    /// The hash over its robots.
    hash: String,
    /// Its robots, if the record names all of them.
    robots: Option<BTreeSet<RobotId>>,
    /// The hash over the robots released, for each release.
    releases: BTreeSet<String>,
    /// Its last robot was released.
    closed: bool,
}

/// Queues the stop's record; a stop waits for its latch only, and is never refused for the audit.
pub(super) fn record(fleet: &Fleet, by: &Session, stop_id: u64, robots: &BTreeSet<RobotId>) {
    let entry = AuditEntry::by(by, "stop", "ok").about(about(stop_id, robots));
    fleet.runtime.audit.note_done(AuditEntry { input_hash: Some(canonical_hash(robots)), ..entry });
}

/// The record of a release: which robots of the stop are let go by now.
pub(super) fn of_release(by: &Session, stop: &OpenStop) -> AuditEntry {
    let outcome = if stop.released == stop.robots { "closed" } else { "partly" };
    let entry = AuditEntry::by(by, "stop_release", outcome).about(about(stop.stop_id, &stop.released));
    AuditEntry { input_hash: Some(canonical_hash(&stop.released)), ..entry }
}

fn about(stop_id: u64, robots: &BTreeSet<RobotId>) -> String {
    let robots: Vec<&str> = robots.iter().map(RobotId::as_str).collect();
    format!("stop_id={stop_id} robots={}", robots.join(","))
}

/// Takes up the stops that earlier runs have left open, by their rows and by their records.
pub async fn take_up(db: &StationDb, audit: &Audit) -> Result<Stops, MemoryError> {
    let recorded = recorded(&audit.evidence(db).await?);
    let rows = db.stops().await?;
    let newest_row = rows.last().map_or(0, |row| row.stop_id);
    // A number whose row was lost must not be given to another stop.
    let last_id = newest_row.max(recorded.keys().next_back().copied().unwrap_or(0));
    let mut open = BTreeMap::new();
    let mut closed = BTreeMap::new();
    for StoredStop { stop_id, open: is_open, stop } in rows {
        if is_open {
            open.insert(stop_id, stop?);
        } else if let Ok(stop) = stop {
            closed.insert(stop_id, stop);
        }
    }
    for (stop_id, recorded) in &recorded {
        // Record and row agree that it is over.
        if recorded.closed && !open.contains_key(stop_id) {
            continue;
        }
        let row = open.get(stop_id).or_else(|| closed.get(stop_id));
        let right = recorded.stop(*stop_id, row);
        if open.get(stop_id) != Some(&right) {
            // A stop newer than every row was on its way to the disk
            // when the station crashed, and contradicts nothing.
            if *stop_id <= newest_row {
                let sentence = "is not what is on record: it is open for every robot that no release names.";
                audit.note_unrecorded(format!("The row of stop #{stop_id} {sentence}"));
            }
            db.save_stop(&right, true).await?;
            open.insert(*stop_id, right);
        }
    }
    Ok(Stops::new(last_id, open.into_values().collect()))
}

/// Stops of a version that kept no hash of their robots are left out: their releases are not on record.
fn recorded(records: &[Checked]) -> BTreeMap<u64, Recorded> {
    let mut stops: BTreeMap<u64, Recorded> = BTreeMap::new();
    for record in records {
        let named = record.named("stop_id=").and_then(|id| id.parse().ok());
        let Some(stop_id) = named.filter(|stop_id| *stop_id <= STOP_ID_MAX) else { continue };
        let Some(hash) = record.input_hash.clone() else { continue };
        match (record.operation.as_str(), record.outcome.as_str(), stops.get_mut(&stop_id)) {
            // A later press opens the stop again and voids the releases before it.
            ("stop", "ok", _) => drop(stops.insert(stop_id, Recorded::of(record, hash))),
            ("stop_release", outcome @ ("closed" | "partly"), Some(stop)) => {
                stop.closed |= outcome == "closed";
                stop.releases.insert(hash);
            }
            (_, _, _) => {}
        }
    }
    stops
}

impl Recorded {
    fn of(record: &Checked, hash: String) -> Self {
        // A list that was cut off in the record would leave robots out.
        let named = record.named("robots=").filter(|_| record.is_told_whole());
        let robots = named.map(|named| named.split(',').filter_map(|robot| RobotId::new(robot).ok()).collect());
        Self {
            by: record.actor.clone(),
            at_ms: record.at_wall,
            robots: robots.filter(|robots| canonical_hash(robots) == hash),
            hash,
            releases: BTreeSet::new(),
            closed: false,
        }
    }

    /// The stop as it is, given its row. Without robots it binds the whole station.
    fn stop(&self, stop_id: u64, row: Option<&OpenStop>) -> OpenStop {
        let robots = match row {
            Some(row) if canonical_hash(&row.robots) == self.hash => row.robots.clone(),
            Some(_) | None => self.robots.clone().unwrap_or_default(),
        };
        let is_released = |row: &&OpenStop| self.releases.contains(&canonical_hash(&row.released));
        OpenStop {
            stop_id,
            by: row.map_or_else(|| self.by.clone(), |row| row.by.clone()),
            asked: row.is_none_or(|row| row.asked) || self.by != Session::supervision().actor(),
            reason: row.and_then(|row| row.reason.clone()),
            reason_kind: row.and_then(|row| row.reason_kind.clone()),
            at_ms: row.map_or(self.at_ms, |row| row.at_ms),
            robots,
            released: row.filter(is_released).map(|row| row.released.clone()).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
