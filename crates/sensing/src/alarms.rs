//! The alarms of a station: those that rules make and those it raises by itself, in one list. What changes is told to
//! windows at once and written in batches; what people do is on disk before it holds.

mod storage;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures::future::join_all;
use memory::StoredAlarmEvent;
use memory::forget::Needles;
use robot::{AgentId, Instant, RobotId, RoomId};
use tokio::time::MissedTickBehavior;
use world::alarm::{
    AlarmEvent, AlarmEventKind, AlarmId, AlarmList, AlarmNotice, AlarmPreset, AlarmRow, BuiltIn, Of, PersonAct,
    Planned, Report,
};
use world::{AlertId, RuleMove};

use crate::{AgentWorld, Sensing};
use runtime::clock::Clock;
use runtime::error::OpError;
use runtime::event_bus::EventBus;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::Tag;
use runtime::writers::Writers;

/// Events that wait for a disk that does not take them; the oldest goes, the alarms themselves are kept.
const UNSAVED_EVENTS_MAX: usize = 10_000;
/// Time between two writes of changed alarms: at most 250 ms are lost with the process.
const SAVE_EVERY: Duration = Duration::from_millis(100);
/// Saves between two ticks, by which the list learns that time has passed.
const TICK_EVERY: u32 = 2;
/// Forged messages within a minute that make their alarm more urgent.
const FORGED_OFTEN: usize = 10;
const FORGED_WITHIN: Duration = Duration::from_secs(60);
/// Time between two records of forged messages, however many of them come in a second.
const FORGED_TOLD_EVERY: Duration = Duration::from_secs(10);

/// Every alarm, with the changes that are not on disk yet.
pub struct Alarms {
    clock: Clock,
    bus: Arc<EventBus>,
    list: Mutex<AlarmList>,
    unsaved: Mutex<VecDeque<StoredAlarmEvent>>,
    forged: Mutex<BTreeMap<Of, Forged>>,
    /// Robots whose stop path was tested and found to work.
    tested: Mutex<BTreeMap<RobotId, i64>>,
    writers: Writers,
    /// Held while a person's act is planned, written and done, so that acts follow one another.
    acting: tokio::sync::Mutex<()>,
}

/// An act that is on its way to the disk. What was written of one that does not come to hold is taken back, also where
/// nobody waits for it any more.
struct Written<'a> {
    alarms: &'a Alarms,
    planned: Planned,
    holds: bool,
}

impl Written<'_> {
    fn holds(mut self) {
        self.holds = true;
    }
}

impl Drop for Written<'_> {
    fn drop(&mut self) {
        if !self.holds {
            self.alarms.list().take_back(&self.planned);
            self.alarms.bus.changed(Tag::Alarms);
        }
    }
}

/// Forged messages in the name of one robot.
#[derive(Default)]
struct Forged {
    newest: VecDeque<Instant>,
    /// When people were last told, and whether there were many then.
    told: Option<(Instant, bool)>,
}

impl Forged {
    /// One more came: whether there are many, if people are to be told again.
    fn came(&mut self, now: Instant) -> Option<bool> {
        if self.newest.len() >= FORGED_OFTEN {
            self.newest.pop_front();
        }
        self.newest.push_back(now);
        let often = self.newest.len() >= FORGED_OFTEN
            && self.newest.front().is_some_and(|first| now.since(*first) < FORGED_WITHIN);
        // A change between few and many is told at once: the urgency of the alarm changes with it.
        let is_due = self.told.is_none_or(|(at, was)| was != often || now.since(at) >= FORGED_TOLD_EVERY);
        is_due.then(|| {
            self.told = Some((now, often));
            often
        })
    }
}

impl Alarms {
    /// No alarm.
    pub fn new(clock: Clock, bus: Arc<EventBus>) -> Self {
        let (list, unsaved, forged) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (tested, writers, acting) = (Mutex::default(), Writers::default(), tokio::sync::Mutex::default());
        Self { clock, bus, list, unsaved, forged, tested, writers, acting }
    }

    fn list(&self) -> MutexGuard<'_, AlarmList> {
        lock(&self.list)
    }

    /// Says that the condition of a built-in alarm is there; saying it again changes only the message.
    pub fn raise(&self, alarm: BuiltIn, of: &Of, detail: impl Into<String>) {
        let report = self.list().raise(alarm, of, detail.into(), fresh_id(), self.clock.now());
        self.tell(report);
    }

    /// Says that the condition of a built-in alarm is gone; without the alarm nothing happens.
    pub fn clear(&self, alarm: BuiltIn, of: &Of) {
        let report = self.list().clear(alarm, of, self.clock.now());
        self.tell(report);
    }

    /// Tells of a moment: the alarm is there until somebody has seen it, and repeats are one alarm.
    pub fn note(&self, alarm: BuiltIn, of: &Of, detail: impl Into<String>) {
        let now = self.clock.now();
        let (raised, over) = {
            // Under one lock, so that no reader sees the alarm as a lasting one.
            let mut list = self.list();
            (list.raise(alarm, of, detail.into(), fresh_id(), now), list.clear(alarm, of, now))
        };
        self.tell(raised);
        self.tell(over);
    }

    /// Raises a built-in alarm while `present`, and clears it once it is not.
    pub fn set(&self, alarm: BuiltIn, of: &Of, present: bool, detail: impl FnOnce() -> String) {
        if self.list().is_raised(alarm, of) == present {
            return;
        }
        if present { self.raise(alarm, of, detail()) } else { self.clear(alarm, of) }
    }

    /// A robot was stopped as a test at `at_ms`, Unix milliseconds, and was seen to stop.
    pub fn note_tested(&self, robot: &RobotId, at_ms: i64) {
        lock(&self.tested).insert(robot.clone(), at_ms);
    }

    /// The last time at which the robot was stopped as a test and was seen to stop, Unix milliseconds.
    pub fn tested_at(&self, robot: &RobotId) -> Option<i64> {
        lock(&self.tested).get(robot).copied()
    }

    /// Tells of a message that somebody else made up in the name of `robot` or of this station.
    pub fn note_forged(&self, robot: &RobotId, sentence: String) {
        self.note_forged_of(Of::robot(robot), sentence);
    }

    /// Tells of a message in `room` that no member has signed.
    pub fn note_forged_in(&self, room: &RoomId, sentence: String) {
        self.note_forged_of(Of::station().item(room.as_str()), sentence);
    }

    fn note_forged_of(&self, of: Of, sentence: String) {
        let told = lock(&self.forged).entry(of.clone()).or_default().came(self.clock.now().station);
        if let Some(often) = told {
            self.note(BuiltIn::ForgedMessages, &of.urgent(often), sentence);
        }
    }

    /// Has every alarm of `agent` written again, into a database that a backup has replaced.
    pub fn put_back(&self, agent: &AgentId) {
        let mut list = self.list();
        let held: Vec<AlarmId> =
            list.alarms().filter(|alarm| alarm.agent.as_ref() == Some(agent)).map(|alarm| alarm.id.clone()).collect();
        list.mark_unsaved(&held);
    }

    /// Takes in that a rule moved.
    pub fn follow(&self, sensing: &Sensing, agent: &AgentWorld, moved: &RuleMove) {
        let report = self.list().follow(&agent.id, moved, fresh_id(), |source| sensing.sources.robot_of(source));
        self.tell(report);
    }

    /// Takes in that the mission of a rule stands still.
    pub fn pause(&self, agent: &AgentId, rule: &AlertId) {
        let report = self.list().pause(agent, rule, self.clock.now());
        self.tell(report);
    }

    /// Takes in that a rule was removed.
    pub(crate) fn retire(&self, agent: &AgentId, rule: &AlertId) {
        let report = self.list().retire(agent, rule, self.clock.now());
        self.tell(report);
    }

    /// Takes forgotten texts out of what the alarms of `agent` say; no batch that held them is written after this.
    pub async fn forget(&self, agent: &AgentId, needles: &Needles, mark: &str) {
        // After the act and the batch in flight: what the disk does not take of them waits on, as it was.
        let _acting = self.acting.lock().await;
        let _turn = self.writers.turn(Some(agent)).await;
        self.list().forget(agent, |text| needles.replaced(text, mark));
        for StoredAlarmEvent { event, .. } in lock(&self.unsaved).iter_mut() {
            if event.agent.as_ref() == Some(agent)
                && let Some(kept) = event.detail.as_ref().and_then(|detail| needles.replaced(detail, mark))
            {
                event.detail = Some(kept);
            }
        }
        self.bus.changed(Tag::Alarms);
    }

    /// The rows of `preset`, those of agents for which `is_for` holds, with what their keys stand at now.
    pub fn rows(
        &self,
        sensing: &Sensing,
        preset: AlarmPreset,
        since_ms: Option<i64>,
        is_for: impl Fn(Option<&AgentId>) -> bool,
    ) -> Vec<AlarmRow> {
        let mut rows = self.list().rows(preset, since_ms, is_for, self.clock.now());
        rows.iter_mut().for_each(|row| with_values(sensing, row));
        rows
    }

    /// Counts of the alarms for whose agent `is_for` holds: active, unacknowledged, shelved and suppressed.
    pub fn counts(&self, is_for: impl Fn(Option<&AgentId>) -> bool) -> world::alarm::AlarmCounts {
        self.list().counts(is_for)
    }

    /// Carries out what `by` does with alarms; it is on disk when this returns.
    pub async fn act(&self, sensing: &Sensing, act: PersonAct, by: &Session) -> Result<Vec<AlarmRow>, OpError> {
        let _acting = self.acting.lock().await;
        let now = self.clock.now();
        let planned = self.list().plan(&act, by.actor(), now)?;
        let events: Vec<_> = planned.events.iter().cloned().map(stored).collect();
        let written = Written { alarms: self, planned, holds: false };
        // On disk before it holds: after a crash, no alarm may be unacknowledged that a person was shown as acknowledged.
        storage::save_act(sensing, &written.planned.alarms, &events).await?;
        // An alarm that moved while the disk was busy is not acknowledged, and the disk learns that too.
        let done = self.list().act(&act, by.actor(), now);
        let done = done?;
        written.holds();
        self.bus.changed(Tag::Alarms);
        if matches!(act, PersonAct::Acknowledge { .. }) {
            for alarm in &done.alarms {
                give_back_quota(sensing, alarm.agent.as_ref(), &alarm.definition.code);
            }
        }
        let list = self.list();
        let mut rows: Vec<_> = done.alarms.iter().map(|alarm| list.row(alarm, now)).collect();
        // Released first, so that no lock is held while another is taken.
        drop(list);
        rows.iter_mut().for_each(|row| with_values(sensing, row));
        Ok(rows)
    }

    /// Deals with what rules did last.
    pub fn deal_last(sensing: &Sensing) {
        sensing.worlds().iter().for_each(|agent| agent.rules.deal(sensing, agent));
    }

    /// Writes what is left, into every database at once; they are closed afterwards.
    pub async fn save_last(sensing: &Sensing) {
        let worlds = sensing.worlds();
        let rules = join_all(worlds.iter().map(|agent| agent.rules.save(agent)));
        tokio::join!(rules, storage::save(sensing));
    }

    /// Writes what changed since the last time, into every database at once.
    pub(crate) async fn save(sensing: &Sensing) {
        storage::save(sensing).await;
    }

    /// Tells windows what changed, and has it written.
    fn tell(&self, report: Report) {
        if report.changed {
            self.bus.changed(Tag::Alarms);
        }
        for AlarmNotice { code, sentence, agent } in report.notices {
            match agent {
                None => self.bus.event(code, sentence),
                Some(agent) => self.bus.event_of(&agent, code, sentence),
            }
        }
        let mut unsaved = lock(&self.unsaved);
        for event in report.events {
            if event.kind == AlarmEventKind::Raised {
                tracing::warn!(alarm = event.alarm.0, message = event.detail, "alarm");
            }
            if unsaved.len() >= UNSAVED_EVENTS_MAX {
                unsaved.pop_front();
            }
            unsaved.push_back(stored(event));
        }
    }

    /// Starts what runs by time: off-delays, shelves, and writing down what changed. It waits for no disk.
    pub fn start(sensing: &Arc<Sensing>) {
        let task_sensing = Arc::clone(sensing);
        sensing.runtime.tasks.spawn(async move {
            let sensing = task_sensing;
            let mut ticks = tokio::time::interval(SAVE_EVERY);
            // After a pause one tick does the work of all that were missed.
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut saves: u32 = 0;
            loop {
                tokio::select! {
                    () = sensing.runtime.ended.cancelled() => return,
                    _ = ticks.tick() => {}
                }
                saves = saves.wrapping_add(1);
                if saves.is_multiple_of(TICK_EVERY) {
                    let now = sensing.runtime.clock.now();
                    let report = sensing.alarms.list().tick(now);
                    sensing.alarms.tell(report);
                }
                storage::save_due(&sensing);
                if saves.is_multiple_of(storage::TRIM_EVERY_SAVES) {
                    sensing.alarms.list().forget_old(sensing.runtime.clock.now());
                    // On a task of its own: removing old events takes long, and off-delays and shelves
                    // must not wait for it.
                    let trimming = Arc::clone(&sensing);
                    sensing.runtime.tasks.spawn(async move { storage::trim(&trimming).await });
                }
            }
        });
    }
}

/// A person who acknowledges the alarm of a rule has seen why it woke the agent so often.
fn give_back_quota(sensing: &Sensing, agent: Option<&AgentId>, rule: &str) {
    let Some(agent) = agent.and_then(|agent| sensing.world(agent).ok()) else { return };
    agent.ingest.clear_wakes(&agent, &AlertId(rule.to_owned()));
}

fn with_values(sensing: &Sensing, row: &mut AlarmRow) {
    if let Some(agent) = row.agent.as_ref().and_then(|agent| sensing.world(agent).ok()) {
        row.values_now = agent.ingest.rule_values(&AlertId(row.source.clone()), sensing.runtime.clock.now());
    }
}

fn fresh_id() -> AlarmId {
    AlarmId(format!("am-{}", uuid::Uuid::now_v7()))
}

fn stored(event: AlarmEvent) -> StoredAlarmEvent {
    StoredAlarmEvent { id: format!("ae-{}", uuid::Uuid::now_v7()), event }
}
