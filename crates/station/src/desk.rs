//! The agent's side of the station: conversations, the queue of turns, and the driver that carries out a turn's
//! effects in order.

mod drive;
mod forget;
mod model;
mod recording;
mod stream;
mod wake;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};

use agent::{AlertNotice, CancelReason, EntryLine, Input, JobNotice, LineKind, Message, Mode, Outcome, Transcript};
use llm::SessionId;
use memory::TranscriptFile;
use robot::{Instant, RobotId, Role, Trust};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use world::arousal::Boost;
use world::{AlertId, Fire, RuleMove};

use crate::agents::AgentUnit;
use crate::config::AgentFolders;
use crate::error::OpError;
use crate::lock::lock;
use crate::session::Session;
use crate::station::Station;
use crate::wire::{MessageSent, TranscriptPage, TurnView};
use wake::Wakes;

/// Turns that may wait; more is refused as busy.
const STARTS_MAX: usize = 16;
/// The conversation at the desk.
const DESK_SESSION: &str = "desk";
/// Where turns run that nobody at the desk started.
const AUTONOMY_SESSION: &str = "autonomy";

/// A turn that waits.
struct Start {
    turn: String,
    message: Message,
    conversation: Arc<Conversation>,
    /// The record of what began it.
    cause: Option<String>,
    /// Nobody asked for it: it counts as such, and has less time.
    by_itself: bool,
    /// The mission it works for.
    mission: Option<String>,
    job: Option<OfJob>,
}

/// A turn that a job starts.
pub(crate) struct JobTurn {
    /// Names the turn.
    pub turn: String,
    /// The run it is.
    pub run: String,
    /// Ends it, also while it waits.
    pub cancel: CancellationToken,
}

/// What a job's turn knows of its job.
struct OfJob {
    run: String,
    cancel: CancellationToken,
    done: oneshot::Sender<Outcome>,
}

/// A place in the queue of turns.
pub(crate) struct Place {
    permit: mpsc::OwnedPermit<Start>,
    by_itself: bool,
}

/// One conversation: its file, and what was said.
struct Conversation {
    session: SessionId,
    file: tokio::sync::Mutex<TranscriptFile>,
    transcript: Mutex<Transcript>,
    lines: Mutex<Vec<EntryLine>>,
}

/// The turn that runs.
struct Current {
    turn: String,
    inputs: mpsc::Sender<Input>,
}

/// The agent's desk.
pub struct Desk {
    desk: Arc<Conversation>,
    autonomy: Arc<Conversation>,
    starts: mpsc::Sender<Start>,
    waiting: Mutex<Option<mpsc::Receiver<Start>>>,
    current: Mutex<Option<Current>>,
    /// Turns among those that wait that a person at the desk began.
    spoken: AtomicUsize,
    wakes: Mutex<Wakes>,
    /// The record of each rule's newest fire.
    fires: Mutex<BTreeMap<AlertId, String>>,
    /// Something may let a turn start by itself.
    stirred: Notify,
    mode: Mode,
    /// Held by the turn that runs, and by whoever must have none run.
    turns: Arc<tokio::sync::Mutex<()>>,
}

impl Conversation {
    async fn open(folders: &AgentFolders, name: &str) -> Result<Arc<Self>, memory::MemoryError> {
        let (file, transcript, lines) = Self::read(folders, name).await?;
        Ok(Arc::new(Self {
            session: SessionId(name.to_owned()),
            file: tokio::sync::Mutex::new(file),
            transcript: Mutex::new(transcript),
            lines: Mutex::new(lines),
        }))
    }

    fn lines(&self) -> MutexGuard<'_, Vec<EntryLine>> {
        lock(&self.lines)
    }
}

impl Desk {
    /// Opens the conversations.
    pub(crate) async fn open(folders: &AgentFolders) -> Result<Self, memory::MemoryError> {
        let (starts, waiting) = mpsc::channel(STARTS_MAX);
        Ok(Self {
            desk: Conversation::open(folders, DESK_SESSION).await?,
            autonomy: Conversation::open(folders, AUTONOMY_SESSION).await?,
            starts,
            waiting: Mutex::new(Some(waiting)),
            current: Mutex::default(),
            spoken: AtomicUsize::new(0),
            wakes: Mutex::default(),
            fires: Mutex::default(),
            stirred: Notify::new(),
            mode: Mode::default(),
            turns: Arc::default(),
        })
    }

    /// Starts taking turns from the queue, one at a time.
    pub(crate) fn start(&self, station: &Arc<Station>, agent: &Arc<AgentUnit>) {
        let waiting = lock(&self.waiting).take();
        let Some(mut waiting) = waiting else { return };
        let (station, agent) = (Arc::clone(station), Arc::clone(agent));
        station.tasks.clone().spawn(async move {
            loop {
                let next = tokio::select! {
                    biased;
                    () = station.ended.cancelled() => return,
                    // A person goes before what starts by itself.
                    next = waiting.recv() => next,
                    woken = agent.desk.woken(&station, &agent) => Some(woken),
                };
                let Some(start) = next else { return };
                if Arc::ptr_eq(&start.conversation, &agent.desk.desk) {
                    agent.desk.spoken.fetch_sub(1, Relaxed);
                }
                let _turn = agent.desk.turns.lock().await;
                drive::run(&station, &agent, start).await;
            }
        });
    }

    /// Queues a turn for what a person wrote.
    pub(crate) fn message(&self, by: &Session, role: Role, text: &str) -> Result<MessageSent, OpError> {
        let message = Message::operator(by.actor(), role, text)
            .map_err(|error| OpError::bad_input("bad_message", "text", error.to_string()))?;
        self.stir(Boost::Message);
        // Counted before it can be taken from the queue.
        self.spoken.fetch_add(1, Relaxed);
        let queued = self.queue(message, &self.desk);
        let turn = queued.inspect_err(|_| {
            self.spoken.fetch_sub(1, Relaxed);
        })?;
        if let Some(current) = self.current().as_ref() {
            // A full queue means that the turn is busy, not waiting.
            let _ = current.inputs.try_send(Input::Spoken);
        }
        Ok(MessageSent { session: self.desk.session.to_string(), turn })
    }

    /// Waits until a turn may start by itself.
    async fn woken(&self, station: &Station, agent: &AgentUnit) -> Start {
        loop {
            let now = station.clock.now();
            let woken = lock(&self.wakes).start(now.station);
            if let Some(woken) = woken {
                agent.ingest.rules_woke(agent, &woken.rules, now);
                let turn = format!("turn-{}", uuid::Uuid::now_v7());
                let message = Message::alert(&woken.notice);
                let conversation = Arc::clone(&self.autonomy);
                let fires = lock(&self.fires);
                let cause = woken.rules.iter().rev().find_map(|rule| fires.get(rule).cloned());
                return Start { turn, message, conversation, by_itself: true, mission: None, job: None, cause };
            }
            self.stirred.notified().await;
        }
    }

    /// An alert fired; it starts a turn as soon as it may, if that is reason enough.
    /// `record` is that of the fire.
    pub(crate) fn alert(&self, fire: &Fire, record: String) {
        lock(&self.fires).insert(fire.alert.clone(), record);
        lock(&self.wakes).fired(fire);
        self.stirred.notify_one();
    }

    /// A rule's predicate says something else: once it is false, it is no reason for a turn any more.
    pub(crate) fn follow(&self, moved: &RuleMove) {
        lock(&self.wakes).follow(moved);
    }

    /// A rule is gone, and no reason for a turn any more.
    pub(crate) fn forget(&self, rule: &AlertId) {
        lock(&self.fires).remove(rule);
        lock(&self.wakes).forget(rule);
    }

    /// More goes on than before; nobody is woken by it.
    pub(crate) fn stir(&self, boost: Boost) {
        lock(&self.wakes).stir(boost);
    }

    /// Lets time pass: arousal decays, and what had to wait is looked at again.
    pub(crate) fn tick(&self, now: Instant) {
        if lock(&self.wakes).tick(now) {
            self.stirred.notify_one();
        }
    }

    /// A turn that started by itself ended.
    fn ended(&self, failed: bool, now: Instant) {
        lock(&self.wakes).ended(failed, now);
        self.stirred.notify_one();
    }

    /// Has the agent told of a failure of `robot` that the station has answered.
    pub(crate) fn failure(&self, (robot, class): (&RobotId, &str), sentence: &str, now: Instant) {
        let notice = AlertNotice {
            alert: format!("safety:{robot}:{class}"),
            predicate: sentence.to_owned(),
            values: Vec::new(),
            // The station's own words; a refusal's numbers are its own too.
            trust: Trust::Typed,
        };
        lock(&self.wakes).tell(notice, now);
        self.stirred.notify_one();
    }

    /// A place among the turns that wait; none if there is no room, or no turn may start by itself now.
    pub(crate) fn reserve(&self, now: Instant) -> Option<Place> {
        if !lock(&self.wakes).may_start(now) {
            return None;
        }
        Some(Place { by_itself: true, ..self.reserve_for_person()? })
    }

    /// A place among the turns that wait, for a turn that a person starts; none if there is no room.
    pub(crate) fn reserve_for_person(&self) -> Option<Place> {
        let permit = self.starts.clone().try_reserve_owned().ok()?;
        Some(Place { permit, by_itself: false })
    }

    /// Queues the turn of a due job, and tells how it ends.
    pub(crate) fn job(
        &self,
        place: Place,
        notice: &JobNotice,
        turn: JobTurn,
        now: Instant,
    ) -> oneshot::Receiver<Outcome> {
        let (done, outcome) = oneshot::channel();
        let by_itself = place.by_itself;
        lock(&self.wakes).due(by_itself, now);
        let job = Some(OfJob { run: turn.run, cancel: turn.cancel, done });
        let (message, conversation, mission) =
            (Message::job(notice), Arc::clone(&self.autonomy), notice.mission.clone());
        place.permit.send(Start { turn: turn.turn, message, conversation, by_itself, mission, job, cause: None });
        outcome
    }

    fn queue(&self, message: Message, conversation: &Arc<Conversation>) -> Result<String, OpError> {
        let turn = format!("turn-{}", uuid::Uuid::now_v7());
        let conversation = Arc::clone(conversation);
        let start = Start {
            turn: turn.clone(),
            message,
            conversation,
            by_itself: false,
            mission: None,
            job: None,
            cause: None,
        };
        self.starts.try_send(start).map_err(|_| {
            OpError::conflict("busy", format!("{STARTS_MAX} turns are waiting already. Try again soon."))
        })?;
        Ok(turn)
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        lock(&self.current)
    }

    /// True while a person waits for the running turn to end. What the station itself wants to tell can wait.
    fn is_awaited(&self) -> bool {
        self.spoken.load(Relaxed) > 0
    }

    /// The turn that runs.
    pub(crate) fn running(&self) -> Option<String> {
        self.current().as_ref().map(|current| current.turn.clone())
    }

    /// Ends the running turn's reply. Robots carry on.
    pub(crate) fn cancel(&self, turn: &str) -> Result<(), OpError> {
        let current = self.current();
        match current.as_ref().filter(|current| current.turn == turn) {
            Some(current) => {
                // A full queue means that the turn is busy ending.
                let _ = current.inputs.try_send(Input::Cancel(CancelReason::Operator));
                Ok(())
            }
            None => Err(OpError::conflict("turn_ended", "This turn has ended already.")),
        }
    }

    /// Ends whatever runs because all robots were stopped.
    pub(crate) fn cancel_for_stop(&self) {
        self.end_current(CancelReason::StopAll);
    }

    /// Ends whatever runs because the station goes down.
    pub(crate) fn shut_down(&self) {
        self.end_current(CancelReason::Shutdown);
    }

    fn end_current(&self, reason: CancelReason) {
        if let Some(current) = self.current().as_ref() {
            let _ = current.inputs.try_send(Input::Cancel(reason));
        }
    }

    fn conversation(&self, session: &str) -> Result<&Arc<Conversation>, OpError> {
        match session {
            DESK_SESSION => Ok(&self.desk),
            AUTONOMY_SESSION => Ok(&self.autonomy),
            other => Err(OpError::not_found("session_not_found", "session", other)),
        }
    }

    /// Entries after `after`, at most `limit`, the newest ones if there are more.
    pub(crate) fn transcript(
        &self,
        session: Option<&str>,
        after: Option<u64>,
        limit: usize,
    ) -> Result<TranscriptPage, OpError> {
        let conversation = self.conversation(session.unwrap_or(DESK_SESSION))?;
        let lines = conversation.lines();
        let newer: Vec<_> = lines.iter().filter(|line| after.is_none_or(|after| line.id > after)).collect();
        let entries = newer.iter().skip(newer.len().saturating_sub(limit)).map(|line| (*line).clone()).collect();
        Ok(TranscriptPage { session: conversation.session.to_string(), entries, running: self.running() })
    }

    /// The entries of a turn, by what its first call was shown: from the words that began it to those that began the next.
    pub(crate) fn entries_of(&self, view: &TurnView) -> Result<Vec<EntryLine>, OpError> {
        let shown =
            view.calls.iter().find_map(|call| call.layout.as_ref()?.messages.iter().filter_map(|m| m.entry).max());
        let conversation = self.conversation(&view.session)?;
        let lines = conversation.lines();
        let begins = |line: &&EntryLine| line.kind == LineKind::User;
        let first = lines.iter().filter(begins).rfind(|line| shown.is_some_and(|shown| line.id <= shown));
        let Some(first) = first.map(|line| line.id) else { return Ok(Vec::new()) };
        let is_of_turn = |line: &&EntryLine| line.id == first || line.kind != LineKind::User;
        Ok(lines.iter().skip_while(|line| line.id < first).take_while(is_of_turn).cloned().collect())
    }

    /// How far the agent may act by itself.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// The conversation at the desk.
    pub(crate) fn session(&self) -> String {
        self.desk.session.to_string()
    }
}
