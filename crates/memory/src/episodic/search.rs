//! Searching the records: candidates from the index, ranked in Rust, within a time limit and on connections that
//! nobody else waits for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use robot::Trust;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, Row};
use ts_rs::TS;

use super::EpisodeRole;
use super::excerpt::excerpt;
use super::query::{Match, Query, Term, expression, telling};
use super::rank::{Candidate, rank};
use super::vector::{Near, hybrid, nearest};
use crate::error::{failed, is_interrupted};
use crate::{AgentDb, MemoryError, of_word, word};

/// Candidates by relevance, and candidates by time.
const CANDIDATES_MAX: usize = 200;
/// Below so many records no word is common.
const COMMON_FROM: u64 = 1_000;
/// A word in more than one of so many records is common.
const COMMON_SHARE: u64 = 20;
/// Time that the cheap part of a search has beyond its limit: on the slowest disk a hundred times what it takes.
const AT_LEAST: Duration = Duration::from_secs(1);
/// Steps of the search engine between two looks at the clock: some ten microseconds.
const STEPS_PER_LOOK: i32 = 1_000;

/// Records a search is limited to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Recorded then or later, Unix milliseconds.
    pub since_ms: Option<i64>,
    /// Recorded before, Unix milliseconds.
    pub until_ms: Option<i64>,
    /// Of this role.
    pub role: Option<EpisodeRole>,
    /// Of this mission.
    pub mission: Option<String>,
}

/// A search: query, filters and limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// The words.
    pub query: Query,
    /// Their meaning, if a model has placed them; without it words alone decide.
    pub near: Option<Near>,
    /// Bounds on time, role and mission.
    pub filters: Filters,
    /// Hits at most.
    pub limit: usize,
    /// Days after which age has taken half of what it can take of a record's weight.
    pub half_life_days: f64,
    /// When to answer with what was found so far.
    pub time_limit: Duration,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MemoryHit {
    /// `ep-<uuid>`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub id: String,
    /// UTC, for example `2026-02-20T13:03:22.180Z`. Unix milliseconds here.
    #[serde(rename = "at", with = "super::utc")]
    #[schemars(with = "String", extend("x-vouched-by" = "trust"))]
    #[ts(rename = "at", type = "string")]
    pub at_ms: i64,
    /// Days since.
    pub age_days: f64,
    /// The kind of record.
    pub role: EpisodeRole,
    /// At most 500 characters of it, around the match.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub content: String,
    /// The speaker or actor, for example `operator(dana)`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub origin: String,
    /// Trust level of the record.
    pub trust: Trust,
    /// The mission it belongs to.
    pub mission: Option<String>,
    /// The record that led to it.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub cause: Option<String>,
    /// Relevance, weighed by age.
    pub score: f64,
    /// Relevance to the query, above 0.
    pub relevance: f64,
}

/// The answer of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Best first.
    pub hits: Vec<MemoryHit>,
    /// The time was over before every record was looked at. Without a hit nobody knows whether there is one.
    pub is_partial: bool,
}

/// The records that the index gave, before they are ranked.
#[derive(Debug, Default)]
struct Gathered {
    rows: Vec<Stored>,
    /// The newest matches, not weighed: what there is to show if the time is over before anything was.
    unweighed: Vec<Stored>,
    terms: Vec<Term>,
    rarest: Option<Term>,
}

#[derive(Debug)]
pub(super) struct Stored {
    pub n: i64,
    pub id: String,
    pub at_ms: i64,
    /// Relevance by words; 0 if none of them matches.
    pub relevance: f64,
    /// Similarity of meaning, 0 to 1; 0 if it is not known.
    pub similarity: f64,
    role: EpisodeRole,
    content: String,
    terms: String,
    origin: String,
    trust: Trust,
    mission: Option<String>,
    cause: Option<String>,
}

impl AgentDb {
    /// The records that fit `search` best, ages taken from `now_ms`.
    pub async fn search_episodes(&self, search: &Search, now_ms: i64) -> Result<Found, MemoryError> {
        let action = "search the records";
        let mut connection = self.searchers().acquire().await.map_err(failed(action))?;
        // SQLite works on a thread of its own, where a dropped future ends nothing; its progress handler does.
        let asked = Asked::default();
        let over = &asked.0;
        let looked_at = Arc::clone(over);
        let go_on = move || !looked_at.ends_now();
        connection.lock_handle().await.map_err(failed(action))?.set_progress_handler(STEPS_PER_LOOK, go_on);
        let mut gathered = Gathered::default();
        let result = {
            let gathering = gather(&mut connection, search, &mut gathered, &over.has_some);
            tokio::pin!(gathering);
            // The limits set flags instead of dropping the search, so that what was gathered by then
            // can be ranked.
            let mut limits = [(search.time_limit, &over.is_over), (AT_LEAST, &over.is_long_over)].into_iter();
            loop {
                let Some((limit, passed)) = limits.next() else { break gathering.await };
                tokio::select! {
                    result = &mut gathering => break result,
                    () = tokio::time::sleep(limit) => passed.store(true, Ordering::Relaxed),
                }
            }
        };
        // The connection goes back to the pool, and the next search has limits of its own.
        connection.lock_handle().await.map_err(failed(action))?.remove_progress_handler();
        let is_partial = match result {
            Ok(()) => false,
            // SQLite reports a statement that the handler ended as an error.
            Err(error) if is_interrupted(&error) => true,
            Err(error) => return Err(failed(action)(error)),
        };
        Ok(Found { hits: hits(gathered, search, is_partial, now_ms), is_partial })
    }
}

/// When a search has to end. The cheap part of it has some time for itself: an answer of nothing would be taken for
/// one.
#[derive(Debug, Default)]
struct Over {
    is_over: AtomicBool,
    is_long_over: AtomicBool,
    has_some: AtomicBool,
}

/// Somebody waits for the answer. Once nobody does the search ends: it works on a thread of its own.
#[derive(Debug, Default)]
struct Asked(Arc<Over>);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.is_long_over.store(true, Ordering::Relaxed);
    }
}

impl Over {
    fn ends_now(&self) -> bool {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is(&self.is_long_over) || (is(&self.is_over) && is(&self.has_some))
    }
}

/// Collects candidates into `gathered`, the cheapest first, so that what is there when time is over can be ranked.
async fn gather(
    connection: &mut SqliteConnection,
    search: &Search,
    gathered: &mut Gathered,
    has_some: &AtomicBool,
) -> Result<(), sqlx::Error> {
    let matching = search.query.matching();
    gathered.terms = search.query.terms().to_vec();
    let wanted = expression(&gathered.terms, matching);
    gathered.unweighed = candidates(connection, Order::NewestUnweighed, &wanted, &search.filters, search.limit).await?;
    has_some.store(true, Ordering::Relaxed);
    if gathered.terms.len() > 1 {
        let (total, occurrences) = occurrences(connection, &gathered.terms).await?;
        let found = gathered.terms.iter().zip(&occurrences).filter(|(_, count)| **count > 0);
        gathered.rarest = found.min_by_key(|(_, count)| **count).map(|(term, _)| term.clone());
        if matching == Match::Any && total >= COMMON_FROM {
            gathered.terms = telling(&gathered.terms, &occurrences, total / COMMON_SHARE);
        }
    }
    let wanted = expression(&gathered.terms, matching);
    let best = candidates(connection, Order::Relevance, &wanted, &search.filters, CANDIDATES_MAX).await?;
    let is_all = best.len() < CANDIDATES_MAX;
    add(&mut gathered.rows, best);
    if let Some(near) = &search.near {
        gathered.rows.truncate(search.limit.saturating_mul(near.candidates));
        let limit = search.limit.saturating_mul(near.candidates).min(CANDIDATES_MAX);
        add(&mut gathered.rows, nearest(connection, near, &search.filters, limit).await?);
        return Ok(());
    }
    // Every match is there already, so the newest are among them.
    if is_all {
        return Ok(());
    }
    let newest = candidates(connection, Order::Newest, &wanted, &search.filters, CANDIDATES_MAX).await?;
    add(&mut gathered.rows, newest);
    // The ranking keeps a place for the newest record with the rarest term, so it has to be a candidate.
    if let (Some(rarest), Match::Any) = (&gathered.rarest, matching) {
        let rarest = expression([rarest], matching);
        let newest = candidates(connection, Order::Newest, &rarest, &search.filters, 1).await?;
        add(&mut gathered.rows, newest);
    }
    Ok(())
}

fn add(rows: &mut Vec<Stored>, more: Vec<Stored>) {
    for row in more {
        match rows.iter_mut().find(|known| known.n == row.n) {
            Some(known) => known.similarity = known.similarity.max(row.similarity),
            None => rows.push(row),
        }
    }
}

/// About how many records there are, and in how many of them each term occurs; counting ends just above what is common.
async fn occurrences(connection: &mut SqliteConnection, terms: &[Term]) -> Result<(u64, Vec<u64>), sqlx::Error> {
    // Asked for both at once, the engine would read every row.
    let ends = "SELECT coalesce((SELECT max(n) FROM episodic) - (SELECT min(n) FROM episodic) + 1, 0)";
    let total: i64 = sqlx::query_scalar(ends).fetch_one(&mut *connection).await?;
    let total = u64::try_from(total).unwrap_or(0);
    let quoted: Vec<String> = terms.iter().map(Term::quoted).collect();
    let counted: Vec<i64> = sqlx::query_scalar(
        "SELECT (SELECT count(*) FROM (SELECT 1 FROM episodic_fts WHERE episodic_fts MATCH term.value LIMIT ?2))
         FROM json_each(?1) AS term ORDER BY term.key",
    )
    .bind(Json(quoted))
    .bind(i64::try_from(total / COMMON_SHARE + 1).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    Ok((total, counted.into_iter().map(|count| u64::try_from(count).unwrap_or(0)).collect()))
}

#[derive(Debug, Clone, Copy)]
enum Order {
    Relevance,
    Newest,
    /// By number alone: how well each fits is not worked out, which takes a look at every match.
    NewestUnweighed,
}

async fn candidates(
    connection: &mut SqliteConnection,
    order: Order,
    wanted: &str,
    filters: &Filters,
    limit: usize,
) -> Result<Vec<Stored>, sqlx::Error> {
    // Rows are numbered in the order in which they were recorded.
    let (order, rank) = match order {
        Order::Relevance => ("found.rank", "found.rank"),
        Order::Newest => ("found.rowid DESC", "found.rank"),
        // A constant: the real rank would have SQLite weigh every match.
        Order::NewestUnweighed => ("found.rowid DESC", "-1.0"),
    };
    // CROSS JOIN fixes the order: matches come from the index, and rows are looked up by number.
    let sql = format!(
        "SELECT e.n, e.id, e.at_ms, e.role, e.content, e.terms, e.origin, e.trust, e.mission_id, e.cause,
             {rank} AS rank
         FROM episodic_fts AS found CROSS JOIN episodic AS e ON e.n = found.rowid
         WHERE episodic_fts MATCH ?1 AND (?2 IS NULL OR e.at_ms >= ?2) AND (?3 IS NULL OR e.at_ms < ?3)
             AND (?4 IS NULL OR e.role = ?4) AND (?5 IS NULL OR e.mission_id = ?5)
         ORDER BY {order} LIMIT ?6"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(wanted)
        .bind(filters.since_ms)
        .bind(filters.until_ms)
        .bind(filters.role.as_ref().map(word))
        .bind(filters.mission.as_deref())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(connection)
        .await?;
    Ok(rows.iter().map(stored).collect())
}

/// A row of the index. A trust level that cannot be read counts as untrusted text.
pub(super) fn stored(row: &SqliteRow) -> Stored {
    Stored {
        n: row.get("n"),
        id: row.get("id"),
        at_ms: row.get("at_ms"),
        // FTS5 gives better matches a lower, negative rank.
        relevance: -row.get::<f64, _>("rank"),
        similarity: 0.0,
        role: of_word(row.get("role")).unwrap_or(EpisodeRole::System),
        content: row.get("content"),
        terms: row.get("terms"),
        origin: row.get("origin"),
        trust: of_word(row.get("trust")).unwrap_or(Trust::Text),
        mission: row.get("mission_id"),
        cause: row.get("cause"),
    }
}

fn hits(gathered: Gathered, search: &Search, is_partial: bool, now_ms: i64) -> Vec<MemoryHit> {
    let Gathered { mut rows, unweighed, terms, rarest } = gathered;
    // Unranked matches are better than an empty answer, which would read as no match.
    if rows.is_empty() && is_partial {
        rows = unweighed;
    }
    if let Some(near) = &search.near {
        rows.iter_mut().for_each(|row| row.relevance = hybrid(near, row.relevance, row.similarity));
        rows.retain(|row| row.relevance >= near.least);
    }
    let candidates: Vec<Candidate> = rows
        .iter()
        .map(|row| Candidate {
            id: row.id.clone(),
            at_ms: row.at_ms,
            relevance: row.relevance,
            // A single term is the rarest one, and every match holds it.
            holds_rarest: rarest.as_ref().is_none_or(|rarest| rarest.is_in(&row.terms)),
        })
        .collect();
    let ranked = rank(&candidates, now_ms, search.half_life_days, search.limit);
    let hit = |ranked: super::rank::Ranked| {
        let row = &rows[ranked.index];
        MemoryHit {
            id: row.id.clone(),
            at_ms: row.at_ms,
            age_days: ranked.age_days,
            role: row.role,
            content: excerpt(&row.content, &terms),
            origin: row.origin.clone(),
            trust: row.trust,
            mission: row.mission.clone(),
            cause: row.cause.clone(),
            score: ranked.score,
            relevance: row.relevance,
        }
    };
    ranked.into_iter().map(hit).collect()
}

#[cfg(test)]
mod tests;
