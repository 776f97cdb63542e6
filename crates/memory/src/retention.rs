//! Retention. Rows go by time and number alone, in small batches; daily logs go by whole days.

use std::path::Path;

use sqlx::AssertSqlSafe;

use crate::database::open::LOG_BYTES_MAX;
use crate::episodic::log_files;
use crate::error::failed;
use crate::files::remove_if_there;
use crate::{AgentDb, MemoryError};

/// Rows that one transaction removes.
const BATCH_ROWS: u32 = 500;
const DAY_MS: i64 = 86_400_000;
/// Limits of daily logs: age in days, bytes in all, and records in the index.
const LOG_DAYS_MAX: i64 = 365;
const LOG_BYTES_IN_ALL_MAX: u64 = 1 << 30;
const RECORDS_MAX: u64 = 500_000;

/// Retention of the rows of one table, by age and number.
struct Rule {
    table: &'static str,
    /// The column with their time, Unix milliseconds.
    time: &'static str,
    days_max: i64,
    rows_max: u32,
    /// SQL condition of the rows that may go.
    may_go: &'static str,
}

const RULES: [Rule; 5] = [
    Rule { table: "job_run", time: "due_ms", days_max: 90, rows_max: 10_000, may_go: "ended_ms IS NOT NULL" },
    Rule {
        table: "proposal",
        time: "created_ms",
        days_max: 365,
        rows_max: 10_000,
        may_go: "state NOT IN ('waiting', 'recheck')",
    },
    Rule { table: "model_call", time: "began_ms", days_max: 365, rows_max: 1_000_000, may_go: "ended_ms IS NOT NULL" },
    // The transcript is the truth, and a conversation that is used again gets its row again.
    Rule { table: "session", time: "started_ms", days_max: 365, rows_max: 10_000, may_go: "true" },
    // A text that is still shown is as young as its newest view.
    Rule { table: "view_part", time: "shown_ms", days_max: 365, rows_max: 200_000, may_go: "true" },
];

impl AgentDb {
    /// Writes the log back if it has grown beyond its bound.
    pub async fn bound_log(&self) -> Result<(), MemoryError> {
        let log = self.path().with_extension("db-wal");
        match std::fs::metadata(&log) {
            Ok(metadata) if metadata.len() > LOG_BYTES_MAX => self.truncate_log().await,
            Ok(_) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(MemoryError::File { action: "look at", path: log, source }),
        }
    }

    /// Removes rows that are too old or too many; tells how many.
    pub async fn retain_rows(&self, now_ms: i64) -> Result<u64, MemoryError> {
        let mut removed = 0;
        for rule in &RULES {
            let Rule { table, time, may_go, rows_max, .. } = rule;
            let oldest_ms = now_ms - rule.days_max * DAY_MS;
            // With fewer rows than the bound the inner query is NULL, and a comparison with NULL removes nothing.
            let sql = format!(
                "DELETE FROM {table} WHERE rowid IN (
                     SELECT rowid FROM {table} WHERE ({may_go}) AND ({time} < ?1 OR {time} < (
                         SELECT {time} FROM {table} ORDER BY {time} DESC LIMIT 1 OFFSET {rows_max} - 1))
                     ORDER BY {time} LIMIT {BATCH_ROWS})"
            );
            removed += self.remove_in_batches(&sql, oldest_ms).await?;
        }
        Ok(removed)
    }

    async fn remove_in_batches(&self, sql: &str, oldest_ms: i64) -> Result<u64, MemoryError> {
        let action = "remove old rows";
        let mut removed = 0;
        loop {
            let mut transaction = self.lazy(action).await?;
            let statement = sqlx::query(AssertSqlSafe(sql.to_owned())).bind(oldest_ms);
            let batch = statement.execute(&mut *transaction).await.map_err(failed(action))?.rows_affected();
            transaction.commit().await.map_err(failed(action))?;
            removed += batch;
            if batch < u64::from(BATCH_ROWS) {
                return Ok(removed);
            }
        }
    }

    /// Removes the oldest days of the daily logs in `folder`, with their records in the index, until what is left is
    /// neither too old nor too much; tells how many days. `oldest_name` names the first day that is kept by its age.
    pub async fn retain_logs(&self, folder: &Path, oldest_name: &str) -> Result<u64, MemoryError> {
        let files = log_files(folder)?;
        let mut bytes: u64 = files.iter().map(|(_, length)| length).sum();
        let mut removed = 0;
        // The last file is the one that is written.
        let past = files.len().saturating_sub(1);
        for (name, length) in files.into_iter().take(past) {
            let is_old = name.as_str() < oldest_name;
            if !is_old && bytes <= LOG_BYTES_IN_ALL_MAX && self.episodes().await? <= RECORDS_MAX {
                break;
            }
            // The file goes first: records of a file that is gone leave the index at the next start, but the
            // records of one that is still there would come back.
            remove_if_there(&folder.join(&name))?;
            self.remove_of_file(&name).await?;
            bytes -= length;
            removed += 1;
        }
        Ok(removed)
    }
}

/// The oldest time of a record that is kept by its age, Unix milliseconds.
#[must_use]
pub fn oldest_record_ms(now_ms: i64) -> i64 {
    now_ms - LOG_DAYS_MAX * DAY_MS
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use robot::ProposalId;

    use super::*;
    use crate::ProposalRow;
    use crate::episodic::{DailyLogs, Episode, EpisodeOrigin, EpisodeRole};

    const NOW_MS: i64 = 1_772_990_000_000;

    #[tokio::test]
    async fn st_08_proposals_that_wait_stay_and_old_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let old_ms = NOW_MS - 366 * DAY_MS;
        for (id, state, created_ms) in
            [("pr-1", "done", old_ms), ("pr-2", "waiting", old_ms), ("pr-3", "done", NOW_MS - 364 * DAY_MS)]
        {
            let row = ProposalRow { created_ms, ..crate::stores::proposal::tests::row(id, state, 1) };
            db.save_proposal(&row).await.unwrap();
        }
        assert_eq!(db.retain_rows(NOW_MS).await.unwrap(), 1);
        let left: Vec<ProposalId> = db.proposals(9).await.unwrap().into_iter().map(|row| row.id).collect();
        assert_eq!(left, ["pr-3", "pr-2"]);
    }

    #[tokio::test]
    async fn st_08_a_day_that_is_too_old_goes_whole_with_its_records() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let mut logs = DailyLogs::new(folder.path().to_owned(), TimeZone::UTC);
        let ages = [400, 366, 365, 1, 0];
        let records: Vec<Episode> = ages
            .iter()
            .map(|days| {
                let by = EpisodeOrigin { name: "station".to_owned(), trust: robot::Trust::Trusted };
                Episode::new(format!("ep-{days}"), NOW_MS - days * DAY_MS, EpisodeRole::System, "a day".into(), by)
            })
            .collect();
        logs.append(&records).unwrap();
        db.index_logs(folder.path()).await.unwrap();
        let oldest = logs.name_at(oldest_record_ms(NOW_MS));
        assert_eq!(db.retain_logs(folder.path(), &oldest).await.unwrap(), 2);
        assert_eq!((db.episodes().await.unwrap(), log_files(folder.path()).unwrap().len()), (3, 3));
    }
}
