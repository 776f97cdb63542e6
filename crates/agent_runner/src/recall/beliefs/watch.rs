//! Observations, and time, move beliefs: off the receive thread, and on disk within a quarter of a second.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use memory::Safety;
use memory::belief::{Applied, Belief, BeliefEvent, BeliefId, BeliefState, Change};
use memory::observe::Observer;
use robot::Now;
use world::{Entry, Key};

use super::Beliefs;
use runtime::Runtime;
use runtime::lock::{lock, read, write};
use runtime::wire::Tag;

/// Time within which new entries are gathered and looked at together.
const GATHER: Duration = Duration::from_millis(100);
/// The wall clock may be set: what is due by it is looked at this often at least.
const WALL_CLOCK_CHECK: Duration = Duration::from_secs(3_600);
/// When a write that failed is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// Values of one key, one after the other, that wait; of more, the last ones count as one.
const VALUES_PER_KEY_MAX: usize = 4;
/// Events that wait for a disk that does not take them; the oldest go first, and are counted.
const UNSAVED_EVENTS_MAX: usize = 10_000;
/// After so many saved events the histories are brought back within their bounds.
const THIN_AFTER_EVENTS: usize = 1_000;
/// Beliefs whose state time has changed that are named; of more at once, only the number is told.
const CROSSED_NAMED_MAX: usize = 5;

/// Entries that wait to be compared with beliefs.
#[derive(Debug, Default)]
pub(super) struct Offers {
    by_key: BTreeMap<Key, VecDeque<Arc<Entry>>>,
}

/// State that only one change at a time may touch.
#[derive(Debug, Default)]
pub(super) struct Engine {
    observer: Observer,
    /// Beliefs whose newest form is not on disk.
    unsaved: BTreeSet<BeliefId>,
    events: VecDeque<BeliefEvent>,
    events_dropped: u64,
    events_saved: usize,
}

impl Offers {
    /// Adds an entry. One that says what the last of its key says takes its place.
    pub fn push(&mut self, entry: &Arc<Entry>) {
        let values = self.by_key.entry(entry.key.clone()).or_default();
        let is_full = values.len() >= VALUES_PER_KEY_MAX;
        match values.back_mut() {
            Some(last) if is_full || last.value == entry.value => *last = Arc::clone(entry),
            Some(_) | None => values.push_back(Arc::clone(entry)),
        }
    }

    fn take(&mut self) -> impl Iterator<Item = Arc<Entry>> + use<> {
        std::mem::take(&mut self.by_key).into_values().flatten()
    }
}

impl Engine {
    /// A belief of an earlier run.
    pub fn know(&mut self, belief: &Belief, now: Now) {
        self.observer.know(belief, now);
    }

    /// A change somebody made is on disk.
    pub fn note_saved(&mut self, change: &Change) {
        self.unsaved.remove(&change.belief.id);
        if change.applied == Applied::Replaced {
            // What was observed until now spoke about the value of before.
            self.observer.forget(&change.belief.id);
        }
    }

    /// A belief is gone.
    pub fn forget(&mut self, id: &BeliefId) {
        self.observer.forget(id);
        self.unsaved.remove(id);
        self.events.retain(|event| event.belief != *id);
    }

    fn take_in(&mut self, change: &Change) {
        self.unsaved.insert(change.belief.id.clone());
        self.events.extend(change.event.clone());
        while self.events.len() > UNSAVED_EVENTS_MAX {
            self.events.pop_front();
            self.events_dropped += 1;
        }
    }
}

impl Beliefs {
    /// Starts watching; ends with the station, and saves what is left.
    pub(crate) fn start(self: &Arc<Self>, runtime: &Arc<Runtime>) {
        let (beliefs, runtime) = (Arc::clone(self), Arc::clone(runtime));
        runtime.tasks.clone().spawn(async move {
            while !runtime.ended.is_cancelled() {
                let wait = beliefs.until_due(&runtime).await;
                tokio::select! {
                    () = runtime.ended.cancelled() => {}
                    () = beliefs.stirred.notified() => gather(&runtime).await,
                    () = tokio::time::sleep(wait) => {}
                }
                // Also once after the end, which saves what is left.
                beliefs.pass(&runtime).await;
            }
        });
    }

    /// Time until something is due.
    async fn until_due(&self, runtime: &Runtime) -> Duration {
        let engine = self.engine.lock().await;
        let now = runtime.clock.now();
        let observed = engine.observer.next_due().map_or(WALL_CLOCK_CHECK, |due| due.since(now.station));
        let crossing_ms = read(&self.book).next_crossing_ms();
        let crossed = crossing_ms.map_or(WALL_CLOCK_CHECK, |due_ms| {
            Duration::from_millis(u64::try_from(due_ms.saturating_sub(now.wall_ms)).unwrap_or(0))
        });
        let retried = if engine.unsaved.is_empty() { WALL_CLOCK_CHECK } else { RETRY };
        observed.min(crossed).min(retried).min(WALL_CLOCK_CHECK)
    }

    /// Brings beliefs up to now and saves what that changed.
    async fn pass(&self, runtime: &Runtime) {
        let mut engine = self.engine.lock().await;
        let now = runtime.clock.now();
        for entry in lock(&self.offers).take() {
            // Copied out: taking a change in writes to the same map.
            let ids = read(&self.watched).by(&entry.key);
            for id in ids {
                let belief = read(&self.book).get(id.as_str()).cloned();
                let change = belief.and_then(|belief| engine.observer.observe(&belief, &entry, now));
                if let Some(change) = change {
                    self.take_in(runtime, &mut engine, change, now);
                }
            }
        }
        let contradicted = engine.observer.tick(&read(&self.book), now);
        for change in contradicted {
            self.take_in(runtime, &mut engine, change, now);
        }
        let crossed = write(&self.book).take_crossed(now.wall_ms);
        if !crossed.is_empty() {
            runtime.bus.changed(Tag::Beliefs);
        }
        self.announce_crossed(runtime, &crossed, now.wall_ms);
        self.save(runtime, &mut engine).await;
    }

    /// Shows what the world has moved at once; it is saved with the rest of the pass.
    fn take_in(&self, runtime: &Runtime, engine: &mut Engine, change: Change, now: Now) {
        engine.take_in(&change);
        self.announce(runtime, &change);
        self.show(&Arc::new(change.belief), now);
        runtime.bus.changed(Tag::Beliefs);
    }

    /// Saves what the world has moved. What cannot be saved is kept in its newest form and tried again.
    async fn save(&self, runtime: &Runtime, engine: &mut Engine) {
        if engine.unsaved.is_empty() && engine.events.is_empty() {
            return;
        }
        let beliefs: Vec<Arc<Belief>> = {
            let book = read(&self.book);
            engine.unsaved.iter().filter_map(|id| book.get(id.as_str()).cloned()).collect()
        };
        let events = engine.events.make_contiguous();
        // Lazily: what the world shows comes again, and each sync holds up all other writes of the agent.
        match self.db.save_beliefs(&beliefs, events, Safety::Lazy).await {
            Ok(()) => {
                engine.events_saved += engine.events.len();
                engine.events.clear();
                engine.unsaved.clear();
                let dropped = std::mem::take(&mut engine.events_dropped);
                if dropped > 0 {
                    let sentence = format!("{dropped} events of beliefs were lost while the disk took none.");
                    runtime.bus.event_of(&self.agent, "belief_events_lost", sentence);
                }
            }
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "beliefs are not saved yet"),
        }
        if engine.events_saved >= THIN_AFTER_EVENTS {
            engine.events_saved = 0;
            if let Err(error) = self.db.thin_belief_history().await {
                tracing::warn!(error = &error as &dyn std::error::Error, "histories of beliefs are not thinned");
            }
        }
    }

    /// Says that a belief is challenged, once.
    pub(super) fn announce(&self, runtime: &Runtime, change: &Change) {
        let (Some(event), true) = (&change.event, change.newly_challenged) else { return };
        let Belief { subject, predicate, value, .. } = &change.belief;
        let sentence = format!("The belief ({subject}, {predicate}) = {value:?} is challenged by {:?}.", event.value);
        runtime.bus.event_of(&self.agent, "belief_challenged", sentence);
    }

    /// Says which beliefs have become weak or faded by time alone.
    fn announce_crossed(&self, runtime: &Runtime, crossed: &[Arc<Belief>], now_ms: i64) {
        for (state, code, word) in
            [(BeliefState::Weak, "belief_weak", "weak"), (BeliefState::Faded, "belief_faded", "faded")]
        {
            let those: Vec<&Arc<Belief>> = crossed
                .iter()
                .filter(|belief| belief.state_at(now_ms) == state && belief.has_fallen_to(state))
                .collect();
            if those.is_empty() {
                continue;
            }
            let named = those.iter().take(CROSSED_NAMED_MAX);
            let names: Vec<String> =
                named.map(|belief| format!("({}, {})", belief.subject, belief.predicate)).collect();
            let more = those.len().saturating_sub(CROSSED_NAMED_MAX);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let sentence = format!("No longer confirmed, these beliefs are {word} now: {}{rest}.", names.join(", "));
            runtime.bus.event_of(&self.agent, code, sentence);
        }
    }
}

async fn gather(runtime: &Runtime) {
    tokio::select! {
        () = runtime.ended.cancelled() => {}
        () = tokio::time::sleep(GATHER) => {}
    }
}
