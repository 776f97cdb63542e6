//! The ledger: one row for each call of a model, what it was shown, and what people have added to budgets.

mod view;

pub use view::ViewPart;

use robot::{ConversationId, TurnId};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, Transaction};

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// The `outcome` of a call under way.
const RUNNING: &str = "running";
/// The `outcome` of a call under which the process died.
const INTERRUPTED: &str = "interrupted";

/// A call that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BegunCall {
    /// `mc-<uuid>`; its order is that of beginning.
    pub id: String,
    /// UTC milliseconds.
    pub began_ms: i64,
    /// The conversation.
    pub session: ConversationId,
    /// The turn; a warm-up has none.
    pub turn: Option<TurnId>,
    /// The mission it is for.
    pub mission: Option<String>,
    /// The word for what it is for.
    pub purpose: String,
    /// The operator's name of the provider; empty for the built-in interpreter.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The view that the model is shown, JSON; texts stand in it by their hash.
    pub view: String,
}

/// The end of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndedCall {
    /// UTC milliseconds.
    pub ended_ms: i64,
    /// `ok`, or the word for why there is no reply.
    pub outcome: String,
    /// The price it was reckoned by, JSON; none if there is none.
    pub price: Option<String>,
    /// Usage in the provider's words, JSON.
    pub usage_raw: Option<String>,
    /// The same in ours.
    pub tokens: CallTokens,
    /// Millionths of a US dollar; none if the price is not known.
    pub cost_microusd: Option<i64>,
}

/// Tokens of one call or several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallTokens {
    /// Read anew.
    pub in_fresh: i64,
    /// Read from a cache.
    pub cache_read: i64,
    /// Written to a cache for 5 minutes.
    pub cache_write_5m: i64,
    /// Written to a cache for an hour.
    pub cache_write_1h: i64,
    /// Written, reasoning included.
    pub out: i64,
    /// Of these, reasoning; none if the provider does not say.
    pub reasoning: Option<i64>,
    /// A guess by length.
    pub estimated: bool,
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCall {
    /// Its beginning.
    pub begun: BegunCall,
    /// Its end; none while it is under way.
    pub ended: Option<EndedCall>,
}

/// Cost of some calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Millionths of a US dollar, of calls with a known price.
    pub microusd: i64,
    /// Calls whose price is not known.
    pub unknown: i64,
}

/// Selects the calls that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted<'a> {
    /// Those of a turn.
    Turn(&'a TurnId),
    /// Those of a mission.
    Mission(&'a str),
    /// Those of a conversation.
    Session(&'a ConversationId),
    /// Those that began at this time or later, UTC milliseconds.
    Since(i64),
}

/// An addition by a person to a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetGrant {
    /// The word for the meter.
    pub meter: String,
    /// The turn, the mission or the day it is for.
    pub about: String,
    /// Millionths of a US dollar.
    pub microusd: i64,
    /// UTC milliseconds.
    pub granted_ms: i64,
    /// The person who granted it.
    pub granted_by: String,
}

impl AgentDb {
    /// Writes down that a call begins, with the parts of its view that are not kept yet.
    pub async fn begin_model_call(&self, call: &BegunCall, parts: &[ViewPart]) -> Result<(), MemoryError> {
        let action = "save the call of a model";
        let mut transaction = self.lazy(action).await?;
        // In the transaction of the call, so that no view names a text that is missing.
        view::save(&mut transaction, parts, call.began_ms).await.map_err(failed(action))?;
        sqlx::query(
            "INSERT INTO model_call (id, began_ms, session, turn, mission_id, purpose, provider, model, outcome, view)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )
        .bind(&call.id)
        .bind(call.began_ms)
        .bind(call.session.as_str())
        .bind(call.turn.as_ref().map(TurnId::as_str))
        .bind(&call.mission)
        .bind(&call.purpose)
        .bind(&call.provider)
        .bind(&call.model)
        .bind(RUNNING)
        .bind(&call.view)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Writes down how a call ended.
    pub async fn end_model_call(&self, id: &str, ended: &EndedCall) -> Result<(), MemoryError> {
        let action = "save how the call of a model ended";
        let mut transaction = self.lazy(action).await?;
        let EndedCall { ended_ms, outcome, price, usage_raw, tokens, cost_microusd } = ended;
        sqlx::query(
            "UPDATE model_call SET ended_ms = ?2, outcome = ?3, price = ?4, usage_raw = ?5, in_fresh = ?6,
                 cache_read = ?7, cache_write_5m = ?8, cache_write_1h = ?9, out = ?10, reasoning = ?11,
                 estimated = ?12, cost_microusd = ?13 WHERE id = ?1",
        )
        .bind(id)
        .bind(ended_ms)
        .bind(outcome)
        .bind(price)
        .bind(usage_raw)
        .bind(tokens.in_fresh)
        .bind(tokens.cache_read)
        .bind(tokens.cache_write_5m)
        .bind(tokens.cache_write_1h)
        .bind(tokens.out)
        .bind(tokens.reasoning)
        .bind(tokens.estimated)
        .bind(cost_microusd)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Ends the calls that an earlier process left under way: what they took is not known.
    pub async fn end_interrupted_calls(&self, now_ms: i64) -> Result<u64, MemoryError> {
        let action = "end the calls of an earlier run";
        let mut transaction = self.lazy(action).await?;
        let done = sqlx::query("UPDATE model_call SET outcome = ?1, ended_ms = ?2 WHERE outcome = ?3")
            .bind(INTERRUPTED)
            .bind(now_ms)
            .bind(RUNNING)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(done.rows_affected())
    }

    /// The newest `limit` calls that began at `since_ms` or later, newest first.
    pub async fn model_calls(&self, since_ms: i64, limit: u32) -> Result<Vec<StoredCall>, MemoryError> {
        let rows =
            sqlx::query("SELECT * FROM model_call WHERE began_ms >= ?1 ORDER BY began_ms DESC, id DESC LIMIT ?2")
                .bind(since_ms)
                .bind(limit)
                .fetch_all(&self.readers())
                .await
                .map_err(failed("read the calls of models"))?;
        Ok(rows.iter().map(stored).collect())
    }

    /// The calls of a turn, oldest first.
    pub async fn model_calls_of(&self, turn: &TurnId) -> Result<Vec<StoredCall>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM model_call WHERE turn = ?1 ORDER BY began_ms, id")
            .bind(turn.as_str())
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the calls of a turn"))?;
        Ok(rows.iter().map(stored).collect())
    }

    /// Cost of the counted calls.
    pub async fn spent(&self, counted: Counted<'_>) -> Result<Spent, MemoryError> {
        // A call under way has no cost yet, which is not the same as one whose price is unknown.
        let columns = "SELECT coalesce(sum(cost_microusd), 0) AS microusd,
             coalesce(sum(cost_microusd IS NULL AND ended_ms IS NOT NULL), 0) AS unknown FROM model_call WHERE";
        let (condition, text, number) = match counted {
            Counted::Turn(turn) => ("turn = ?1", Some(turn.as_str()), None),
            Counted::Mission(mission) => ("mission_id = ?1", Some(mission), None),
            Counted::Session(session) => ("session = ?1", Some(session.as_str()), None),
            Counted::Since(since_ms) => ("began_ms >= ?1", None, Some(since_ms)),
        };
        let statement = sqlx::query(sqlx::AssertSqlSafe(format!("{columns} {condition}")));
        let bound = match text {
            Some(text) => statement.bind(text),
            None => statement.bind(number),
        };
        let row = bound.fetch_one(&self.readers()).await.map_err(failed("add up what models cost"))?;
        Ok(Spent { microusd: row.get("microusd"), unknown: row.get("unknown") })
    }

    /// Saves what a person added to a budget.
    pub async fn add_budget_grant(&self, grant: &BudgetGrant) -> Result<(), MemoryError> {
        let action = "save the budget";
        let mut transaction: Transaction<'_, Sqlite> = self.durable(action).await?;
        sqlx::query(
            "INSERT INTO budget_grant (meter, about, microusd, granted_ms, granted_by) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .bind(&grant.meter)
        .bind(&grant.about)
        .bind(grant.microusd)
        .bind(grant.granted_ms)
        .bind(&grant.granted_by)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Grants of people to the budget of `meter` for `about`, in all, millionths of a US dollar.
    pub async fn granted(&self, meter: &str, about: &str) -> Result<i64, MemoryError> {
        sqlx::query_scalar("SELECT coalesce(sum(microusd), 0) FROM budget_grant WHERE meter = ?1 AND about = ?2")
            .bind(meter)
            .bind(about)
            .fetch_one(&self.readers())
            .await
            .map_err(failed("read the budget"))
    }
}

fn stored(row: &SqliteRow) -> StoredCall {
    let ended_ms: Option<i64> = row.get("ended_ms");
    StoredCall {
        begun: BegunCall {
            id: row.get("id"),
            began_ms: row.get("began_ms"),
            session: row.get::<String, _>("session").into(),
            turn: row.get::<Option<String>, _>("turn").map(TurnId::from),
            mission: row.get("mission_id"),
            purpose: row.get("purpose"),
            provider: row.get("provider"),
            model: row.get("model"),
            view: row.get("view"),
        },
        ended: ended_ms.map(|ended_ms| EndedCall {
            ended_ms,
            outcome: row.get("outcome"),
            price: row.get("price"),
            usage_raw: row.get("usage_raw"),
            tokens: CallTokens {
                in_fresh: row.get("in_fresh"),
                cache_read: row.get("cache_read"),
                cache_write_5m: row.get("cache_write_5m"),
                cache_write_1h: row.get("cache_write_1h"),
                out: row.get("out"),
                reasoning: row.get("reasoning"),
                estimated: row.get("estimated"),
            },
            cost_microusd: row.get("cost_microusd"),
        }),
    }
}

#[cfg(test)]
mod tests;
