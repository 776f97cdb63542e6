//! Removes forgotten texts from every table, whatever the table is for: a text that is nowhere cannot be missed.

use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, Row, Sqlite, Transaction};

use super::registry::{AGENT, Holds, Table};
use super::{Forgetting, Places, Removal};
use crate::database::backup::{copy, list};
use crate::episodic::fold;
use crate::error::failed;
use crate::files::remove_if_there;
use crate::{AgentDb, MemoryError};

/// Rows that are looked at in one transaction.
pub(super) const ROWS_MAX: i64 = 1_000;
/// The table of the records.
const INDEX: &str = "episodic";
const ACTION: &str = "take what is forgotten out of the tables";

impl AgentDb {
    /// Removes the records from the index, and their texts from every table.
    pub async fn forget_rows(&self, removal: &Removal, replaced: &[String]) -> Result<Places, MemoryError> {
        let Removal { forgetting, needles, .. } = removal;
        let mut places = Places::new();
        if let Some(belief) = &forgetting.belief {
            self.erase_belief(belief).await?;
            places.insert("beliefs".into(), 1);
        }
        let removed = self.remove_records(forgetting, replaced).await?;
        if removed > 0 {
            places.insert("index".into(), removed);
        }
        if needles.is_empty() {
            return Ok(places);
        }
        for table in AGENT {
            let mut after = i64::MIN;
            loop {
                // One transaction for each part, so that other writers get their turn in between.
                let mut transaction = self.durable(ACTION).await?;
                let (last, changed) = forget_in(&mut transaction, table, after, removal).await?;
                transaction.commit().await.map_err(failed(ACTION))?;
                if changed > 0 {
                    *places.entry(table.place().to_owned()).or_default() += changed;
                }
                let Some(last) = last else { break };
                after = last;
            }
        }
        Ok(places)
    }

    /// Writes the log back and empties it.
    pub async fn truncate_log(&self) -> Result<(), MemoryError> {
        let action = "write the log back";
        let busy: i64 = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .fetch_one(&self.writer())
            .await
            .map_err(failed(action))?
            .get(0);
        // A reader still holds an older snapshot. That is no failure: a later checkpoint empties the log.
        if busy != 0 {
            tracing::info!("the log is in use and is emptied later");
        }
        Ok(())
    }

    /// Writes the whole file anew, so that no free part of a page holds anything.
    pub async fn rewrite(&self) -> Result<(), MemoryError> {
        let _alone = self.copying().await;
        sqlx::query("VACUUM").execute(&self.writer()).await.map_err(failed("rewrite the database"))?;
        self.truncate_log().await
    }

    /// Makes a backup of what there is now and removes all older ones; tells how many.
    pub async fn replace_backups(&self, now_ms: i64) -> Result<u64, MemoryError> {
        let _alone = self.copying().await;
        let older = list(self.path(), now_ms)?;
        // Until there is a new one, an old one is better than none.
        let made = copy(self.path(), now_ms, "").await?;
        for backup in older.iter().filter(|backup| **backup != made) {
            remove_if_there(backup)?;
        }
        Ok(older.len() as u64)
    }

    async fn remove_records(&self, forgetting: &Forgetting, replaced: &[String]) -> Result<u64, MemoryError> {
        let ids: Vec<&str> = forgetting.records.iter().map(|record| record.id.as_str()).collect();
        let mut transaction = self.durable(ACTION).await?;
        let removed = sqlx::query("DELETE FROM episodic WHERE id IN (SELECT value FROM json_each(?1))")
            .bind(Json(ids))
            .execute(&mut *transaction)
            .await
            .map_err(failed(ACTION))?;
        // The rest of a replaced file is indexed again; records that are known are passed over.
        sqlx::query("UPDATE episodic_file SET bytes_indexed = 0 WHERE name IN (SELECT value FROM json_each(?1))")
            .bind(Json(replaced))
            .execute(&mut *transaction)
            .await
            .map_err(failed(ACTION))?;
        transaction.commit().await.map_err(failed(ACTION))?;
        Ok(removed.rows_affected())
    }
}

/// Looks at the rows after `after`: the last one, if there may be more, and how many were changed.
async fn forget_in(
    transaction: &mut Transaction<'static, Sqlite>,
    table: &Table,
    after: i64,
    removal: &Removal,
) -> Result<(Option<i64>, u64), MemoryError> {
    let columns: Vec<&str> = table.read().filter(|(_, holds)| *holds != Holds::Kept).map(|(name, _)| *name).collect();
    if columns.is_empty() {
        return Ok((None, 0));
    }
    // A number or a blob can hold the word as well, once it is read as text.
    let columns: Vec<String> =
        columns.iter().map(|column| format!("CAST({0} AS TEXT) AS {0}", quoted(column))).collect();
    let name = quoted(table.name);
    let sql = format!(
        "SELECT rowid, {} AS is_spent, {} FROM {name} WHERE rowid > ?1 ORDER BY rowid LIMIT {ROWS_MAX}",
        table.is_spent(),
        columns.join(", ")
    );
    let rows =
        sqlx::query(AssertSqlSafe(sql)).bind(after).fetch_all(&mut **transaction).await.map_err(failed(ACTION))?;
    let mut changed = 0;
    for row in &rows {
        changed += u64::from(forget_row(transaction, table, row, removal).await?);
    }
    let last = (rows.len() as i64 == ROWS_MAX).then(|| rows.last().map(|row| row.get(0))).flatten();
    Ok((last, changed))
}

async fn forget_row(
    transaction: &mut Transaction<'static, Sqlite>,
    table: &Table,
    row: &SqliteRow,
    removal: &Removal,
) -> Result<bool, MemoryError> {
    let Removal { forgetting, needles, readers } = removal;
    let rowid = row.get::<i64, _>(0);
    let mut kept: Vec<(&str, String)> = Vec::new();
    for (column, holds) in table.read() {
        match holds {
            Holds::Kept | Holds::Form | Holds::Made => continue,
            Holds::Words | Holds::Name => {}
        }
        let Some(text) = row.get::<Option<String>, _>(*column) else { continue };
        if *holds == Holds::Name && needles.is_in(&text) {
            return delete(transaction, table, rowid).await;
        }
        if (table.name, *column) == (INDEX, "content") && needles.is_in(&text) {
            // As in its daily log, from which the row is made anew one day.
            kept.push((column, forgetting.mark()));
            continue;
        }
        // Words without which the row could not be read stay, and are reported.
        let was_readable = !row.get::<bool, _>("is_spent") && table.is_readable(column, &text, readers);
        let is_readable = |text: &str| !was_readable || table.is_readable(column, text, readers);
        if let Some(without) = needles.replaced_if(&text, &forgetting.mark(), is_readable) {
            kept.push((column, without));
        }
    }
    for (column, without) in &kept {
        if (table.name, *column) == (INDEX, "content") {
            change_terms(transaction, rowid, without).await?;
        }
        // Another row may be called the same without it; then this one is called nothing.
        if !update(transaction, table, column, rowid, Some(without)).await?
            && !update(transaction, table, column, rowid, None).await?
        {
            return delete(transaction, table, rowid).await;
        }
    }
    Ok(!kept.is_empty())
}

/// False if the column cannot be so.
async fn update(
    transaction: &mut Transaction<'static, Sqlite>,
    table: &Table,
    column: &str,
    rowid: i64,
    text: Option<&String>,
) -> Result<bool, MemoryError> {
    let update = format!("UPDATE OR IGNORE {} SET {} = ?2 WHERE rowid = ?1", quoted(table.name), quoted(column));
    let update = sqlx::query(AssertSqlSafe(update)).bind(rowid).bind(text);
    Ok(update.execute(&mut **transaction).await.map_err(failed(ACTION))?.rows_affected() > 0)
}

async fn delete(
    transaction: &mut Transaction<'static, Sqlite>,
    table: &Table,
    rowid: i64,
) -> Result<bool, MemoryError> {
    let delete = AssertSqlSafe(format!("DELETE FROM {} WHERE rowid = ?1", quoted(table.name)));
    let deleted = sqlx::query(delete).bind(rowid).execute(&mut **transaction).await.map_err(failed(ACTION))?;
    Ok(deleted.rows_affected() > 0)
}

/// The terms of a record are made from its words, and the search index from the terms.
async fn change_terms(transaction: &mut Transaction<'static, Sqlite>, n: i64, kept: &str) -> Result<(), MemoryError> {
    let update = sqlx::query("UPDATE episodic SET terms = ?2 WHERE n = ?1").bind(n).bind(fold(kept));
    update.execute(&mut **transaction).await.map(drop).map_err(failed(ACTION))
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
