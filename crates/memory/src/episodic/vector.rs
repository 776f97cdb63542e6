//! Records by their meaning: where a model for embeddings has placed them, and which are nearest to a query. Only the
//! newest records have a place, so that one look at all of them stays short.

use std::cmp::Ordering;

use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::cut_to;
use super::search::{Filters, Stored, stored};
use crate::error::failed;
use crate::{AgentDb, MemoryError, word};

/// Records that have a place: the newest. At 1,536 numbers each this is 24 MB.
pub const PLACED_MAX: u32 = 4_096;
/// Numbers of one place; models give 256 to 4,096.
pub const DIMENSIONS_MAX: usize = 4_096;
/// Characters of a record that its place is made from: models read no more at once.
const TEXT_CHARS_MAX: usize = 2_000;

/// A record without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unplaced {
    /// Its number in the index.
    pub n: i64,
    /// All its words; a place is taken for these only.
    content: String,
}

/// The part of meaning in a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The model that has placed the query.
    pub model: String,
    /// The place of the query.
    pub place: Vec<f32>,
    /// Weight of meaning, 0 to 1; the rest is that of words.
    pub weight: f64,
    /// Less is no hit.
    pub least: f64,
    /// Candidates looked at for each hit, by meaning and by words.
    pub candidates: usize,
}

impl Unplaced {
    /// The text for a model to place.
    #[must_use]
    pub fn text(&self) -> String {
        cut_to(&self.content, TEXT_CHARS_MAX)
    }
}

impl AgentDb {
    /// The newest `limit` records that `model` has not placed.
    pub async fn unplaced_episodes(&self, model: &str, limit: u32) -> Result<Vec<Unplaced>, MemoryError> {
        let rows = sqlx::query(
            "SELECT newest.n AS n, newest.content AS content
             FROM (SELECT n, content FROM episodic ORDER BY n DESC LIMIT ?2) AS newest
             LEFT JOIN episodic_vector AS placed ON placed.n = newest.n AND placed.model = ?1
             WHERE placed.n IS NULL ORDER BY newest.n DESC LIMIT ?3",
        )
        .bind(model)
        .bind(PLACED_MAX)
        .bind(limit)
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read which records have no place"))?;
        Ok(rows.iter().map(|row| Unplaced { n: row.get("n"), content: row.get("content") }).collect())
    }

    /// Keeps where `model` has placed records, in the order of both lists, and gives up the places of older records and
    /// of other models. A record that is gone, or says something else by now, gets none.
    pub async fn place_episodes(
        &self,
        model: &str,
        records: &[Unplaced],
        places: &[Vec<f32>],
    ) -> Result<(), MemoryError> {
        let action = "keep where records stand";
        let mut transaction = self.lazy(action).await?;
        // Compared with its words as they were placed: a record may have been forgotten while the model worked,
        // and a place of the old words would go on finding them.
        for (record, place) in records.iter().zip(places) {
            sqlx::query(
                "INSERT OR REPLACE INTO episodic_vector (n, model, vector)
                 SELECT n, ?2, ?3 FROM episodic WHERE n = ?1 AND content = ?4",
            )
            .bind(record.n)
            .bind(model)
            .bind(blob(place))
            .bind(&record.content)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        }
        sqlx::query(
            "DELETE FROM episodic_vector WHERE model <> ?1
                 OR n NOT IN (SELECT n FROM episodic ORDER BY n DESC LIMIT ?2)",
        )
        .bind(model)
        .bind(PLACED_MAX)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }
}

/// The records that stand nearest to the query, with how near, best first.
pub(super) async fn nearest(
    connection: &mut SqliteConnection,
    near: &Near,
    filters: &Filters,
    limit: usize,
) -> Result<Vec<Stored>, sqlx::Error> {
    let place = normalised(&near.place);
    let rows = sqlx::query(
        "SELECT v.n AS n, v.vector AS vector FROM episodic_vector AS v JOIN episodic AS e ON e.n = v.n
         WHERE v.model = ?1 AND (?2 IS NULL OR e.at_ms >= ?2) AND (?3 IS NULL OR e.at_ms < ?3)
             AND (?4 IS NULL OR e.role = ?4) AND (?5 IS NULL OR e.mission_id = ?5)",
    )
    .bind(&near.model)
    .bind(filters.since_ms)
    .bind(filters.until_ms)
    .bind(filters.role.as_ref().map(word))
    .bind(filters.mission.as_deref())
    .fetch_all(&mut *connection)
    .await?;
    let similarity = |row: &sqlx::sqlite::SqliteRow| Some((row.get("n"), cosine(&place, row.get("vector"))?));
    let mut nearest: Vec<(i64, f64)> = rows.iter().filter_map(similarity).filter(|(_, near)| *near > 0.0).collect();
    nearest.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal).then(b.0.cmp(&a.0)));
    nearest.truncate(limit);
    // Words are read for the nearest alone; the places of all are large enough.
    let mut found = Vec::with_capacity(nearest.len());
    for (n, similarity) in nearest {
        let row = sqlx::query(
            "SELECT n, id, at_ms, role, content, terms, origin, trust, mission_id, cause, 0.0 AS rank
             FROM episodic WHERE n = ?1",
        )
        .bind(n)
        .fetch_one(&mut *connection)
        .await?;
        let mut record = stored(&row);
        record.similarity = similarity;
        found.push(record);
    }
    Ok(found)
}

/// Relevance of a record by words and meaning together; `relevance` is 0 if it holds no word of the query.
pub(super) fn hybrid(near: &Near, relevance: f64, similarity: f64) -> f64 {
    // BM25 has no upper bound: a logistic curve brings a match to between 0.5 and 1.
    let by_words = if relevance > 0.0 { 1.0 / (1.0 + (-relevance).exp()) } else { 0.0 };
    near.weight * similarity.clamp(0.0, 1.0) + (1.0 - near.weight) * by_words
}

/// The same direction with length 1; what has no direction stays as it is.
fn normalised(place: &[f32]) -> Vec<f32> {
    let length = place.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 && length.is_finite() {
        place.iter().map(|number| number / length).collect()
    } else {
        place.to_vec()
    }
}

fn blob(place: &[f32]) -> Vec<u8> {
    normalised(place).iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Cosine similarity of a stored place and `place`, both of length 1; none if the numbers of dimensions differ.
fn cosine(place: &[f32], stored: &[u8]) -> Option<f64> {
    if stored.len() != size_of_val(place) {
        return None;
    }
    let numbers = stored.chunks_exact(size_of::<f32>()).map(|bytes| {
        let mut number = [0; size_of::<f32>()];
        number.copy_from_slice(bytes);
        f32::from_le_bytes(number)
    });
    let product: f32 = place.iter().zip(numbers).map(|(a, b)| a * b).sum();
    Some(f64::from(product)).filter(|product| product.is_finite())
}

#[cfg(test)]
mod tests;
