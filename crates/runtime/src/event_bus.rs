//! The event bus: facts and signals for every window, facts in order, signals as newest values.

mod signals;

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::Event;
use robot::{AgentId, Instant, MissionId};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use self::signals::Signals;
use crate::clock::Clock;
use crate::events::Events;
use crate::lock::lock;
use crate::wire::{Fact, Frame, Signal, Tag};

/// Frames a second a window gets at most.
const FRAME_HZ: u64 = 20;
/// Words of a turn leave at most so often: several agents may speak at once. Together with the time for which a turn
/// merges its own, a word waits 16 ms at most.
const WORDS_EVERY: Duration = Duration::from_millis(4);
/// A frame goes out at least this often, so that silence means a lost station.
const FRAME_SILENCE_MAX: Duration = Duration::from_millis(250);
/// Facts a slow window may fall behind; beyond, it is told to reload.
const FACT_QUEUE_MAX: usize = 1_000;
/// Facts in one frame; the rest waits for the next.
const FACTS_PER_FRAME_MAX: usize = 64;
/// Signals in one frame, at about 400 bytes each well below 64 KiB; the rest waits for the next.
const SIGNALS_PER_FRAME_MAX: usize = 100;
/// Missions that one frame names; where more have changed, it says that any of them may have.
const MISSIONS_PER_FRAME_MAX: usize = 100;

#[derive(Debug, Clone)]
struct Note {
    fact: Option<Fact>,
    tag: Option<Tag>,
    missions: BTreeSet<MissionId>,
}

impl Note {
    const fn of(fact: Option<Fact>, tag: Option<Tag>) -> Self {
        Self { fact, tag, missions: BTreeSet::new() }
    }
}

/// The station's side: everything that changes is reported here.
#[derive(Debug)]
pub struct EventBus {
    notes: broadcast::Sender<Note>,
    signals: Mutex<Signals>,
    events: Events,
    clock: Clock,
    ended: CancellationToken,
}

impl EventBus {
    /// A bus that nobody listens to yet; its channels end with `ended`.
    pub fn new(clock: Clock, ended: CancellationToken) -> Self {
        let (notes, _) = broadcast::channel(FACT_QUEUE_MAX);
        let (signals, events) = (Mutex::default(), Events::default());
        Self { notes, signals, events, clock, ended }
    }

    /// Reports a fact; windows also ask again for what `tag` names.
    pub fn fact(&self, fact: Fact, tag: Option<Tag>) {
        // Nobody listening is no failure: facts are for windows, records are kept elsewhere.
        let _ = self.notes.send(Note::of(Some(fact), tag));
    }

    /// Tells windows to ask again for what `tag` names.
    pub fn changed(&self, tag: Tag) {
        let _ = self.notes.send(Note::of(None, Some(tag)));
    }

    /// Tells windows to ask again for these missions and for lists of missions, and for no other mission.
    pub fn missions_changed(&self, missions: BTreeSet<MissionId>) {
        let _ = self.notes.send(Note { missions, ..Note::of(None, None) });
    }

    /// Reports something of the station that is worth knowing and needs no answer.
    pub fn event(&self, code: &str, sentence: impl Into<String>) {
        self.note_event(None, code, sentence.into());
    }

    /// Reports something of `agent` that is worth knowing and needs no answer.
    pub fn event_of(&self, agent: &AgentId, code: &str, sentence: impl Into<String>) {
        self.note_event(Some(agent), code, sentence.into());
    }

    fn note_event(&self, agent: Option<&AgentId>, code: &str, sentence: String) {
        let now = self.clock.now();
        self.events.note(agent, code, &sentence, now.wall_ms);
        let at_mono_ms = now.station.mono_ms();
        self.fact(Fact::Event { code: code.into(), sentence, at_mono_ms }, Some(Tag::Events));
    }

    /// The newest events.
    pub const fn events(&self) -> &Events {
        &self.events
    }

    /// Sets the newest value of a signal.
    pub fn signal(&self, signal: Signal) {
        lock(&self.signals).set(signal);
    }

    /// Forgets a signal that no longer exists.
    pub fn forget(&self, id: &str) {
        lock(&self.signals).forget(id);
    }

    /// Marks the signals below `prefix` as coming from a lost, or found, source.
    pub fn source_lost(&self, prefix: &str, lost: bool) {
        lock(&self.signals).set_source_lost(prefix, lost);
    }

    /// Opens a window's channel; it starts with every signal. `screen` is dropped with it.
    pub fn subscribe(self: &Arc<Self>, screen: impl Any + Send + Sync) -> Frames {
        let mut ticks = tokio::time::interval(Duration::from_millis(1000 / FRAME_HZ));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (notes, bus) = (self.notes.subscribe(), Arc::clone(self));
        Frames {
            notes,
            bus,
            ticks,
            facts: Vec::new(),
            tags: BTreeSet::new(),
            missions: BTreeSet::new(),
            words_due: None,
            words_sent: Instant::default(),
            sent_version: 0,
            seq: 0,
            sent_ms: 0,
            _screen: Box::new(screen),
        }
    }

    fn signals_after(&self, version: u64) -> (Vec<Signal>, u64) {
        let (newer, reached) = lock(&self.signals).after(version, SIGNALS_PER_FRAME_MAX);
        (newer.iter().map(|signal| Signal::clone(signal)).collect(), reached)
    }
}

/// One window's channel.
#[derive(Debug)]
pub struct Frames {
    notes: broadcast::Receiver<Note>,
    bus: Arc<EventBus>,
    ticks: Interval,
    /// Facts that wait for their frame, in order.
    facts: Vec<Fact>,
    /// Parts of the state to read again, with the next frame that is no frame of words.
    tags: BTreeSet<Tag>,
    /// Missions to read again, with that same frame.
    missions: BTreeSet<MissionId>,
    /// The time at which words among the facts leave, whatever else waits.
    words_due: Option<Instant>,
    words_sent: Instant,
    sent_version: u64,
    seq: u64,
    sent_ms: u64,
    /// The screen that the frames are for; given back with the channel.
    _screen: Box<dyn Any + Send + Sync>,
}

impl Frames {
    /// The next frame: at most 20 a second and at least one every 250 ms, and words of a turn in frames of their own
    /// between them; `None` once the station has ended.
    pub async fn next(&mut self) -> Option<Frame> {
        loop {
            let now = self.bus.clock.now().station;
            let wait = self.words_due.map_or(Duration::MAX, |due| due.since(now));
            let has_place = self.facts.len() < FACTS_PER_FRAME_MAX;
            tokio::select! {
                // In this order, so that no flood of facts puts off a frame or the end.
                biased;
                () = self.bus.ended.cancelled() => return None,
                _ = self.ticks.tick() => {
                    if let Some(frame) = self.whole() {
                        return Some(frame);
                    }
                }
                () = sleep(wait) => return Some(self.words()),
                // With a full frame the facts stay in the queue, which counts those that it loses.
                note = self.notes.recv(), if has_place => self.take(note),
            }
        }
    }

    /// The frame of all facts, tags and newer signals; none if there are none and the window has heard of us lately.
    fn whole(&mut self) -> Option<Frame> {
        self.drain_notes();
        let mono_ms = self.bus.clock.now().station.mono_ms();
        let (signals, reached) = self.bus.signals_after(self.sent_version);
        let recent = mono_ms.saturating_sub(self.sent_ms) < FRAME_SILENCE_MAX.as_millis() as u64;
        let nothing = self.facts.is_empty() && self.tags.is_empty() && self.missions.is_empty() && signals.is_empty();
        if nothing && recent {
            return None;
        }
        self.sent_version = reached;
        self.sent_ms = mono_ms;
        let missions = std::mem::take(&mut self.missions).into_iter().collect();
        let tags = std::mem::take(&mut self.tags).into_iter().collect();
        Some(Frame { signals, tags, missions, ..self.words() })
    }

    /// The facts alone. What words came after goes before them, so that the order holds.
    fn words(&mut self) -> Frame {
        let now = self.bus.clock.now();
        (self.words_due, self.words_sent) = (None, now.station);
        self.seq += 1;
        let facts = std::mem::take(&mut self.facts);
        Frame {
            seq: self.seq,
            mono_ms: now.station.mono_ms(),
            wall_ms: now.wall_ms,
            signals: Vec::new(),
            facts,
            tags: Vec::new(),
            missions: Vec::new(),
        }
    }

    fn drain_notes(&mut self) {
        while self.facts.len() < FACTS_PER_FRAME_MAX {
            match self.notes.try_recv() {
                Ok(note) => self.take(Ok(note)),
                Err(TryRecvError::Lagged(lost)) => self.take(Err(RecvError::Lagged(lost))),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    fn take(&mut self, note: Result<Note, RecvError>) {
        match note {
            Ok(note) => {
                if note.fact.as_ref().is_some_and(is_of_words) {
                    self.words_due.get_or_insert(self.words_sent.plus(WORDS_EVERY));
                }
                self.facts.extend(note.fact);
                self.tags.extend(note.tag);
                self.missions.extend(note.missions);
                if self.missions.len() > MISSIONS_PER_FRAME_MAX {
                    self.missions.clear();
                    self.tags.insert(Tag::Missions);
                }
            }
            Err(RecvError::Lagged(_)) => self.facts.push(Fact::Resync),
            // The bus, which is held here, has the sender.
            Err(RecvError::Closed) => {}
        }
    }
}

/// True for text that people read while it is written.
const fn is_of_words(fact: &Fact) -> bool {
    matches!(fact, Fact::Turn { event: Event::TextDelta { .. } | Event::ThinkingDelta { .. }, .. })
}

async fn sleep(wait: Duration) {
    if wait == Duration::MAX {
        return std::future::pending().await;
    }
    tokio::time::sleep(wait).await;
}

#[cfg(test)]
mod tests;
