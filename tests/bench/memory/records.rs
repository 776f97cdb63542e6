//! A hundred thousand records of a year, some words in most of them and some in a few.

use std::path::Path;

use jiff::tz::TimeZone;
use memory::AgentDb;
use memory::episodic::{DailyLogs, Episode, EpisodeOrigin, EpisodeRole};
use robot::Trust;

/// Records in the index.
pub const RECORDS: u32 = 100_000;
/// The time of the newest, Unix milliseconds.
pub const NOW_MS: i64 = 1_772_990_000_000;
/// Between two records: a year in all.
const STEP_MS: i64 = 315_000;
/// Records that are appended at once.
const BATCH: u32 = 10_000;

/// Makes the files and their index in `folder`.
pub async fn indexed(folder: &Path) -> AgentDb {
    let db = AgentDb::open(&folder.join("memory.db")).await.unwrap();
    let mut logs = DailyLogs::new(folder.to_owned(), TimeZone::UTC);
    for first in (0..RECORDS).step_by(BATCH as usize) {
        let batch: Vec<Episode> = (first..first + BATCH).map(|number| record(number, content(number))).collect();
        logs.append(&batch).unwrap();
    }
    db.index_logs(folder).await.unwrap();
    db
}

/// The record with that number.
pub fn record(number: u32, content: String) -> Episode {
    let at_ms = NOW_MS - i64::from(RECORDS.saturating_sub(number)) * STEP_MS;
    let by = EpisodeOrigin { name: "station".to_owned(), trust: Trust::Typed };
    Episode::new(format!("ep-{number:08}"), at_ms, EpisodeRole::Alert, content, by)
}

fn content(number: u32) -> String {
    let place = ["hallway", "kitchen", "loading dock", "stairs"][number as usize % 4];
    let who = if number.is_multiple_of(50) { "a toddler" } else { "a person" };
    format!(
        "the robot rover-{} saw {who} in the {place} at battery {} with task{}",
        number % 2,
        number % 97,
        number / 20
    )
}
