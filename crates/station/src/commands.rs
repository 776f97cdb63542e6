//! Every command that left the station and how far it got, by the robot's own reports, and by what was measured when it
//! reports the end.

mod arrival;

pub(crate) use arrival::Sight;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bridge::envelope::{Failure, Status};
use robot::{CommandId, Instant, RawCommand, RobotId};
use safety::leases::Renewal;
use safety::{Approach, OffGoal};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::error::OpError;
use crate::lock::lock;
use crate::proposals::changes;
use crate::resources::ResourceGuard;
use crate::wire::{CommandStep, FieldChange, word};

/// Commands remembered of each robot, so that a repeated id acts once.
const COMMANDS_OF_ROBOT_MAX: usize = 1_024;
/// Without a report for this long nobody knows what became of a command, milliseconds.
const UNKNOWN_AFTER_MS: u64 = 2_000;
/// How long the answer of `send_command` waits for the robot's first report.
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
        let code = Some(off_goal.code().to_owned());
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
    /// How far it got.
    pub progress: Progress,
    /// The proposal it was sent under.
    pub proposal: Option<String>,
}

#[derive(Debug)]
struct Record {
    robot: RobotId,
    proposal: Option<String>,
    sent_at: Instant,
    progress: watch::Sender<Progress>,
    /// The command as it was given, and by whom: a repeat of its id must be the same.
    asked: Request,
    outcome: Option<Value>,
    /// What its motion uses, until it ends.
    lease: Option<ResourceGuard>,
    /// The way to its goal, if it has one.
    approach: Option<Approach>,
    /// When the robot reported an end that is not confirmed yet.
    reported_done: Option<Instant>,
}

/// A command as somebody gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The name of the person or program that gave it.
    pub by: String,
    /// Its input.
    pub input: Value,
}

impl Request {
    /// `raw` as `by` gave it.
    #[must_use]
    pub fn new(raw: &RawCommand, by: &str) -> Self {
        Self { by: by.to_owned(), input: serde_json::to_value(raw).unwrap_or_default() }
    }

    /// The refusal of `id` for something else than what it was given for first.
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
        OpError::conflict("command_repeated", message).with(json!({ "id": id, "differs": differs }))
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
    /// Commands whose goal is not known to be reached, by robot.
    under_way: BTreeMap<RobotId, BTreeSet<CommandId>>,
}

impl Inner {
    fn forget(&mut self, id: CommandId) {
        let Some(record) = self.records.remove(&id) else { return };
        if let Some(under_way) = self.under_way.get_mut(&record.robot) {
            under_way.remove(&id);
        }
    }
}

impl Commands {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Reserves `id`. `false` if it was used before: then its first outcome counts.
    pub fn reserve(
        &self,
        id: CommandId,
        robot: &RobotId,
        (asked, proposal): (Request, Option<String>),
        now: Instant,
    ) -> bool {
        let mut inner = self.lock();
        if inner.records.contains_key(&id) {
            return false;
        }
        let order = inner.order.entry(robot.clone()).or_default();
        let oldest = if order.len() >= COMMANDS_OF_ROBOT_MAX { order.pop_front() } else { None };
        order.push_back(id);
        if let Some(oldest) = oldest {
            inner.forget(oldest);
        }
        let (progress, _) = watch::channel(Progress::at(CommandStep::Approved));
        let record = Record {
            robot: robot.clone(),
            proposal,
            sent_at: now,
            progress,
            asked,
            outcome: None,
            lease: None,
            approach: None,
            reported_done: None,
        };
        inner.records.insert(id, record);
        true
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
            // One that was ended is over: who ended it has told the robot.
            Some(Renewal::Kept | Renewal::Ended) | None => false,
        };
        self.lock().records.values().filter(expired).map(|record| record.robot.clone()).collect()
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
        // Whether it came in time or not, what counts is what is known now.
        let _ = tokio::time::timeout(FIRST_REPORT_WAIT, progress.wait_for(reported)).await.is_ok();
        progress.borrow().clone()
    }

    /// How far `id` got once nothing moves for it any more, as far as anybody knows.
    pub async fn end_of(&self, id: CommandId) -> Progress {
        let watched = self.lock().records.get(&id).map(|record| record.progress.subscribe());
        let Some(mut progress) = watched else { return Progress::at(CommandStep::Unknown) };
        // One that is remembered no more has ended as it stands.
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
            record.lease = None;
        }
        let (robot, proposal) = (record.robot.clone(), record.proposal.clone());
        // What is unknown may still be reported as done, and is confirmed then.
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
        if self.lock().records.get(&id).is_none_or(|record| &record.robot != robot) {
            return None;
        }
        self.set(id, progress_of(status))
    }

    /// Ends what `robot` was carrying out: its gate was started anew, and nothing outlasts that.
    pub fn gate_restarted(&self, robot: &RobotId) -> Vec<Step> {
        self.end_carried_out(robot, &Progress::coded(CommandStep::Failed, "gate_restarted"))
    }

    /// Nobody knows any more what became of what `robot` was carrying out: its link is lost, and with it the reports.
    pub fn link_lost(&self, robot: &RobotId) -> Vec<Step> {
        self.end_carried_out(robot, &Progress::coded(CommandStep::Unknown, "link_lost"))
    }

    fn end_carried_out(&self, robot: &RobotId, progress: &Progress) -> Vec<Step> {
        let carried_out = |record: &Record| {
            &record.robot == robot
                && matches!(record.progress.borrow().step, CommandStep::Received | CommandStep::Running)
        };
        let inner = self.lock();
        let ended: Vec<CommandId> =
            inner.records.iter().filter(|(_, record)| carried_out(record)).map(|(id, _)| *id).collect();
        drop(inner);
        ended.into_iter().filter_map(|id| self.set(id, progress.clone())).collect()
    }

    /// Commands whose robot has said nothing for 2 s become *unknown*.
    pub fn sweep(&self, now: Instant) -> Vec<Step> {
        let silent: Vec<CommandId> = self
            .lock()
            .records
            .iter()
            .filter(|(_, record)| {
                record.progress.borrow().step == CommandStep::Sent && now.ms_since(record.sent_at) > UNKNOWN_AFTER_MS
            })
            .map(|(id, _)| *id)
            .collect();
        silent.into_iter().filter_map(|id| self.set(id, Progress::at(CommandStep::Unknown))).collect()
    }
}

fn progress_of(status: Status) -> Progress {
    match status {
        Status::Received => Progress::at(CommandStep::Received),
        // That it is done is believed once it is measured.
        Status::Running | Status::Done => Progress::at(CommandStep::Running),
        Status::Failed(Failure::Replaced) => Progress::at(CommandStep::Superseded),
        Status::Failed(failure) => Progress::coded(CommandStep::Failed, word(&failure)),
        Status::BadSignature => Progress::coded(CommandStep::RefusedByRobot, word(&status)),
        Status::Refused(reason) => Progress::coded(CommandStep::RefusedByRobot, word(&reason)),
    }
}

/// Whether nothing moves for it any more, as far as anybody knows.
pub(crate) fn is_over(step: CommandStep) -> bool {
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
