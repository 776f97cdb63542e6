//! The table `audit`: lines in order, only ever appended to. What a line says is the station's; here it is text.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, Transaction};

use super::{StationDb, failed, signed, unsigned};
use crate::MemoryError;

/// A record as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    /// Its number.
    pub seq: u64,
    /// The record, one line of JSON.
    pub record: String,
}

/// A signed end of the chain, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchorLine {
    /// The record it is about.
    pub seq: u64,
    /// The anchor, one line of JSON.
    pub anchor: String,
}

/// The action that an error names.
const APPEND: &str = "append to the audit";

impl StationDb {
    /// Appends records in one transaction; committed when this returns.
    pub async fn append_audit(&self, lines: &[AuditLine]) -> Result<(), MemoryError> {
        let mut transaction = self.pool.begin().await.map_err(failed(APPEND))?;
        append(&mut transaction, lines).await?;
        transaction.commit().await.map_err(failed(APPEND))
    }

    /// Appends an anchor; one that stands there stays.
    pub async fn append_anchor(&self, line: &AnchorLine) -> Result<(), MemoryError> {
        sqlx::query("INSERT INTO audit_anchor (seq, anchor) VALUES (?1, ?2) ON CONFLICT (seq) DO NOTHING")
            .bind(signed(line.seq))
            .bind(&line.anchor)
            .execute(&self.pool)
            .await
            .map_err(failed("save an anchor of the audit"))?;
        Ok(())
    }

    /// Every anchor with a number in `seqs`, oldest first.
    pub async fn anchors(&self, seqs: std::ops::RangeInclusive<u64>) -> Result<Vec<AnchorLine>, MemoryError> {
        let rows: Vec<(i64, String)> =
            sqlx::query_as("SELECT seq, anchor FROM audit_anchor WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq")
                .bind(signed(*seqs.start()))
                .bind(signed(*seqs.end()))
                .fetch_all(&self.pool)
                .await
                .map_err(failed("read the anchors of the audit"))?;
        Ok(rows.into_iter().map(|(seq, anchor)| AnchorLine { seq: unsigned(seq), anchor }).collect())
    }

    /// At most `limit` records after `after`, oldest first.
    pub async fn audit_after(&self, after: u64, limit: u32) -> Result<Vec<AuditLine>, MemoryError> {
        self.audit_lines("SELECT seq, record FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2", after, limit).await
    }

    /// The newest records, at most `limit`, oldest first.
    pub async fn audit_newest(&self, limit: u32) -> Result<Vec<AuditLine>, MemoryError> {
        let mut lines = self
            .audit_lines("SELECT seq, record FROM audit WHERE seq > ?1 ORDER BY seq DESC LIMIT ?2", 0, limit)
            .await?;
        lines.reverse();
        Ok(lines)
    }

    /// The number of the last record written before `at_ms` (Unix milliseconds); 0 if there is none. Where the clock
    /// was set back, times come twice, and it is the last before one of them.
    pub async fn audit_before(&self, at_ms: i64) -> Result<u64, MemoryError> {
        let newest = self.audit_newest(1).await?.first().map_or(0, |line| line.seq);
        // A chain may hold millions of records, and has no index of times.
        let (mut older, mut end) = (0, newest);
        while older < end {
            let middle = older + (end - older).div_ceil(2);
            let is_older: Option<bool> = sqlx::query_scalar(
                "SELECT coalesce(CASE WHEN json_valid(record) THEN json_extract(record, '$.at_wall') END < ?2, 1)
                FROM audit WHERE seq = ?1",
            )
            .bind(signed(middle))
            .bind(at_ms)
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read the audit"))?;
            // A record that is missing or has no time is no reason to leave out those after it that have one.
            if is_older.unwrap_or(true) {
                older = middle;
            } else {
                end = middle - 1;
            }
        }
        Ok(older)
    }

    /// The record `seq`, if it is there.
    pub async fn audit_record(&self, seq: u64) -> Result<Option<AuditLine>, MemoryError> {
        let found = self.audit_lines("SELECT seq, record FROM audit WHERE seq = ?1 LIMIT ?2", seq, 1).await?;
        Ok(found.into_iter().next())
    }

    /// The records that stops, their releases, approvals and the mark of the audit must have, oldest first.
    pub async fn audit_evidence(&self) -> Result<Vec<AuditLine>, MemoryError> {
        // The condition is spelled as in the index, or SQLite cannot use it; INDEXED BY then fails
        // instead of reading every record.
        let sql = "SELECT seq, record FROM audit INDEXED BY audit_evidence WHERE
            CASE WHEN json_valid(record) THEN json_extract(record, '$.operation') END
            IN ('stop', 'stop_release', 'standing_approval', 'approval', 'audit_mark')
            AND seq > ?1 ORDER BY seq LIMIT ?2";
        self.audit_lines(sql, 0, u32::MAX).await
    }

    /// The newest record of an accepted configuration. A record of a refusal is none, whatever was called.
    pub async fn audit_settings(&self) -> Result<Option<AuditLine>, MemoryError> {
        let sql = "SELECT seq, record FROM audit INDEXED BY audit_settings WHERE
            CASE WHEN json_valid(record) THEN json_extract(record, '$.operation') END = 'settings'
            AND json_extract(record, '$.outcome') = 'ok' AND json_extract(record, '$.origin') = 'station'
            AND seq > ?1 ORDER BY seq DESC LIMIT ?2";
        Ok(self.audit_lines(sql, 0, 1).await?.into_iter().next())
    }

    /// The newest anchor with a number up to `last`.
    pub async fn newest_anchor(&self, last: u64) -> Result<Option<AnchorLine>, MemoryError> {
        let row: Option<(i64, String)> =
            sqlx::query_as("SELECT seq, anchor FROM audit_anchor WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1")
                .bind(signed(last))
                .fetch_optional(&self.pool)
                .await
                .map_err(failed("read the anchors of the audit"))?;
        Ok(row.map(|(seq, anchor)| AnchorLine { seq: unsigned(seq), anchor }))
    }

    async fn audit_lines(&self, sql: &'static str, after: u64, limit: u32) -> Result<Vec<AuditLine>, MemoryError> {
        let rows = sqlx::query(sql).bind(signed(after)).bind(limit).fetch_all(&self.pool).await;
        let line = |row: &SqliteRow| AuditLine { seq: unsigned(row.get("seq")), record: row.get("record") };
        Ok(rows.map_err(failed("read the audit"))?.iter().map(line).collect())
    }
}

pub(super) async fn append(transaction: &mut Transaction<'_, Sqlite>, lines: &[AuditLine]) -> Result<(), MemoryError> {
    for line in lines {
        // A number that is taken fails the whole batch: two writers of one chain are a fault, never merged.
        sqlx::query("INSERT INTO audit (seq, record) VALUES (?1, ?2)")
            .bind(signed(line.seq))
            .bind(&line.record)
            .execute(&mut **transaction)
            .await
            .map_err(failed(APPEND))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(seqs: std::ops::RangeInclusive<u64>) -> Vec<AuditLine> {
        seqs.map(|seq| AuditLine { seq, record: format!("{{\"seq\":{seq}}}") }).collect()
    }

    async fn open(folder: &tempfile::TempDir) -> StationDb {
        StationDb::open(&folder.path().join("station.db")).await.unwrap()
    }

    #[tokio::test]
    async fn records_come_back_in_order_and_by_page() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder).await;
        db.append_audit(&lines(1..=5)).await.unwrap();
        db.close().await;
        let db = open(&folder).await;
        assert_eq!(db.audit_after(1, 2).await.unwrap(), lines(2..=3));
        assert_eq!(db.audit_newest(2).await.unwrap(), lines(4..=5));
        assert_eq!(db.audit_after(5, 2).await.unwrap(), []);
    }

    #[tokio::test]
    async fn records_of_a_time_are_found_by_it() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder).await;
        assert_eq!(db.audit_before(5).await.unwrap(), 0, "an empty audit");
        let line = |seq: u64| AuditLine { seq, record: format!("{{\"at_wall\":{}}}", 10 * seq) };
        db.append_audit(&(1..=9).map(line).collect::<Vec<_>>()).await.unwrap();
        for (at_ms, before) in [(i64::MIN, 0), (10, 0), (11, 1), (50, 4), (51, 5), (90, 8), (91, 9), (i64::MAX, 9)] {
            assert_eq!(db.audit_before(at_ms).await.unwrap(), before, "before {at_ms}");
        }
    }

    #[tokio::test]
    async fn no_refusal_and_nobodys_call_stands_before_the_accepted_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder).await;
        let line = |seq, outcome: &str, origin: &str| {
            let record = format!(r#"{{"operation":"settings","outcome":"{outcome}","origin":"{origin}"}}"#);
            AuditLine { seq, record }
        };
        let accepted = line(1, "ok", "station");
        let others = [line(2, "unknown_operation", "station"), line(3, "ok", "program")];
        db.append_audit(std::slice::from_ref(&accepted)).await.unwrap();
        db.append_audit(&others).await.unwrap();
        assert_eq!(db.audit_settings().await.unwrap(), Some(accepted));
    }

    #[tokio::test]
    async fn a_batch_is_appended_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder).await;
        db.append_audit(&lines(2..=2)).await.unwrap();
        assert!(db.append_audit(&lines(1..=3)).await.is_err());
        assert_eq!(db.audit_after(0, 9).await.unwrap(), lines(2..=2));
    }

    #[tokio::test]
    async fn no_statement_edits_or_shortens_the_audit() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder).await;
        db.append_audit(&lines(1..=2)).await.unwrap();
        for sql in ["UPDATE audit SET record = '{}' WHERE seq = 1", "DELETE FROM audit WHERE seq = 1"] {
            assert!(sqlx::query(sql).execute(&db.pool).await.is_err(), "{sql}");
        }
        assert_eq!(db.audit_after(0, 9).await.unwrap(), lines(1..=2));
    }
}
