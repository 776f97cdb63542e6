//! Costs of models: one row for each call, failed and background ones included, and the budgets they draw on. A price
//! that nobody knows is unknown; it is never counted as nothing.

mod report;
mod view;

use std::sync::Arc;

use agent::{Bill, Bills, Policy, Usd};
use llm::{Caps, Embeddings, ModelError, ModelErrorKind, Reply, Request, Usage};
use memory::stores::model_calls::{BegunCall, BudgetGrant, CallTokens, Counted, EndedCall, Spent, ViewPart};
use memory::{AgentDb, MemoryError};
use robot::{ConversationId, TurnId};
use serde_json::Value;
use tokio::sync::{OwnedRwLockWriteGuard, RwLock};
use world::cron::Zone;

use runtime::clock::Clock;
use runtime::wire::{BudgetRow, BudgetsRow, Meter, word};

pub(crate) use report::export;

/// Purpose of a call that embeds texts.
const EMBEDDING: &str = "embedding";

/// The ledger of one agent. Clones write into the same one.
#[derive(Clone)]
pub(crate) struct Ledger {
    db: AgentDb,
    clock: Clock,
    /// Days are those of this place.
    zone: Zone,
    /// The number of times that something was forgotten. Held while something is, so that no word of before is
    /// written after it.
    forgotten: Arc<RwLock<u64>>,
}

/// The moment from which the words of a request are: those of before something was forgotten are not written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AsOf(u64);

/// No request is made from words, and none is written down, until this is dropped.
pub(crate) struct Forgets {
    _none_written: OwnedRwLockWriteGuard<u64>,
}

/// Conversation, turn and mission that a call belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub session: ConversationId,
    /// The turn; none for a call in the background.
    pub turn: Option<TurnId>,
    pub mission: Option<String>,
}

/// A call under way. Its row says so until [`Ledger::end`].
#[derive(Debug)]
pub(crate) struct OpenRow {
    id: String,
    caps: Caps,
}

/// The end of a call.
#[derive(Debug)]
pub(crate) enum Ending<'a> {
    /// With a reply.
    Replied(&'a Reply),
    /// With vectors, of a model for embeddings.
    Placed(&'a Embeddings),
    /// With an error; whether anything had been heard of the reply.
    Failed(&'a ModelError, bool),
    /// It was dropped; what had been reported until then.
    Dropped(Option<Usage>, bool),
}

/// Spending limits, micro-dollars; none where nobody has set a bound.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    pub turn: Option<i64>,
    pub day: Option<i64>,
    pub mission: Option<i64>,
}

/// A budget: spent so far and limit, micro-dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    pub spent: Spent,
    pub limit: Option<i64>,
}

/// The budgets that a turn draws on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budgets {
    pub turn: Option<Budget>,
    pub mission: Option<Budget>,
    pub day: Budget,
}

impl Ledger {
    pub fn new(db: AgentDb, clock: Clock, zone: Zone) -> Self {
        Self { db, clock, zone, forgotten: Arc::default() }
    }

    /// The moment from which words are that are read now. Waits while something is forgotten.
    pub async fn as_of(&self) -> AsOf {
        AsOf(*self.forgotten.read().await)
    }

    /// Begins to forget: what a model is shown of the words of before is not written down any more.
    pub async fn forget(&self) -> Forgets {
        let mut forgotten = Arc::clone(&self.forgotten).write_owned().await;
        // Counted up: words that were read before are told apart once the lock is free again.
        *forgotten += 1;
        Forgets { _none_written: forgotten }
    }

    /// Takes note of what an earlier run left under way.
    pub async fn load(&self) -> Result<(), MemoryError> {
        let interrupted = self.db.end_interrupted_calls(self.clock.now().wall_ms).await?;
        if interrupted > 0 {
            tracing::warn!(interrupted, "calls of models ended with the process; what they cost is not known");
        }
        Ok(())
    }

    /// Writes down that a call begins, and what the model is shown, made from words `as_of` then. A disk that takes
    /// nothing stops no call: the turn that asked for it has its own record.
    pub async fn begin(&self, place: &Place, as_of: AsOf, purpose: &str, caps: &Caps, request: &Request) -> OpenRow {
        // Held over the write, so that a request to forget waits for it.
        let forgotten = self.forgotten.read().await;
        let (view, parts) = if AsOf(*forgotten) == as_of {
            let (view, parts) = view::of(request);
            (serde_json::to_string(&view).unwrap_or_default(), parts)
        } else {
            Default::default()
        };
        self.write_begun(place, purpose, caps, view, parts).await
    }

    /// The same for a call that places texts: what is placed is on record elsewhere.
    pub async fn begin_embedding(&self, place: &Place, caps: &Caps) -> OpenRow {
        self.write_begun(place, EMBEDDING, caps, String::new(), Vec::new()).await
    }

    /// Writes down what an attempt took that its model gave up within a call.
    pub async fn discarded(&self, place: &Place, purpose: &str, caps: &Caps, usage: Usage) {
        let row = self.write_begun(place, purpose, caps, String::new(), Vec::new()).await;
        self.end(row, Ending::Dropped(Some(usage), true)).await;
    }

    async fn write_begun(
        &self,
        place: &Place,
        purpose: &str,
        caps: &Caps,
        view: String,
        parts: Vec<ViewPart>,
    ) -> OpenRow {
        let id = format!("mc-{}", uuid::Uuid::now_v7());
        let begun = BegunCall {
            id: id.clone(),
            began_ms: self.clock.now().wall_ms,
            session: place.session.clone(),
            turn: place.turn.clone(),
            mission: place.mission.clone(),
            purpose: purpose.to_owned(),
            provider: caps.provider.clone(),
            model: caps.name.clone(),
            view,
        };
        if let Err(error) = self.db.begin_model_call(&begun, &parts).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the call of a model is not in the ledger");
        }
        OpenRow { id, caps: caps.clone() }
    }

    /// Writes down how it ended.
    pub async fn end(&self, row: OpenRow, ending: Ending<'_>) {
        let ended = ended(&row.caps, &ending, self.clock.now().wall_ms);
        if let Err(error) = self.db.end_model_call(&row.id, &ended).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the end of a call is not in the ledger");
        }
    }

    /// The budgets that a turn of `place` draws on, with what people have added.
    pub async fn budgets(&self, place: &Place, limits: Limits) -> Result<Budgets, MemoryError> {
        let turn = match &place.turn {
            Some(turn) => Some(self.budget(Counted::Turn(turn), Meter::Turn, turn.as_str(), limits.turn).await?),
            None => None,
        };
        let mission = match &place.mission {
            Some(mission) => Some(self.of_mission(mission, limits.mission).await?),
            None => None,
        };
        let (day, since_ms) = self.today();
        let day = self.budget(Counted::Since(since_ms), Meter::Day, &day, limits.day).await?;
        Ok(Budgets { turn, mission, day })
    }

    /// The same as a turn takes it: spent and limit. If the ledger cannot be read, the budget of the day counts as
    /// exhausted: an unknown sum is no small one.
    pub async fn bills(&self, place: &Place, limits: Limits) -> Bills {
        match self.budgets(place, limits).await {
            Ok(budgets) => budgets.bills(),
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "what was spent is not known");
                let spent = Bill { spent: u64::MAX, limit: Some(0) };
                Bills { turn: Bill::default(), mission: None, day: spent }
            }
        }
    }

    /// The budget of a mission, over all of its calls.
    pub async fn of_mission(&self, mission: &str, limit: Option<i64>) -> Result<Budget, MemoryError> {
        self.budget(Counted::Mission(mission), Meter::Mission, mission, limit).await
    }

    /// Cost of a conversation, micro-dollars; none if it is not known.
    pub async fn cost_of(&self, session: &ConversationId) -> Option<i64> {
        match self.db.spent(Counted::Session(session)).await {
            Ok(Spent { microusd, unknown: 0 }) => Some(microusd),
            // A sum of which a part is unknown is no sum.
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "what a conversation cost is not known");
                None
            }
        }
    }

    async fn budget(
        &self,
        counted: Counted<'_>,
        meter: Meter,
        about: &str,
        limit: Option<i64>,
    ) -> Result<Budget, MemoryError> {
        let granted = self.db.granted(&word(&meter), about).await?;
        let spent = self.db.spent(counted).await?;
        Ok(Budget { spent, limit: limit.map(|limit| limit.saturating_add(granted)) })
    }

    /// Adds to a budget: of today, of a turn, of a mission.
    pub async fn grant(&self, meter: Meter, about: Option<&str>, microusd: i64, by: &str) -> Result<(), MemoryError> {
        let now_ms = self.clock.now().wall_ms;
        // A day is named by its date, so that what was added is gone with it.
        let about = about.map_or_else(|| self.today().0, str::to_owned);
        let grant = BudgetGrant { meter: word(&meter), about, microusd, granted_ms: now_ms, granted_by: by.to_owned() };
        self.db.add_budget_grant(&grant).await
    }

    /// The date of today, and when it began, UTC milliseconds.
    pub fn today(&self) -> (String, i64) {
        self.zone.day_of(self.clock.now().wall_ms)
    }
}

impl Limits {
    /// The limits that a policy sets.
    pub fn of(policy: &Policy) -> Self {
        let micros = |usd: Option<Usd>| usd.and_then(|usd| i64::try_from(usd.micros()).ok());
        Self { turn: micros(policy.budget.cost_turn_usd), day: micros(policy.budget.cost_day_usd), mission: None }
    }
}

impl Budget {
    /// True if nothing is left of it.
    pub fn is_spent(&self) -> bool {
        self.row().is_spent()
    }

    /// As screens take it.
    pub fn row(&self) -> BudgetRow {
        BudgetRow { spent_microusd: self.spent.microusd, unknown_calls: self.spent.unknown, limit_microusd: self.limit }
    }
}

impl Budgets {
    /// As a turn takes it.
    pub fn bills(&self) -> Bills {
        let unsigned = |microusd: i64| u64::try_from(microusd).unwrap_or(0);
        let bill = |budget: &Budget| Bill { spent: unsigned(budget.spent.microusd), limit: budget.limit.map(unsigned) };
        Bills {
            turn: self.turn.as_ref().map(bill).unwrap_or_default(),
            mission: self.mission.as_ref().map(bill),
            day: bill(&self.day),
        }
    }

    /// As screens take it.
    pub fn row(&self) -> BudgetsRow {
        let row = |budget: &Option<Budget>| budget.as_ref().map(Budget::row);
        BudgetsRow { turn: row(&self.turn), mission: row(&self.mission), day: self.day.row() }
    }
}

fn ended(caps: &Caps, ending: &Ending<'_>, ended_ms: i64) -> EndedCall {
    let price = llm::price(caps).and_then(|price| serde_json::to_string(&price).ok());
    let (outcome, usage, heard) = match ending {
        Ending::Replied(reply) => ("ok".to_owned(), Some(reply.usage), true),
        Ending::Placed(embeddings) => ("ok".to_owned(), Some(embeddings.usage), true),
        Ending::Failed(error, heard) => (word(&error.kind), error.usage, *heard),
        Ending::Dropped(usage, heard) => (word(&ModelErrorKind::Cancelled), *usage, *heard),
    };
    let cost = match &usage {
        Some(usage) => llm::cost_micros(caps, usage).and_then(|cost| i64::try_from(cost).ok()),
        // Nothing was said and nothing is reported: nothing was taken. Once the model has begun, nobody knows.
        None if heard => llm::price(caps).filter(llm::Price::is_free).map(|_| 0),
        None => Some(0),
    };
    let usage_raw = match ending {
        Ending::Replied(reply) => reply.sidecar.as_ref().map(|sidecar| &sidecar.usage_raw),
        Ending::Placed(embeddings) => Some(&embeddings.usage_raw),
        Ending::Failed(..) | Ending::Dropped(..) => None,
    };
    EndedCall {
        ended_ms,
        outcome,
        price,
        usage_raw: usage_raw.filter(|raw| !raw.is_null()).map(Value::to_string),
        tokens: tokens(&usage.unwrap_or_default()),
        cost_microusd: cost,
    }
}

fn tokens(usage: &Usage) -> CallTokens {
    let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    CallTokens {
        in_fresh: signed(usage.in_fresh),
        cache_read: signed(usage.cache_read),
        cache_write_5m: signed(usage.cache_write_5m),
        cache_write_1h: signed(usage.cache_write_1h),
        out: signed(usage.out),
        reasoning: usage.reasoning.map(signed),
        estimated: usage.estimated,
    }
}

#[cfg(test)]
mod tests;
