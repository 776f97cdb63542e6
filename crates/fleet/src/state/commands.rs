//! Every command that left the station and how far it got, by the robot's own reports, and by what was measured when it
//! reports the end.

mod arrival;

pub use arrival::CONFIRM_WITHIN_MS;
pub(crate) use arrival::Sight;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bridge::envelope::{Failure, Status};
use robot::{CommandId, Instant, ProposalId, RawCommand, RobotId};
use safety::leases::Renewal;
use safety::{Approach, OffGoal};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::code::FleetCode;
use crate::state::leases::ResourceGuard;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::operation::input_diff::changes;
use runtime::wire::{CommandStep, FieldChange, word};

/// Commands remembered of each robot, so that a repeated id acts once.
const COMMANDS_OF_ROBOT_MAX: usize = 1_024;
/// After this time without a report the state of a command is unknown, milliseconds.
const UNKNOWN_AFTER_MS: u64 = 2_000;
/// Longest wait of `send_command` for the robot's first report.
const FIRST_REPORT_WAIT: Duration = Duration::from_millis(500);

/// The progress of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The step.
    pub step: CommandStep,
    /// The refusal's code, or why it is not confirmed.
    pub code: Option<String>,
    /// The measured distance from its goal, if the robot reported the end elsewhere.
    pub off_goal: Option<OffGoal>,
}

impl Progress {
    /// A step that needs no words.
    #[must_use]
    pub const fn at(step: CommandStep) -> Self {
        Self { step, code: None, off_goal: None }
    }

    /// A step with the code of its reason.
    #[must_use]
    pub fn coded(step: CommandStep, code: impl Into<String>) -> Self {
        Self { step, code: Some(code.into()), off_goal: None }
    }

    /// The robot reports an end that nothing measured confirms.
    #[must_use]
    pub fn off(off_goal: OffGoal) -> Self {
        let code = Some(word(&off_goal.why));
        Self { step: CommandStep::DoneNotConfirmed, code, off_goal: Some(off_goal) }
    }

    /// The reason in words where there are some, else its code.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        self.off_goal.as_ref().map(OffGoal::sentence).or_else(|| self.code.clone())
    }
}

/// A change of one command's progress.
#[derive(Debug, Clone)]
pub struct Step {
    /// The command.
    pub command: CommandId,
    /// Its robot.
    pub robot: RobotId,
    /// Its newest progress.
    pub progress: Progress,
    /// The proposal it was sent under.
    pub proposal: Option<ProposalId>,
}

#[derive(Debug)]
struct Record {
    proposal: Option<ProposalId>,
    /// It waits for a person under that proposal, and is sent under no other.
    waits: bool,
    sent_at: Instant,
    progress: watch::Sender<Progress>,
    /// The command as it was given, and by whom: a repeat of its id must be the same.
    asked: Request,
    outcome: Option<Value>,
    /// Lease of the part that its motion uses, until the motion ends.
    lease: Option<ResourceGuard>,
    /// The way to its goal, if it has one.
    approach: Option<Approach>,
    /// When the robot reported an end that is not confirmed yet.
    reported_done: Option<Instant>,
    /// The step at which the last look found it, and since when.
    found: (CommandStep, Instant),
}

impl Record {
    /// True if nothing moves for it: it is over, or a person has not decided on it.
    fn moves_nothing(&self) -> bool {
        self.waits || is_over(self.progress.borrow().step)
    }

    /// Since when nothing has been heard of it at `now`, if its next word is the robot's; `sign` is the robot's last sign
    /// of life. A motion goes on for as long as its robot is heard.
    fn silent_since(&mut self, now: Instant, sign: Option<Instant>) -> Option<Instant> {
        let step = self.progress.borrow().step;
        if self.found.0 != step {
            self.found = (step, now);
        }
        let since = self.found.1;
        match step {
            CommandStep::Sent => Some(self.sent_at),
            CommandStep::Received => Some(since),
            CommandStep::Running => Some(sign.map_or(since, |sign| sign.max(since))),
            CommandStep::Approved
            | CommandStep::Unknown
            | CommandStep::Denied
            | CommandStep::Done
            | CommandStep::DoneNotConfirmed
            | CommandStep::Failed
            | CommandStep::Superseded
            | CommandStep::RefusedByRobot => None,
        }
    }
}

/// A command as somebody gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The robot that it is for.
    pub robot: RobotId,
    /// The name of the person or program that gave it.
    pub by: String,
    /// Its input.
    pub input: Value,
}

impl Request {
    /// `raw` as `by` gave it.
    #[must_use]
    pub fn new(raw: &RawCommand, by: &str) -> Self {
        Self { robot: raw.robot.clone(), by: by.to_owned(), input: serde_json::to_value(raw).unwrap_or_default() }
    }

    /// The refusal of `id` for the same command again, while the first has no outcome yet.
    #[must_use]
    pub fn refused_again(id: CommandId) -> OpError {
        let message = format!("The id {id} was given already, and nothing was sent for it anew. Use a new id.");
        OpError::new(FleetCode::CommandRepeated, message).with(json!({ "id": id, "differs": [] }))
    }

    /// The refusal of `id` for a command that differs from the first one.
    fn refused_for(&self, id: CommandId, other: &Self) -> OpError {
        let mut differs = changes(&self.input, &other.input);
        if self.by != other.by {
            differs.push(FieldChange { path: "by".to_owned(), from: Value::Null, to: Value::Null });
        }
        let paths: Vec<&str> = differs.iter().map(|change| change.path.as_str()).collect();
        let message = format!(
            "The id {id} was given to another command already ({} differs). Nothing was sent; use a new id.",
            paths.join(", ")
        );
        OpError::new(FleetCode::CommandRepeated, message).with(json!({ "id": id, "differs": differs }))
    }
}

/// The newest commands of this run.
#[derive(Debug, Default)]
pub struct Commands {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    records: BTreeMap<CommandId, Record>,
    /// Of each robot, oldest first.
    order: BTreeMap<RobotId, VecDeque<CommandId>>,
    /// Those that were denied, of each robot, oldest first: they push out none that was sent.
    denied: BTreeMap<RobotId, VecDeque<CommandId>>,
    /// Commands whose goal is not known to be reached, by robot.
    under_way: BTreeMap<RobotId, BTreeSet<CommandId>>,
}

impl Inner {
    /// Forgets the oldest command of `robot` that moves nothing, if as many are remembered as may be.
    fn make_room(&mut self, robot: &RobotId) -> Result<(), OpError> {
        let Some(order) = self.order.get_mut(robot).filter(|order| order.len() >= COMMANDS_OF_ROBOT_MAX) else {
            return Ok(());
        };
        let moves_nothing = |id: &CommandId| self.records.get(id).is_none_or(Record::moves_nothing);
        let Some(oldest) = order.iter().position(moves_nothing).and_then(|place| order.remove(place)) else {
            let message = format!("{COMMANDS_OF_ROBOT_MAX} commands of {robot} are under way. Nothing was sent.");
            return Err(OpError::new(RuntimeCode::Busy, message));
        };
        self.forget(oldest);
        Ok(())
    }

    fn forget(&mut self, id: CommandId) {
        let Some(record) = self.records.remove(&id) else { return };
        if let Some(under_way) = self.under_way.get_mut(&record.asked.robot) {
            under_way.remove(&id);
        }
    }
}

impl Commands {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Reserves `id`, before anything is judged for it. `false` if it was used before: then its first outcome counts. What
    /// waits under a proposal is taken up by that proposal, once. Nothing that may move the robot is forgotten for it.
    ///
    /// # Errors
    /// As many commands of the robot as are remembered are under way.
    pub fn reserve(
        &self,
        id: CommandId,
        asked: Request,
        proposal: Option<ProposalId>,
        now: Instant,
    ) -> Result<bool, OpError> {
        let mut inner = self.lock();
        if let Some(record) = inner.records.get_mut(&id) {
            let is_its = record.waits && record.proposal == proposal && record.asked == asked;
            if is_its {
                record.waits = false;
                record.sent_at = now;
            }
            return Ok(is_its);
        }
        inner.make_room(&asked.robot)?;
        inner.order.entry(asked.robot.clone()).or_default().push_back(id);
        let (progress, _) = watch::channel(Progress::at(CommandStep::Approved));
        let record = Record {
            proposal,
            waits: false,
            sent_at: now,
            progress,
            asked,
            outcome: None,
            lease: None,
            approach: None,
            reported_done: None,
            found: (CommandStep::Approved, now),
        };
        inner.records.insert(id, record);
        Ok(true)
    }

    /// Notes that the reserved `id` waits for a person under `proposal`.
    pub fn waits_under(&self, id: CommandId, proposal: &ProposalId) {
        if let Some(record) = self.lock().records.get_mut(&id) {
            (record.waits, record.proposal) = (true, Some(proposal.clone()));
        }
    }

    /// Gives up the reserved `id`: nothing came of it, and it may be used again.
    pub fn give_up(&self, id: CommandId) {
        let mut inner = self.lock();
        let robot = inner.records.get(&id).map(|record| record.asked.robot.clone());
        inner.forget(id);
        if let Some(order) = robot.and_then(|robot| inner.order.get_mut(&robot)) {
            order.retain(|other| *other != id);
        }
    }

    /// Notes that the reserved `id` was denied, and keeps that as its outcome.
    pub fn deny(&self, id: CommandId, outcome: Value) {
        let mut inner = self.lock();
        let Some(record) = inner.records.get_mut(&id) else { return };
        record.progress.send_replace(Progress::at(CommandStep::Denied));
        // The first answer stays: a repeat has to get what the first caller got.
        record.outcome.get_or_insert(outcome);
        let robot = record.asked.robot.clone();
        if let Some(order) = inner.order.get_mut(&robot) {
            order.retain(|other| *other != id);
        }
        let denied = inner.denied.entry(robot).or_default();
        let oldest = if denied.len() >= COMMANDS_OF_ROBOT_MAX { denied.pop_front() } else { None };
        denied.push_back(id);
        if let Some(oldest) = oldest {
            inner.forget(oldest);
        }
    }

    /// Keeps the lease of what command `id` moves until its last report.
    pub fn keep_lease(&self, id: CommandId, lease: Option<ResourceGuard>) {
        if let Some(record) = self.lock().records.get_mut(&id) {
            record.lease = lease;
        }
    }

    /// Renews the leases of all that moves: the loop of their owners. Gives the robots that move on without one.
    pub fn renew_leases(&self) -> BTreeSet<RobotId> {
        let expired = |record: &&Record| match record.lease.as_ref().map(ResourceGuard::renew) {
            Some(Renewal::Expired) => true,
            // A lease that was ended is no silence: whatever ended it has held the robot.
            Some(Renewal::Kept | Renewal::Ended) | None => false,
        };
        self.lock().records.values().filter(expired).map(|record| record.asked.robot.clone()).collect()
    }

    /// The first outcome of `id`, if it was answered.
    ///
    /// # Errors
    /// The id was given to another command.
    pub fn outcome(&self, id: CommandId, asked: &Request) -> Result<Option<Value>, OpError> {
        match self.lock().records.get(&id) {
            None => Ok(None),
            Some(record) if record.asked == *asked => Ok(record.outcome.clone()),
            Some(record) => Err(record.asked.refused_for(id, asked)),
        }
    }

    /// Keeps the first outcome of `id`.
    pub fn keep_outcome(&self, id: CommandId, outcome: Value) {
        if let Some(record) = self.lock().records.get_mut(&id) {
            record.outcome.get_or_insert(outcome);
        }
    }

    /// The newest progress of `id` once the robot has reported, at most half a second from now.
    pub async fn first_report(&self, id: CommandId) -> Progress {
        let watched = self.lock().records.get(&id).map(|record| record.progress.subscribe());
        let Some(mut progress) = watched else { return Progress::at(CommandStep::Unknown) };
        let reported = |progress: &Progress| !matches!(progress.step, CommandStep::Approved | CommandStep::Sent);
        // In time or not, the progress known now counts.
        let _ = tokio::time::timeout(FIRST_REPORT_WAIT, progress.wait_for(reported)).await.is_ok();
        progress.borrow().clone()
    }

    /// Progress of `id` once no motion belongs to it any more, as far as is known.
    pub async fn end_of(&self, id: CommandId) -> Progress {
        let watched = self.lock().records.get(&id).map(|record| record.progress.subscribe());
        let Some(mut progress) = watched else { return Progress::at(CommandStep::Unknown) };
        // A command that was forgotten reports no more, so its last progress is the answer.
        let _ = progress.wait_for(|progress| is_over(progress.step)).await.is_ok();
        progress.borrow().clone()
    }

    /// Notes progress made by the station itself.
    pub fn set(&self, id: CommandId, progress: Progress) -> Option<Step> {
        let mut inner = self.lock();
        let record = inner.records.get_mut(&id)?;
        let changed = record.progress.send_if_modified(|now| {
            let lost = progress.step == CommandStep::Unknown && rank(now.step) < rank(CommandStep::Done);
            let newer = lost || rank(progress.step) > rank(now.step);
            if newer {
                *now = progress.clone();
            }
            newer
        });
        let reached = record.progress.borrow().step;
        if is_over(reached) {
            // As far as is known no motion belongs to it any more, so the part is free for the next owner.
            record.lease = None;
        }
        let (robot, proposal) = (record.asked.robot.clone(), record.proposal.clone());
        // A command at an unknown step may still be reported as done, and is confirmed then.
        if is_over(reached)
            && reached != CommandStep::Unknown
            && let Some(under_way) = inner.under_way.get_mut(&robot)
        {
            under_way.remove(&id);
        }
        changed.then_some(Step { command: id, robot, progress, proposal })
    }

    /// Notes a robot's report, but for that of the end: see [`Commands::reported_done`]. Reports of commands of another
    /// robot, or out of order, change nothing.
    pub fn report(&self, id: CommandId, robot: &RobotId, status: Status) -> Option<Step> {
        if self.lock().records.get(&id).is_none_or(|record| &record.asked.robot != robot) {
            return None;
        }
        self.set(id, progress_of(status))
    }

    /// Ends what `robot` was carrying out: its gate was started anew, and nothing outlasts that.
    pub fn gate_restarted(&self, robot: &RobotId) -> Vec<Step> {
        self.end_carried_out(robot, &Progress::coded(CommandStep::Failed, "gate_restarted"))
    }

    /// The link to `robot` is lost, and with it the reports: the state of what it carried out is unknown.
    pub fn link_lost(&self, robot: &RobotId) -> Vec<Step> {
        self.end_carried_out(robot, &Progress::coded(CommandStep::Unknown, "link_lost"))
    }

    fn end_carried_out(&self, robot: &RobotId, progress: &Progress) -> Vec<Step> {
        let carried_out = |record: &Record| {
            &record.asked.robot == robot
                && matches!(record.progress.borrow().step, CommandStep::Received | CommandStep::Running)
        };
        let inner = self.lock();
        let ended: Vec<CommandId> =
            inner.records.iter().filter(|(_, record)| carried_out(record)).map(|(id, _)| *id).collect();
        // `set` takes the lock itself.
        drop(inner);
        ended.into_iter().filter_map(|id| self.set(id, progress.clone())).collect()
    }

    /// Commands of which nothing was heard for 2 s become *unknown*. `signs` are the last signs of life of the robots.
    pub fn sweep(&self, now: Instant, signs: &BTreeMap<RobotId, Instant>) -> Vec<Step> {
        let mut silent = Vec::new();
        for (id, record) in &mut self.lock().records {
            let since = record.silent_since(now, signs.get(&record.asked.robot).copied());
            if since.is_some_and(|since| now.ms_since(since) > UNKNOWN_AFTER_MS) {
                silent.push(*id);
            }
        }
        silent.into_iter().filter_map(|id| self.set(id, Progress::at(CommandStep::Unknown))).collect()
    }
}

fn progress_of(status: Status) -> Progress {
    match status {
        Status::Received => Progress::at(CommandStep::Received),
        // A reported end counts once it is measured, see [`Commands::reported_done`].
        Status::Running | Status::Done => Progress::at(CommandStep::Running),
        // The gate ended it for a newer command of this station, which is no failure of the robot.
        Status::Failed(Failure::Replaced) => Progress::at(CommandStep::Superseded),
        Status::Failed(failure) => Progress::coded(CommandStep::Failed, word(&failure)),
        Status::BadSignature => Progress::coded(CommandStep::RefusedByRobot, word(&status)),
        Status::Refused(reason) => Progress::coded(CommandStep::RefusedByRobot, word(&reason)),
    }
}

/// True if nothing moves for a command at `step` any more, as far as anybody knows.
pub fn is_over(step: CommandStep) -> bool {
    match step {
        CommandStep::Approved | CommandStep::Sent | CommandStep::Received | CommandStep::Running => false,
        CommandStep::Unknown
        | CommandStep::Denied
        | CommandStep::Done
        | CommandStep::DoneNotConfirmed
        | CommandStep::Failed
        | CommandStep::Superseded
        | CommandStep::RefusedByRobot => true,
    }
}

/// Progress only goes up: a late report never takes back a later one. What is unknown can still become known.
fn rank(step: CommandStep) -> u8 {
    match step {
        CommandStep::Approved => 0,
        CommandStep::Sent => 1,
        CommandStep::Unknown => 2,
        CommandStep::Received => 3,
        CommandStep::Running => 4,
        CommandStep::Denied
        | CommandStep::Done
        | CommandStep::DoneNotConfirmed
        | CommandStep::Failed
        | CommandStep::Superseded
        | CommandStep::RefusedByRobot => 5,
    }
}

#[cfg(test)]
mod tests;
