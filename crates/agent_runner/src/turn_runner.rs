//! The agent's side of the station: the queue of turns, and the driver that carries out a turn's effects in order.

mod calls;
mod context;
mod drive;
mod finish;
mod late_decision;
mod micro;
mod mode;
mod pause;
mod queue;
mod recording;
mod resume;
mod room;
mod running;
mod setup;
mod speak;
mod state;
mod steers;
mod task;
mod wake;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use agent::{AlertNotice, CancelReason, EntryLine, JobNotice, LineKind, Message, Mode, Outcome};
use memory::{AgentDb, StateKey};
use robot::{ConversationId, Instant, MissionId, RobotId, Trust, TurnId};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;
use world::arousal::Boost;
use world::{AlertId, Fire, RuleMove};

use crate::agents::AgentUnit;
use crate::conversations::{AUTONOMY_SESSION, Conversation, Conversations, DESK_SESSION, TurnSlot};
use crate::rooms::OfRoom;
use crate::runner::AgentRunner;
use crate::schedule::Cards;
use calls::reader::OutputReader;
pub(crate) use calls::reader::Wanted;
pub use micro::Checking;
use micro::MissionAsker;
use mode::AgentMode;
use pause::Paused;
use queue::{Queue, Room};
use running::Running;
use runtime::config::AgentFolders;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{TranscriptPage, TurnView};
use sensing::FireRecord;
use steers::Steers;
use wake::{Causes, Wakes};

/// A turn that waits.
struct Start {
    turn: TurnId,
    message: Message,
    conversation: Arc<Conversation>,
    /// The record of what began it.
    cause: Option<String>,
    /// Nobody asked for it: it counts as such, and has less time.
    by_itself: bool,
    /// The mission it works for.
    mission: Option<String>,
    job: Option<OfJob>,
    /// The row of the words that began it, until the transcript holds them.
    said: Option<String>,
    /// The alerts behind it.
    woken: Option<Causes>,
    /// It made room for a person before; it does so once.
    again: bool,
    /// The room that the message came from, if it came from one.
    room: Option<OfRoom>,
}

/// A turn that a job starts.
pub(crate) struct JobTurn {
    /// Names the turn.
    pub turn: TurnId,
    /// The run it is.
    pub run: String,
    /// Ends it, also while it waits.
    pub cancel: CancellationToken,
    /// The cards on which it asks people for a decision.
    pub cards: Arc<Cards>,
}

/// The link from a turn to the job that started it.
struct OfJob {
    run: String,
    cancel: CancellationToken,
    cards: Arc<Cards>,
    done: oneshot::Sender<Outcome>,
}

/// A place in the queue of turns.
pub(crate) struct Place {
    room: Room,
    by_itself: bool,
}

/// The agent's desk.
pub struct TurnRunner {
    pub(crate) conversations: Conversations,
    desk: Arc<Conversation>,
    autonomy: Arc<Conversation>,
    queue: Queue,
    /// Turns of rooms; they take their places from the other queue.
    of_rooms: Queue,
    running: Running,
    steers: Steers,
    /// Rows of what people said that the last run has left; read before anybody can speak.
    left_said: BTreeSet<String>,
    wakes: Mutex<Wakes>,
    /// Turns that wait for a person to add to a budget.
    paused: Mutex<Vec<Paused>>,
    /// The newest fire of each rule.
    fires: Mutex<BTreeMap<AlertId, FireRecord>>,
    /// Something may let a turn start by itself.
    stirred: Notify,
    mode: AgentMode,
    /// Model calls of a turn, if a person has set that; 0 if not.
    calls_max: AtomicU32,
    /// Held by the turn that runs, and by whoever must have none run.
    turns: Arc<tokio::sync::Mutex<TurnSlot>>,
    /// Asks about one mission after the other.
    asker: tokio::sync::Mutex<MissionAsker>,
    /// Reads one output after the other.
    reader: tokio::sync::Mutex<OutputReader>,
}

impl Start {
    /// A turn that a person at a desk begins with `message`.
    fn of(turn: TurnId, message: Message, conversation: Arc<Conversation>) -> Self {
        Self {
            turn,
            message,
            conversation,
            cause: None,
            by_itself: false,
            mission: None,
            job: None,
            said: None,
            woken: None,
            again: false,
            room: None,
        }
    }

    /// The run that the turn is, if a job starts it, and what ends it with its job.
    fn of_job(&self) -> (Option<(String, Arc<Cards>)>, CancellationToken) {
        match &self.job {
            Some(OfJob { run, cancel, cards, .. }) => (Some((run.clone(), Arc::clone(cards))), cancel.clone()),
            None => (None, CancellationToken::new()),
        }
    }
}

impl TurnRunner {
    /// Opens the conversations.
    pub(crate) async fn open(
        folders: &AgentFolders,
        db: &AgentDb,
        now: robot::Now,
    ) -> Result<Self, memory::MemoryError> {
        let wakes = db.state(StateKey::Wakes).await?.unwrap_or_default();
        let conversations = Conversations::open(folders.sessions.clone(), db).await?;
        Ok(Self {
            // Held for the whole run, so that neither of the two is closed for want of use.
            desk: conversations.opened(&DESK_SESSION.into()).await?,
            autonomy: conversations.opened(&AUTONOMY_SESSION.into()).await?,
            conversations,
            queue: Queue::default(),
            of_rooms: Queue::default(),
            running: Running::default(),
            steers: Steers::default(),
            left_said: db.said().await?.into_iter().map(|said| said.id).collect(),
            wakes: Mutex::new(Wakes::restored(wakes, now)),
            paused: Mutex::new(Self::load_paused(db).await?),
            fires: Mutex::default(),
            stirred: Notify::new(),
            mode: AgentMode::of(db.state(StateKey::Mode).await?.unwrap_or_default()),
            calls_max: AtomicU32::new(db.state(StateKey::CallsMax).await?.unwrap_or_default()),
            turns: Arc::default(),
            asker: tokio::sync::Mutex::default(),
            reader: tokio::sync::Mutex::default(),
        })
    }

    /// Takes up what the last run left, then takes turns from the queue, one at a time.
    pub(crate) fn start(&self, runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
        self.keep_saving(runner, agent);
        let (runner, agent) = (Arc::clone(runner), Arc::clone(agent));
        runner.runtime.tasks.clone().spawn(async move {
            // Before the first turn, which must find a result for every call of the last run.
            resume::resume(&runner, &agent).await;
            agent.turns.warm(&runner, &agent);
            loop {
                let start = tokio::select! {
                    biased;
                    () = runner.runtime.ended.cancelled() => return,
                    // A person goes before what starts by itself.
                    next = agent.turns.queue.next() => next,
                    woken = agent.turns.woken(&runner, &agent) => woken,
                    // Rooms wait behind everybody else.
                    next = agent.turns.of_rooms.next() => next,
                };
                // Waits for whoever must have no turn run, for example a request to forget.
                let _turn = agent.turns.turns.lock().await;
                drive::run(&runner, &agent, start).await;
            }
        });
    }

    /// Waits until a turn may start by itself.
    async fn woken(&self, runner: &AgentRunner, agent: &AgentUnit) -> Start {
        loop {
            let now = runner.runtime.clock.now();
            let woken = lock(&self.wakes).start(now.station);
            if let Some(woken) = woken {
                return self.start_of(runner, agent, woken, now);
            }
            self.stirred.notified().await;
        }
    }

    fn start_of(&self, runner: &AgentRunner, agent: &AgentUnit, woken: wake::Woken, now: robot::Now) -> Start {
        let by_itself =
            |message| Start { by_itself: true, ..Start::of(turn_id(), message, Arc::clone(&self.autonomy)) };
        match woken {
            wake::Woken::Alerts(causes) => {
                let rules: Vec<AlertId> = causes.rules().cloned().collect();
                // Counted now: a turn that fails has woken the agent all the same.
                agent.world.ingest.rules_woke(&agent.world, &rules, now);
                let fires = lock(&self.fires);
                let of_rules: Vec<&FireRecord> = rules.iter().filter_map(|rule| fires.get(rule)).collect();
                let cause = of_rules.last().map(|record| record.episode.clone());
                // Of several missions the first one pays.
                let mission = rules.iter().find_map(|rule| agent.world.ingest.mission_of(rule));
                let told = mission.as_ref().and_then(|mission| runner.missions.notice(&agent.id, mission));
                let (message, again) = (Message::alert(&causes.merged(), told.as_ref()), causes.again);
                let mission = mission.map(|mission| mission.to_string());
                let start = Start { cause, again, mission, woken: Some(causes), ..by_itself(message) };
                agent.world.rules.led_to(of_rules.iter().map(|record| record.fire.clone()), &start.turn);
                start
            }
            wake::Woken::Told(message) => by_itself(message),
        }
    }

    /// An alert fired; it starts a turn as soon as it may, if that is reason enough.
    /// `record` is that of the fire.
    pub(crate) fn alert(&self, fire: &Fire, record: FireRecord) {
        // The record first: the turn that may begin at once looks for it.
        lock(&self.fires).insert(fire.alert.clone(), record);
        lock(&self.wakes).fired(fire);
        self.stirred.notify_one();
    }

    /// A rule's predicate says something else: once it is false, it is no reason for a turn any more.
    pub(crate) fn follow(&self, moved: &RuleMove) {
        lock(&self.wakes).follow(moved);
        self.stirred.notify_one();
    }

    /// A rule is gone, and no reason for a turn any more.
    pub(crate) fn forget(&self, rule: &AlertId) {
        lock(&self.fires).remove(rule);
        lock(&self.wakes).forget(rule);
    }

    /// More goes on than before; nobody is woken by it.
    pub fn stir(&self, boost: Boost) {
        lock(&self.wakes).stir(boost);
    }

    /// Lets time pass: arousal decays, and what had to wait is looked at again.
    pub fn tick(&self, now: Instant) {
        // Only if something waits: a notice would wake the task at each beat.
        if lock(&self.wakes).tick(now) {
            self.stirred.notify_one();
        }
    }

    /// Starts a turn with `message` as soon as one may start by itself.
    fn wake_with(&self, message: Message) {
        lock(&self.wakes).hear(message);
        self.stirred.notify_one();
    }

    /// Has the agent told of a failure of `robot` that the station has answered.
    pub fn failure(&self, robot: &RobotId, class: &str, sentence: &str, now: Instant) {
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

    /// True if a turn may start by itself now.
    pub(crate) fn may_start(&self, now: Instant) -> bool {
        lock(&self.wakes).may_start(now)
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
        Some(Place { room: self.queue.reserve()?, by_itself: false })
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
        // Counted before it is queued: the next job that is due has to see it.
        lock(&self.wakes).due(by_itself, now);
        let job = Some(OfJob { run: turn.run, cancel: turn.cancel, cards: turn.cards, done });
        let start = Start::of(turn.turn, Message::job(notice), Arc::clone(&self.autonomy));
        let mission = notice.mission.as_ref().map(|mission| mission.id.clone());
        self.queue.push(Start { by_itself, mission, job, ..start }, place.room);
        outcome
    }

    /// True while a person waits for the running turn to end. What the station itself wants to tell can wait.
    fn is_awaited(&self) -> bool {
        self.queue.holds_persons()
    }

    /// The turn that runs.
    pub fn running(&self) -> Option<TurnId> {
        self.running.look(|current| current.turn.clone())
    }

    /// Ends whatever runs because all robots were stopped. The agent asks for everything from here on, unless it may
    /// do even less.
    pub fn stopped(&self, runner: &AgentRunner, agent: &Arc<AgentUnit>) {
        // First, and without waiting for anything: a stop is under way.
        self.running.cancel(CancelReason::StopAll);
        // Nobody answers a room in the middle of a stop.
        self.of_rooms.take_all().into_iter().for_each(|start| self.running.note_ended(start.turn));
        // A stop never widens what an agent may do (decision 0044).
        // Held here in any case; the disk only matters to the next run.
        self.bind(runner, agent);
    }

    /// Ends the turn that started by itself for a mission that stands still now.
    pub fn stand_still(&self, mission: &MissionId) {
        self.running.cancel_for(mission);
    }

    /// Ends whatever runs because the station goes down.
    pub fn shut_down(&self) {
        self.running.cancel(CancelReason::Shutdown);
    }

    /// Entries after `after`, at most `limit`, the newest ones if there are more.
    pub(crate) async fn transcript(
        &self,
        session: Option<&ConversationId>,
        after: Option<u64>,
        limit: usize,
    ) -> Result<TranscriptPage, OpError> {
        let conversation = self.conversations.get(session.unwrap_or(&self.desk.session)).await?;
        let lines = conversation.lines();
        let newer: Vec<_> = lines.iter().filter(|line| after.is_none_or(|after| line.id > after)).collect();
        let entries = newer.iter().skip(newer.len().saturating_sub(limit)).map(|line| (*line).clone()).collect();
        Ok(TranscriptPage { session: conversation.session.clone(), entries, running: self.running() })
    }

    /// The entries of a turn, by what its calls were shown: from the words that began it to those that began the next.
    pub(crate) async fn entries_of(&self, view: &TurnView) -> Result<Vec<EntryLine>, OpError> {
        let layouts = view.calls.iter().filter_map(|call| call.layout.as_ref());
        let mut shown = layouts.filter_map(|layout| layout.messages.iter().filter_map(|message| message.entry).max());
        let conversation = self.conversations.get(&view.session).await?;
        let lines = conversation.lines();
        let named: Vec<EntryLine> =
            lines.iter().filter(|line| line.turn.as_ref() == Some(&view.turn)).cloned().collect();
        if !named.is_empty() {
            return Ok(named);
        }
        // Lines of older versions name no turn.
        let Some(of_first) = shown.next() else { return Ok(Vec::new()) };
        let of_last = shown.next_back().unwrap_or(of_first);
        let begins = |line: &&EntryLine| line.kind == LineKind::User && line.id <= of_first;
        let Some(first) = lines.iter().rfind(begins).map(|line| line.id) else { return Ok(Vec::new()) };
        // User entries up to `of_last` were steered into the turn while it ran; a later one began another turn.
        let is_of_turn = |line: &&EntryLine| line.kind != LineKind::User || line.id <= of_last;
        Ok(lines.iter().skip_while(|line| line.id < first).take_while(is_of_turn).cloned().collect())
    }

    /// The agent's mode of autonomy: watch, ask, assist or run a mission.
    pub(crate) fn mode(&self) -> Mode {
        self.mode.get()
    }

    /// Its mode now: it only reads while nobody sees it.
    pub fn mode_now(&self, runner: &AgentRunner) -> Mode {
        // While every screen is frozen, nobody would see what it does (decision 0027).
        if runner.robots.is_unseen() { Mode::Watch } else { self.mode() }
    }

    /// Model calls of a turn, if a person has set that.
    fn calls_max(&self) -> Option<u32> {
        Some(self.calls_max.load(Relaxed)).filter(|calls| *calls > 0)
    }

    /// The conversation at the desk.
    pub fn session(&self) -> ConversationId {
        self.desk.session.clone()
    }
}

/// The name of a new turn.
pub(crate) fn turn_id() -> TurnId {
    format!("turn-{}", uuid::Uuid::now_v7()).into()
}
