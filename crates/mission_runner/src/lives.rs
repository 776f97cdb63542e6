//! Lifecycles of the missions of one agent that somebody has activated or ended.

mod forgetting;
mod on_disk;
mod step_approval;
mod stored;
mod system_text;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use agent::MissionNotice;
use memory::{StoredActivation, word};
use missions::format::front::{Front, Goal, Precondition, Trigger};
use missions::lifecycle::{Act, Cause, Phase, Refusal, State, Status, Step, in_force, step};
use missions::run::{GoalState, Run, RunOutcome};
use missions::trigger::Fired;
use missions::{Deadline, FallbackClass, FallbackStep, MissionCode, MissionFile, text_for_agent};
use robot::{MissionId, Now, RobotId};
use world::cron::Zone;
use world::predicate::Rule;

use crate::cut::cut_at_line;
use crate::numbered::Numbered;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;

pub(crate) use on_disk::{LivesOnDisk, changed_meanwhile};
pub(crate) use stored::{life, unreadable};

/// The text that a turn which starts for a mission is given, characters.
const TURN_TEXT_CHARS_MAX: usize = 8_000;

/// Millionths in a US dollar.
const MICROUSD: f64 = 1_000_000.0;

/// Lifecycles of an agent's missions; those that have only a file are not in here.
#[derive(Default)]
pub struct Lives {
    lives: Mutex<Numbered<BTreeMap<MissionId, Arc<Life>>>>,
}

/// One mission that somebody has activated or ended.
#[derive(Debug, Clone)]
pub(crate) struct Life {
    pub(crate) state: State,
    pub(crate) since_ms: i64,
    /// The activated version; none if it was ended as a draft.
    pub(crate) version: Option<Arc<Version>>,
    /// Its newest run of that version.
    pub(crate) run: Option<Run>,
    /// The number of its newest run of any version.
    pub(crate) runs: u32,
    /// The firings of each trigger of that version.
    pub(crate) triggers: Vec<Fired>,
    pub(crate) row_version: i64,
    /// The author of a stop that is in force and not on disk yet.
    pub(crate) unsaved: Option<StoppedBy>,
}

/// The author of a stop, with the reason that was given.
#[derive(Debug, Clone)]
pub(crate) struct StoppedBy {
    pub actor: String,
    pub reason: Option<String>,
}

impl StoppedBy {
    /// Somebody who gave no reason.
    fn without_reason(actor: &str) -> Self {
        Self { actor: actor.to_owned(), reason: None }
    }
}

/// The text that a person activated.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) activation: StoredActivation,
    pub(crate) file: MissionFile,
    /// The zone of its times.
    pub(crate) zone: Zone,
    /// The end of its life; none if it has no end.
    pub(crate) deadline: Option<Deadline>,
}

impl Lives {
    pub(crate) fn life(&self, id: &MissionId) -> Option<Life> {
        self.present(id).map(Arc::unwrap_or_clone)
    }

    /// The same without a copy.
    fn present(&self, id: &MissionId) -> Option<Arc<Life>> {
        lock(&self.lives).get(id).cloned()
    }

    pub(crate) fn put(&self, id: &MissionId, life: Life) {
        lock(&self.lives).change().insert(id.clone(), Arc::new(life));
    }

    /// Active missions that are `meant`.
    pub(crate) fn active(&self, meant: impl Fn(&Life) -> bool) -> Vec<MissionId> {
        self.ids(|life| life.state.status == Status::Active && meant(life))
    }

    /// Missions that are `meant` and could be active again: a stop is the reason of one that was paused before, too.
    pub(crate) fn not_ended(&self, meant: impl Fn(&Life) -> bool) -> Vec<MissionId> {
        self.ids(|life| matches!(life.state.status, Status::Active | Status::Paused) && meant(life))
    }

    fn ids(&self, meant: impl Fn(&Life) -> bool) -> Vec<MissionId> {
        let lives = lock(&self.lives);
        lives.iter().filter(|(_, life)| meant(life)).map(|(id, _)| id.clone()).collect()
    }

    /// Applies an act that stops something, in memory: from here on nothing is done for the mission. True if that
    /// changed it; of several at once, only the first does so where the others would lead to the same.
    pub(crate) fn stand_still(&self, id: &MissionId, act: &Act, by: StoppedBy, now_ms: i64) -> Result<bool, Refusal> {
        let mut lives = lock(&self.lives);
        let before = lives.get(id);
        let Step::To(state) = step(before.map(|life| &life.state), act)? else { return Ok(false) };
        // Whatever was live has to meet its dependencies and preconditions again before it goes on.
        let state = State { phase: Phase::Held, ..state };
        let (version, row_version) = before.map_or((None, 0), |life| (life.version.clone(), life.row_version));
        let triggers = before.map(|life| life.triggers.clone()).unwrap_or_default();
        let asks = matches!(state.cause, Some(Cause::Stop | Cause::Fallback(_)));
        let run = before.and_then(|life| life.interrupted(&state, asks, now_ms));
        let runs = before.map_or(0, |life| life.runs);
        // Stops that come before the first is on disk are written as one.
        let is_saved = before.is_none_or(|life| life.unsaved.is_none());
        let (row_version, unsaved) = (row_version + i64::from(is_saved), Some(by));
        let life = Life { state, since_ms: now_ms, version, run, runs, triggers, row_version, unsaved };
        lives.change().insert(id.clone(), Arc::new(life));
        Ok(true)
    }

    /// Notes that a stop with this version of its row is on disk.
    pub(crate) fn note_saved(&self, id: &MissionId, row_version: i64) {
        // Another stop may have come during the write; its row is a newer one and still has to be written.
        if let Some(life) = lock(&self.lives).change().get_mut(id).filter(|life| life.row_version == row_version) {
            Arc::make_mut(life).unsaved = None;
        }
    }

    /// Missions that stand still in memory alone.
    pub(crate) fn unsaved(&self) -> Vec<MissionId> {
        self.ids(|life| life.unsaved.is_some())
    }

    /// Every mission that somebody has activated or ended.
    pub(crate) fn all(&self) -> BTreeMap<MissionId, Arc<Life>> {
        BTreeMap::clone(&lock(&self.lives))
    }

    /// The number of changes so far.
    pub(crate) fn changes(&self) -> u64 {
        lock(&self.lives).changes()
    }

    /// The same without a copy.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&BTreeMap<MissionId, Arc<Life>>) -> T) -> T {
        look(&lock(&self.lives))
    }

    /// Takes `life`, which is on disk. What stopped the mission while it was written stays in force, with the text of
    /// `life`, and is written after it; so does a stop of its robots, which `is_stopped` knows of, when the mission
    /// becomes active: nothing told a mission of it that was not active then. True if the mission stands as `life` says.
    pub(crate) fn put_saved(&self, id: &MissionId, life: Life, is_stopped: impl FnOnce(&[RobotId]) -> bool) -> bool {
        let (is_active, since_ms) = (life.state.status == Status::Active, life.since_ms);
        let robots = life.robots().to_vec();
        let begins = is_active && self.status(id) != Some(Status::Active);
        let stands = self.put_if_it_stands(id, life);
        // Asked once the mission is active: a stop from here on finds it so.
        if !(stands && begins && is_stopped(&robots)) {
            return stands;
        }
        let by = StoppedBy::without_reason(Session::supervision().actor());
        // Whoever has ended it meanwhile goes before.
        let _ = self.stand_still(id, &Act::Pause(Cause::Stop), by, since_ms);
        false
    }

    fn put_if_it_stands(&self, id: &MissionId, life: Life) -> bool {
        let mut lives = lock(&self.lives);
        let lives = lives.change();
        // Every change takes the next number, so an equal one means that a stop was made of the same row.
        match lives.get_mut(id).filter(|now| now.row_version >= life.row_version) {
            Some(stopped) => {
                // What the run was about to do is not done.
                let run = life.interrupted(&stopped.state, true, stopped.since_ms);
                let Life { version, runs, triggers, row_version, .. } = life;
                let before = Life::clone(stopped);
                // The disk has the row of `life`; the stop becomes the one after it and is written as such.
                *stopped = Arc::new(Life { run, runs, row_version: row_version + 1, version, triggers, ..before });
                false
            }
            None => {
                lives.insert(id.clone(), Arc::new(life));
                true
            }
        }
    }

    /// True if a mission is completed, failed or cancelled.
    pub(crate) fn has_ended(&self, id: &MissionId) -> bool {
        self.status(id).is_some_and(Status::has_ended)
    }

    /// The active missions.
    pub(crate) fn all_active(&self) -> Vec<(MissionId, Arc<Life>)> {
        let lives = lock(&self.lives);
        let active = lives.iter().filter(|(_, life)| life.state.status == Status::Active);
        active.map(|(id, life)| (id.clone(), Arc::clone(life))).collect()
    }

    /// Status of a mission; `None` for a draft.
    pub fn status(&self, id: &MissionId) -> Option<Status> {
        lock(&self.lives).get(id).map(|life| life.state.status)
    }

    /// True if a mission runs.
    pub fn is_live(&self, id: &MissionId) -> bool {
        lock(&self.lives).get(id).is_some_and(|life| life.is_live())
    }

    /// True if a mission runs and names `robot`.
    pub fn may_move(&self, id: &MissionId, robot: &RobotId) -> bool {
        let lives = lock(&self.lives);
        // One that waits or stands still moves nothing, whatever its text names.
        let live = lives.get(id).filter(|life| life.is_live());
        live.and_then(|life| life.version.as_ref()).is_some_and(|version| version.file.robots.contains(robot))
    }

    /// The money that the activated text of a mission gives it for models, micro-dollars; none without a bound.
    pub fn budget_microusd(&self, id: &MissionId) -> Option<i64> {
        lock(&self.lives).get(id)?.budget_microusd()
    }

    /// The missions with such a bound.
    pub(crate) fn with_budget(&self) -> Vec<MissionId> {
        let lives = lock(&self.lives);
        lives.iter().filter(|(_, life)| life.budget_microusd().is_some()).map(|(id, _)| id.clone()).collect()
    }

    /// The steps that live missions with `robot` add to the response to a failure of `class`.
    pub fn further_steps(&self, robot: &RobotId, class: FallbackClass) -> Vec<FallbackStep> {
        let lives = lock(&self.lives);
        let files = lives.values().filter(|life| life.is_live()).filter_map(|life| life.version.as_ref());
        let with_robot = files.map(|version| &version.file).filter(|file| file.robots.contains(robot));
        with_robot.filter_map(|file| file.parsed.front.fallbacks.get(&class)).flatten().copied().collect()
    }

    /// The paused missions that name `robot`.
    pub fn paused_of(&self, robot: &RobotId) -> Vec<MissionId> {
        let lives = lock(&self.lives);
        let named = |life: &Life| life.version.as_ref().is_some_and(|version| version.file.robots.contains(robot));
        let paused = lives.iter().filter(|(_, life)| life.state.status == Status::Paused && named(life));
        paused.map(|(id, _)| id.clone()).collect()
    }

    /// That nothing is done for a mission that stands still or has ended, whatever a model still reads.
    pub fn check_may_act(&self, id: &MissionId) -> Result<(), OpError> {
        match self.status(id) {
            // A draft passes: rules and contexts that people registered for it are in force (decision 0052).
            None | Some(Status::Active) => Ok(()),
            Some(status) => {
                Err(OpError::new(MissionCode::MissionNotLive, format!("The mission {id} is {}.", word(&status))))
            }
        }
    }

    /// # Errors
    /// The mission `id` may not move `robot` now: it stands still, waits, or does not name it. A draft passes, as above.
    pub fn check_may_move(&self, id: &MissionId, robot: &RobotId) -> Result<(), OpError> {
        self.check_may_act(id)?;
        if self.status(id).is_none() || self.may_move(id, robot) {
            return Ok(());
        }
        let message = format!("The mission {id} waits, or does not name {robot}. Command it without the mission.");
        Err(OpError::new(MissionCode::MissionNotLive, message))
    }

    /// A live mission, as a turn that starts for it is told of it.
    pub fn notice(&self, id: &MissionId) -> Option<MissionNotice> {
        let life = self.present(id).filter(|life| life.is_live())?;
        let version = life.version.as_ref()?;
        let text = Some(version.text_for_turn()).filter(|text| !text.is_empty());
        let goal = life.run.as_ref().filter(|_| life.is_running()).and_then(|run| version.present_goal(run));
        Some(MissionNotice { id: id.to_string(), goal, text })
    }
}

impl Life {
    /// True if a person cancelled it, which is final for its id.
    pub(crate) fn is_cancelled_for_good(&self) -> bool {
        // With a cause it was its parent or its time that ended it, and not a person.
        self.state.status == Status::Cancelled && self.state.cause.is_none()
    }

    /// True if what it asks for may be done now.
    fn is_live(&self) -> bool {
        in_force(Some(&self.state)).rules
    }

    /// Its run after something has brought it to `state`. A run that moves a robot goes on only with a person's word
    /// where the interruption `asks` for one.
    fn interrupted(&self, state: &State, asks: bool, now_ms: i64) -> Option<Run> {
        let mut run = self.run.clone()?;
        match outcome(state, &run) {
            Some(outcome) => run.end(outcome, now_ms),
            // No person is asked about a turn: the next firing begins another one.
            None if self.is_taken_up() => run.end(RunOutcome::CutOff, now_ms),
            None => run.interrupt(asks && self.moves_robots()),
        }
        Some(run)
    }

    /// The money that its text gives it for models, micro-dollars.
    pub(crate) fn budget_microusd(&self) -> Option<i64> {
        let usd = self.version.as_ref()?.file.parsed.front.budget_usd.as_ref()?.value;
        // At most 1,000 dollars, which the file was checked for.
        #[expect(clippy::cast_possible_truncation, reason = "far below the greatest i64")]
        let microusd = (usd * MICROUSD).round() as i64;
        Some(microusd)
    }

    /// The firings of each of `count` triggers.
    pub(crate) fn fired(&self, count: usize) -> Vec<Fired> {
        let mut fired = self.triggers.clone();
        // Never shorter: what is on disk of further triggers is not thrown away by a look.
        fired.resize(count.max(fired.len()), Fired::default());
        fired
    }

    /// True if a live mission with goals waits for something that starts its next run.
    pub(crate) fn waits_for_trigger(&self) -> bool {
        let Some(version) = &self.version else { return false };
        let front = &version.file.parsed.front;
        let is_open = self.run.as_ref().is_some_and(|run| !run.has_ended());
        let starts_at_once = self.run.is_none() && front.triggers.iter().any(|one| one.value == Trigger::Immediate);
        version.file.goal_count() > 0 && !is_open && !starts_at_once
    }

    /// True while it works through its goals.
    pub(crate) fn is_running(&self) -> bool {
        self.state.status == Status::Active && self.state.phase == Phase::Running
    }

    /// True if a person may say now that the goal with this number is done: it is a sentence, and the present one.
    pub(crate) fn may_tick(&self, number: usize) -> bool {
        let goal = self.version.as_ref().and_then(|version| version.file.parsed.front.goals.get(number));
        let is_sentence = goal.is_some_and(|goal| matches!(goal.value, Goal::Text { .. }));
        let is_present = self.run.as_ref().is_some_and(|run| run.current() == Some(number) && run.ask.is_empty());
        self.is_running() && is_sentence && is_present
    }

    /// True if each of its runs is a turn of the agent.
    pub(crate) fn is_taken_up(&self) -> bool {
        self.version.as_ref().is_some_and(|version| version.file.is_taken_up())
    }

    /// The robots that its text names.
    pub(crate) fn robots(&self) -> &[RobotId] {
        self.version.as_ref().map_or(&[], |version| &version.file.robots)
    }

    fn moves_robots(&self) -> bool {
        !self.robots().is_empty()
    }

    /// The same after this station began: an open step is unclear, nothing moves because the station came back, and what
    /// checked the start is gone, so that it is checked anew. That a turn was cut off is still to be written.
    pub(crate) fn after_restart(mut self) -> Self {
        let is_active = self.state.status == Status::Active;
        let is_running = self.state.phase == Phase::Running;
        // Also where it is not running: a resumed mission that is held again may still have an open step.
        let is_sent = self.run.as_ref().and_then(Run::goal).is_some_and(|goal| goal.state == GoalState::Dispatched);
        if is_active && self.state.phase == Phase::Checking {
            self.state.phase = Phase::Held;
        }
        if !is_active || !(is_running || is_sent) {
            return self;
        }
        let was_open = self.has_open_run();
        self.run = self.interrupted(&self.state, true, self.since_ms);
        if self.is_taken_up() && is_running {
            self.state.phase = Phase::Live;
        }
        if was_open && !self.has_open_run() {
            self.row_version += 1;
            self.unsaved = Some(StoppedBy::without_reason("station"));
        }
        self
    }

    /// True while a run of it goes on.
    pub(crate) fn has_open_run(&self) -> bool {
        self.run.as_ref().is_some_and(|run| !run.has_ended())
    }
}

/// The outcome of a run whose mission has come to `state`; none if it may go on.
fn outcome(state: &State, run: &Run) -> Option<RunOutcome> {
    match state.status {
        Status::Active | Status::Paused => None,
        Status::Completed if run.current().is_some() => Some(RunOutcome::Closed),
        Status::Completed => Some(RunOutcome::Done),
        Status::Failed => Some(RunOutcome::Failed),
        Status::Cancelled if state.cause == Some(Cause::Expired) => Some(RunOutcome::Expired),
        Status::Cancelled => Some(RunOutcome::Cancelled),
    }
}

impl Version {
    /// The text of `file`, activated as `activation` says; times without a zone are those of `zone`.
    pub(crate) fn new(activation: StoredActivation, file: MissionFile, zone: &Zone, now: Now) -> Self {
        let front = &file.parsed.front;
        let zone = front.time_zone.as_ref().map_or(zone, |own| &own.value);
        let expires = front.expires.as_ref();
        let deadline = expires.and_then(|expires| expires.value.deadline(zone, activation.at_ms, now));
        let zone = zone.clone();
        Self { activation, file, zone, deadline }
    }

    /// The text that a turn which starts for it is given.
    pub(crate) fn text_for_turn(&self) -> String {
        cut_at_line(text_for_agent(self.file.body()).trim(), TURN_TEXT_CHARS_MAX)
    }

    /// The goal that `run` works on, with its number; none if the run is a turn or all are done.
    pub(crate) fn present_goal(&self, run: &Run) -> Option<String> {
        let goals = &self.file.parsed.front.goals;
        let number = run.current().filter(|number| *number < goals.len())?;
        Some(format!("{} of {}: {}", number + 1, goals.len(), self.goal_text(number)))
    }

    /// A goal in full: that of words as it was written, the others in a phrase.
    fn goal_text(&self, number: usize) -> String {
        match self.file.parsed.front.goals.get(number).map(|goal| &goal.value) {
            Some(Goal::Text { goal, .. }) => goal.clone(),
            Some(Goal::Step { .. } | Goal::WaitFor { .. } | Goal::WaitSecs(_)) | None => self.file.goal_words(number),
        }
    }

    /// The mission, as a turn of `run` is told of it. One without goals has its text as the instruction.
    pub(crate) fn notice(&self, run: &Run) -> MissionNotice {
        let goal = self.present_goal(run);
        let text = goal.is_some().then(|| self.text_for_turn()).filter(|text| !text.is_empty());
        MissionNotice { id: self.file.id.to_string(), goal, text }
    }

    /// The place of a precondition: its memory from before the mission is live stays when it is.
    pub(crate) fn precondition_place(&self, number: usize) -> String {
        format!("precondition {number} of {}", self.activation.id)
    }

    /// True once its life is over.
    pub(crate) fn is_expired(&self, now: Now) -> bool {
        self.deadline.is_some_and(|deadline| deadline.is_over(now))
    }
}

/// The preconditions that the world decides.
pub(crate) fn rules(front: &Front) -> impl Iterator<Item = &Rule> {
    front.preconditions.iter().filter_map(|one| match &one.value {
        Precondition::Rule(rule) => Some(rule),
        Precondition::Text(_) => None,
    })
}

#[cfg(test)]
mod tests;
