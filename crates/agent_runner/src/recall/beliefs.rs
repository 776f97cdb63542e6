//! One agent's beliefs: kept in memory and on disk, changed by people, programs, the agent and what the world shows.

mod forget;
mod history;
mod watch;

use std::sync::{Arc, Mutex, RwLock};

use memory::belief::{
    Applied, Author, BELIEFS_MAX, Belief, BeliefId, BeliefName, BeliefState, Book, Change, ConfirmedBy, Evidence,
    Recalled, Statement, recall, shown_confidence,
};
use memory::episodic::EpisodeRole;
use memory::observe::Watched;
use memory::{AgentDb, Safety};
use robot::{AgentId, Audience, Now};
use tokio::sync::Notify;
use world::Entry;

use crate::code::AgentCode;
use crate::operation_names::UPDATE_BELIEF;
use crate::recall::episodes::{Episodes, Record};
use crate::recall::removal::Eraser;
use crate::recall::reviews::{self, Reviews};
use runtime::Runtime;
use runtime::error::OpError;
use runtime::lock::{lock, read, write};
use runtime::session::{Reviewed, Session};
use runtime::wire::{BeliefApplied, BeliefRow, BeliefUpdated, Tag};
use watch::{Engine, Offers};

pub(crate) use history::Span;

/// The beliefs of an agent.
pub struct Beliefs {
    agent: AgentId,
    db: AgentDb,
    episodes: Arc<Episodes>,
    eraser: Arc<tokio::sync::Mutex<Eraser>>,
    book: RwLock<Book>,
    /// Apart from the book, so that Zenoh's receive thread never waits for somebody who reads a list.
    watched: RwLock<Watched>,
    offers: Mutex<Offers>,
    /// Something is offered, or what is due has changed.
    stirred: Notify,
    /// Held while beliefs change, so that changes follow one another, on disk as in memory.
    engine: tokio::sync::Mutex<Engine>,
}

/// A belief as a call names it.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// By id.
    Id(String),
    /// By subject and predicate.
    Names(String, String),
}

/// Something that somebody says is so.
pub(crate) struct Assertion {
    pub subject: String,
    pub predicate: String,
    pub said: Statement,
}

/// Filters and page of `list_beliefs`.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub subject: Option<String>,
    pub query: Option<String>,
    pub state: Option<BeliefState>,
    pub changed_since_ms: Option<i64>,
    pub after: Option<String>,
    pub limit: usize,
}

impl Beliefs {
    /// None yet. What comes of them is told in `episodes`; `eraser` takes out what is forgotten.
    pub(crate) fn new(
        agent: AgentId,
        db: AgentDb,
        episodes: Arc<Episodes>,
        eraser: Arc<tokio::sync::Mutex<Eraser>>,
    ) -> Self {
        Self {
            agent,
            db,
            episodes,
            eraser,
            book: RwLock::default(),
            watched: RwLock::default(),
            offers: Mutex::default(),
            stirred: Notify::new(),
            engine: tokio::sync::Mutex::default(),
        }
    }

    /// Takes up what the database holds, at the start and whenever rows were changed beside it. What was observed and
    /// is not on disk yet is dropped. A row that cannot be read is named and left out.
    pub(crate) async fn load(&self, runtime: &Runtime) -> Result<(), memory::MemoryError> {
        let mut engine = self.engine.lock().await;
        let stored = self.db.beliefs().await?;
        let now = runtime.clock.now();
        // Emptied only after the rows were read: a database that fails leaves what is held.
        *engine = Engine::default();
        *write(&self.book) = Book::default();
        *write(&self.watched) = Watched::default();
        for stored in stored {
            match stored {
                Ok(belief) => {
                    engine.know(&belief, now);
                    self.show(&Arc::new(belief), now);
                }
                Err(error) => runtime.bus.event_of(&self.agent, "belief_unusable", error.to_string()),
            }
        }
        Ok(())
    }

    /// Writes every belief as it is held, into a database that a backup has replaced.
    pub(crate) async fn put_back(&self) -> Result<(), memory::MemoryError> {
        // No change may be half on disk while all of them are written.
        let _engine = self.engine.lock().await;
        let held: Vec<Arc<Belief>> = read(&self.book).after(None).cloned().collect();
        self.db.put_back_beliefs(&held).await
    }

    /// The beliefs that join a turn that began with `words`.
    pub(crate) fn recall(&self, words: &str, now: Now) -> Recalled {
        recall(&read(&self.book), words, now.wall_ms)
    }

    /// On Zenoh's receive thread: notes an entry that is shown, or shown again, if it speaks about a belief.
    pub(crate) fn offer(&self, entry: &Arc<Entry>) {
        // This runs on Zenoh's receive thread: it only queues, and the pass compares.
        if read(&self.watched).has(&entry.key) {
            lock(&self.offers).push(entry);
            self.stirred.notify_one();
        }
    }

    /// The belief that `named` names.
    pub(crate) fn find(&self, named: &Named) -> Result<Arc<Belief>, OpError> {
        named.in_book(&read(&self.book))
    }

    /// Every belief about `subject`, by predicate, also faded ones.
    pub(crate) fn about(&self, subject: &str, now_ms: i64) -> Result<Vec<BeliefRow>, OpError> {
        let rows: Vec<BeliefRow> = read(&self.book).about(subject).map(|belief| row(belief, now_ms)).collect();
        if rows.is_empty() { Err(not_found(&format!("there is no belief about {subject}"))) } else { Ok(rows) }
    }

    /// A page of beliefs, by subject and predicate.
    pub(crate) fn list(&self, listing: &Listing, now_ms: i64) -> Result<Vec<BeliefRow>, OpError> {
        // Looked up before the lock below: a thread that reads twice could wait for a writer in between.
        let after = listing.after.clone().map(|id| self.find(&Named::Id(id))).transpose()?;
        let query = listing.query.as_ref().map(|query| query.to_lowercase());
        let book = read(&self.book);
        let wanted = book.after(after.as_deref()).filter(|belief| listing.takes(belief, query.as_deref(), now_ms));
        Ok(wanted.take(listing.limit).map(|belief| row(belief, now_ms)).collect())
    }

    /// Somebody says what is so.
    pub(crate) async fn update(
        self: &Arc<Self>,
        runtime: &Arc<Runtime>,
        by: &Session,
        assertion: Assertion,
    ) -> Result<BeliefUpdated, OpError> {
        let author = author(by, None);
        let say = move |book: &Book, now_ms| say(book, &assertion, &author, now_ms);
        let change = self.changed(runtime, say).await?;
        let belief = row(&change.belief, runtime.clock.now().wall_ms);
        match change.applied {
            Applied::Created | Applied::Replaced => {
                let held = format!("{}{}", told_of(&belief.subject, &belief.predicate), belief.value);
                self.episodes.record(Record::new(EpisodeRole::Belief, held, by.actor(), belief.trust));
            }
            // Nothing new is held, so there is nothing to recall.
            Applied::Confirmed | Applied::Contradicted => {}
        }
        let message = sentence(&change, &belief);
        Ok(BeliefUpdated { message, applied: change.applied.into(), belief: Some(belief), review: None })
    }

    /// Somebody says what is so, and untrusted text may be behind it: a person decides. What could not
    /// be said anyway is refused at once.
    pub(crate) async fn put_before_a_person(
        &self,
        runtime: &Runtime,
        reviews: &Reviews,
        by: &Session,
        assertion: &Assertion,
        input: serde_json::Value,
    ) -> Result<BeliefUpdated, OpError> {
        let now_ms = runtime.clock.now().wall_ms;
        let held = {
            let book = read(&self.book);
            // Tried out first: a person is not asked about what would be refused afterwards.
            say(&book, assertion, &author(by, None), now_ms)?;
            book.named(&assertion.subject, &assertion.predicate).cloned()
        };
        let before = held.as_ref().map(|belief| belief.value.clone());
        let change = reviews::Change { operation: UPDATE_BELIEF, input, field: "value", before };
        let review = reviews.propose(runtime, by, change).await?;
        let message = format!("Waits for a person as {review}: the turn has read untrusted text");
        let belief = held.map(|belief| row(&belief, now_ms));
        Ok(BeliefUpdated { message, applied: BeliefApplied::PendingReview, belief, review: Some(review) })
    }

    /// A person says that it is right.
    pub(crate) async fn confirm(
        self: &Arc<Self>,
        runtime: &Arc<Runtime>,
        by: &Session,
        id: String,
    ) -> Result<BeliefRow, OpError> {
        let author = author(by, None);
        let change = self
            .changed(runtime, move |book, now_ms| Ok(Named::Id(id).in_book(book)?.confirm(&author, now_ms)))
            .await?;
        Ok(row(&change.belief, runtime.clock.now().wall_ms))
    }

    /// A person keeps it from decaying, or lets it decay again.
    pub(crate) async fn pin(
        self: &Arc<Self>,
        runtime: &Arc<Runtime>,
        by: &Session,
        id: String,
        until_ms: Option<i64>,
    ) -> Result<BeliefRow, OpError> {
        let author = author(by, until_ms);
        let pin = move |book: &Book, now_ms| Ok(Named::Id(id).in_book(book)?.pin(until_ms, &author, now_ms));
        let change = self.changed(runtime, pin).await?;
        Ok(row(&change.belief, runtime.clock.now().wall_ms))
    }

    /// Decides on a change, saves it and shows it.
    async fn changed(
        self: &Arc<Self>,
        runtime: &Arc<Runtime>,
        decide: impl FnOnce(&Book, i64) -> Result<Change, OpError> + Send + 'static,
    ) -> Result<Change, OpError> {
        let (beliefs, of) = (Arc::clone(self), Arc::clone(runtime));
        finished(runtime, async move {
            let mut engine = beliefs.engine.lock().await;
            let now = of.clock.now();
            let change = decide(&read(&beliefs.book), now.wall_ms)?;
            let Some(event) = &change.event else { return Ok(change) };
            let belief = Arc::new(change.belief.clone());
            // Durable, since somebody is told that it is kept; what the world shows is saved lazily.
            beliefs.db.save_beliefs(&[Arc::clone(&belief)], std::slice::from_ref(event), Safety::Durable).await?;
            engine.note_saved(&change);
            beliefs.show(&belief, now);
            of.bus.changed(Tag::Beliefs);
            beliefs.announce(&of, &change);
            Ok(change)
        })
        .await
    }

    /// Puts a belief, or its newer form, where it is read.
    fn show(&self, belief: &Arc<Belief>, now: Now) {
        let known = read(&self.book).get(belief.id.as_str()).cloned();
        // Few updates change the observed key, and each write of the map holds up the receive thread.
        if known.as_ref().is_none_or(|known| known.observes != belief.observes) {
            let mut watched = write(&self.watched);
            if let Some(known) = &known {
                watched.remove(known);
            }
            watched.add(belief);
        }
        write(&self.book).put(Arc::clone(belief), now.wall_ms);
        // When time changes its state may be earlier than what the watch waits for.
        self.stirred.notify_one();
    }

    fn hide(&self, id: &BeliefId) {
        let gone = write(&self.book).remove(id.as_str());
        if let Some(belief) = gone {
            write(&self.watched).remove(&belief);
        }
    }
}

impl Named {
    fn in_book(&self, book: &Book) -> Result<Arc<Belief>, OpError> {
        let found = match self {
            Self::Id(id) => book.get(id),
            Self::Names(subject, predicate) => book.named(subject, predicate),
        };
        found.cloned().ok_or_else(|| match self {
            Self::Id(id) => not_found(&format!("there is no belief {id:.80}")),
            Self::Names(subject, predicate) => {
                not_found(&format!("there is no belief ({subject:.128}, {predicate:.128})"))
            }
        })
    }
}

impl Listing {
    fn takes(&self, belief: &Belief, query: Option<&str>, now_ms: i64) -> bool {
        let texts = [&belief.subject, &belief.predicate, &belief.value];
        let state = belief.state_at(now_ms);
        self.subject.as_ref().is_none_or(|subject| *subject == belief.subject)
            && query.is_none_or(|query| texts.iter().any(|text| text.to_lowercase().contains(query)))
            && self.state.map_or(state != BeliefState::Faded, |wanted| wanted == state)
            && self.changed_since_ms.is_none_or(|since_ms| belief.anchor_ms >= since_ms)
    }
}

/// Change that a statement makes in the book: a new belief, or an update of the one it names.
fn say(book: &Book, assertion: &Assertion, author: &Author, now_ms: i64) -> Result<Change, OpError> {
    let Assertion { subject, predicate, said } = assertion;
    match book.named(subject, predicate) {
        Some(belief) => Ok(belief.tell(said, author, now_ms)?),
        None if book.len() >= BELIEFS_MAX => Err(limit_reached()),
        None => {
            let id = BeliefId::new(&format!("belief-{}", uuid::Uuid::now_v7()));
            Ok(Belief::create(id, BeliefName { subject, predicate }, said, author, now_ms)?)
        }
    }
}

/// Finishes `work` also if whoever asked for it has gone: disk and memory must say the same.
async fn finished<T: Send + 'static>(
    runtime: &Runtime,
    work: impl Future<Output = Result<T, OpError>> + Send + 'static,
) -> Result<T, OpError> {
    let ended = runtime.tasks.spawn_on(work, &runtime.tokio).await;
    ended.unwrap_or_else(|error| {
        tracing::error!(%error, "a change of a belief was broken off");
        Err(OpError::new(AgentCode::BrokenOff, "The change was broken off."))
    })
}

/// Author of a statement that `by` makes: the kind, the name for the history, the evidence.
fn author(by: &Session, pinned_until_ms: Option<i64>) -> Author {
    let name = by.actor().to_owned();
    // Let through unchanged, the words are still those of a stranger.
    if by.review() == Some(Reviewed::AsItStood) {
        let evidence = Evidence::Operator { operator: name.clone(), pinned_until: None };
        let name = format!("external, let through by {name}");
        return Author { by: ConfirmedBy::External, name, evidence: Some(evidence) };
    }
    let (confirmed_by, evidence) = match (by.audience(), by.entry()) {
        (Audience::Ui, _) => {
            let pinned_until = pinned_until_ms.map(|until_ms| until_ms.div_euclid(1_000));
            (ConfirmedBy::Person, Some(Evidence::Operator { operator: name.clone(), pinned_until }))
        }
        (Audience::Agent, Some((session, entry))) => {
            (ConfirmedBy::Agent, Some(Evidence::Turn { session: session.clone(), entry }))
        }
        (Audience::Agent, None) => (ConfirmedBy::Agent, None),
        (Audience::Mcp, _) => (ConfirmedBy::Machine, Some(Evidence::Program { program: name.clone() })),
    };
    Author { by: confirmed_by, name, evidence }
}

/// A belief as it is at `now_ms`.
pub(crate) fn row(belief: &Belief, now_ms: i64) -> BeliefRow {
    let seconds = |ms: i64| ms.div_euclid(1_000);
    BeliefRow {
        id: belief.id.to_string(),
        subject: belief.subject.clone(),
        predicate: belief.predicate.clone(),
        value: belief.value.clone(),
        confidence: shown_confidence(belief.confidence_at(now_ms)),
        source: belief.source.clone(),
        first_observed: seconds(belief.first_observed_ms),
        last_confirmed: seconds(belief.last_confirmed_ms),
        confirmation_count: belief.confirmation_count,
        contradiction_count: belief.contradiction_count,
        notes: belief.notes.clone(),
        kind: belief.kind.name(),
        kind_params: belief.kind.params(),
        half_life_secs: seconds(belief.half_life_ms),
        pinned_until: belief.pinned_until_ms.filter(|_| belief.is_pinned(now_ms)).map(seconds),
        observes: belief.observes.as_ref().map(ToString::to_string),
        state: belief.state_at(now_ms),
        challenged_at: belief.dispute.since_ms.map(seconds),
        trust: belief.trust,
        confirmed_by: belief.confirmed_by,
    }
}

fn sentence(change: &Change, belief: &BeliefRow) -> String {
    let BeliefRow { subject, predicate, value, confidence, .. } = belief;
    match (change.applied, &change.event) {
        (Applied::Contradicted, Some(event)) => {
            let other = &event.value;
            format!(
                "Belief ({subject}, {predicate}) kept \"{value}\" with confidence {confidence}, contradicted by \"{other}\""
            )
        }
        (Applied::Contradicted | Applied::Confirmed, None) => {
            format!("Belief ({subject}, {predicate}) unchanged: the same source has said so before")
        }
        (Applied::Created | Applied::Confirmed | Applied::Replaced, _) => {
            format!("Belief ({subject}, {predicate}) updated with confidence {confidence}")
        }
    }
}

fn not_found(what: &str) -> OpError {
    OpError::new(AgentCode::BeliefNotFound, format!("not found: {what}"))
}

/// First words of every record that tells of a belief.
fn told_of(subject: &str, predicate: &str) -> String {
    format!("({subject}, {predicate}) is ")
}

fn limit_reached() -> OpError {
    let message = format!("An agent holds at most {BELIEFS_MAX} beliefs; forget some.");
    OpError::limit_reached(BELIEFS_MAX, message)
}

#[cfg(test)]
mod tests;
