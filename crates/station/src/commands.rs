//! Every command that left the station and how far it got, by the robot's own reports only.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bridge::envelope::{Failure, Status};
use robot::{CommandId, Instant, RobotId};
use safety::leases::Renewal;
use serde_json::Value;
use tokio::sync::watch;

use crate::lock::lock;
use crate::resources::ResourceGuard;
use crate::wire::{CommandStep, word};

/// Commands remembered, so that a repeated id acts once.
const COMMANDS_MAX: usize = 1_024;
/// Without a report for this long nobody knows what became of a command, milliseconds.
const UNKNOWN_AFTER_MS: u64 = 2_000;
/// How long the answer of `send_command` waits for the robot's first report.
const FIRST_REPORT_WAIT: Duration = Duration::from_millis(500);

/// How far a command got, and the refusal's code if there is one.
pub type Progress = (CommandStep, Option<String>);

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
    outcome: Option<Value>,
    /// What its motion uses, until it ends.
    lease: Option<ResourceGuard>,
}

/// The newest commands of this run.
#[derive(Debug, Default)]
pub struct Commands {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    records: BTreeMap<CommandId, Record>,
    order: VecDeque<CommandId>,
}

impl Commands {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Reserves `id`. `false` if it was used before: then its first outcome counts.
    pub fn reserve(&self, id: CommandId, robot: &RobotId, proposal: Option<String>, now: Instant) -> bool {
        let mut inner = self.lock();
        if inner.records.contains_key(&id) {
            return false;
        }
        if inner.order.len() >= COMMANDS_MAX
            && let Some(oldest) = inner.order.pop_front()
        {
            inner.records.remove(&oldest);
        }
        let (progress, _) = watch::channel((CommandStep::Approved, None));
        inner.order.push_back(id);
        let record = Record { robot: robot.clone(), proposal, sent_at: now, progress, outcome: None, lease: None };
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
    pub fn outcome(&self, id: CommandId) -> Option<Value> {
        self.lock().records.get(&id).and_then(|record| record.outcome.clone())
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
        let Some(mut progress) = watched else { return (CommandStep::Unknown, None) };
        let reported = |progress: &Progress| !matches!(progress.0, CommandStep::Approved | CommandStep::Sent);
        // Whether it came in time or not, what counts is what is known now.
        let _ = tokio::time::timeout(FIRST_REPORT_WAIT, progress.wait_for(reported)).await.is_ok();
        progress.borrow().clone()
    }

    /// How far `id` got once nothing moves for it any more, as far as anybody knows.
    pub async fn end_of(&self, id: CommandId) -> Progress {
        let watched = self.lock().records.get(&id).map(|record| record.progress.subscribe());
        let Some(mut progress) = watched else { return (CommandStep::Unknown, None) };
        // One that is remembered no more has ended as it stands.
        let _ = progress.wait_for(|progress| is_over(progress.0)).await.is_ok();
        progress.borrow().clone()
    }

    /// Notes progress made by the station itself.
    pub fn set(&self, id: CommandId, progress: Progress) -> Option<Step> {
        let mut inner = self.lock();
        let record = inner.records.get_mut(&id)?;
        let changed = record.progress.send_if_modified(|now| {
            let lost = progress.0 == CommandStep::Unknown && rank(now.0) < rank(CommandStep::Done);
            let newer = lost || rank(progress.0) > rank(now.0);
            if newer {
                *now = progress.clone();
            }
            newer
        });
        if is_over(record.progress.borrow().0) {
            record.lease = None;
        }
        changed.then(|| Step { command: id, robot: record.robot.clone(), progress, proposal: record.proposal.clone() })
    }

    /// Notes a robot's report. Reports of commands of another robot, or out of order, change nothing.
    pub fn report(&self, id: CommandId, robot: &RobotId, status: Status) -> Option<Step> {
        if self.lock().records.get(&id).is_none_or(|record| &record.robot != robot) {
            return None;
        }
        self.set(id, progress_of(status))
    }

    /// Ends what `robot` was carrying out: its gate was started anew, and nothing outlasts that.
    pub fn gate_restarted(&self, robot: &RobotId) -> Vec<Step> {
        self.end_carried_out(robot, &(CommandStep::Failed, Some("gate_restarted".to_owned())))
    }

    /// Nobody knows any more what became of what `robot` was carrying out: its link is lost, and with it the reports.
    pub fn link_lost(&self, robot: &RobotId) -> Vec<Step> {
        self.end_carried_out(robot, &(CommandStep::Unknown, Some("link_lost".to_owned())))
    }

    fn end_carried_out(&self, robot: &RobotId, progress: &Progress) -> Vec<Step> {
        let carried_out = |record: &Record| {
            &record.robot == robot && matches!(record.progress.borrow().0, CommandStep::Received | CommandStep::Running)
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
                record.progress.borrow().0 == CommandStep::Sent && now.ms_since(record.sent_at) > UNKNOWN_AFTER_MS
            })
            .map(|(id, _)| *id)
            .collect();
        silent.into_iter().filter_map(|id| self.set(id, (CommandStep::Unknown, None))).collect()
    }
}

fn progress_of(status: Status) -> Progress {
    match status {
        Status::Received => (CommandStep::Received, None),
        Status::Running => (CommandStep::Running, None),
        Status::Done => (CommandStep::Done, None),
        Status::Failed(Failure::Replaced) => (CommandStep::Superseded, None),
        Status::Failed(failure) => (CommandStep::Failed, Some(word(&failure))),
        Status::BadSignature => (CommandStep::RefusedByRobot, Some(word(&status))),
        Status::Refused(reason) => (CommandStep::RefusedByRobot, Some(word(&reason))),
    }
}

/// Whether nothing moves for it any more, as far as anybody knows.
pub(crate) fn is_over(step: CommandStep) -> bool {
    match step {
        CommandStep::Approved | CommandStep::Sent | CommandStep::Received | CommandStep::Running => false,
        CommandStep::Unknown
        | CommandStep::Denied
        | CommandStep::Done
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
        | CommandStep::Failed
        | CommandStep::Superseded
        | CommandStep::RefusedByRobot => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands() -> (Commands, CommandId, RobotId) {
        let (commands, id) = (Commands::default(), CommandId(uuid::Uuid::from_u128(1)));
        let robot = RobotId::new("arm-1").unwrap();
        assert!(commands.reserve(id, &robot, None, Instant::default()));
        (commands, id, robot)
    }

    #[test]
    fn only_the_robot_itself_makes_a_command_done_and_late_reports_take_nothing_back() {
        let (commands, id, robot) = commands();
        assert!(commands.set(id, (CommandStep::Sent, None)).is_some());
        assert!(commands.report(id, &RobotId::new("rover-1").unwrap(), Status::Done).is_none());
        assert!(commands.report(id, &robot, Status::Done).is_some());
        assert!(commands.report(id, &robot, Status::Running).is_none());
    }

    #[test]
    fn a_silent_robot_leaves_the_outcome_unknown_until_it_speaks() {
        let (commands, id, robot) = commands();
        commands.set(id, (CommandStep::Sent, None));
        assert!(commands.sweep(Instant::from_millis(2_000)).is_empty());
        assert_eq!(commands.sweep(Instant::from_millis(2_001)).len(), 1);
        assert!(commands.report(id, &robot, Status::Received).is_some());
    }

    #[test]
    fn what_a_robot_was_doing_has_failed_when_its_gate_was_started_anew() {
        let (commands, id, robot) = commands();
        commands.set(id, (CommandStep::Sent, None));
        assert!(commands.gate_restarted(&robot).is_empty(), "nobody knows whether it arrived");
        commands.report(id, &robot, Status::Running);
        assert!(commands.gate_restarted(&RobotId::new("rover-1").unwrap()).is_empty());
        let ended: Vec<_> = commands.gate_restarted(&robot).into_iter().map(|step| step.progress.0).collect();
        assert_eq!(ended, [CommandStep::Failed]);
    }

    #[test]
    fn an_id_is_used_once() {
        let (commands, id, robot) = commands();
        assert!(!commands.reserve(id, &robot, None, Instant::default()));
    }
}
