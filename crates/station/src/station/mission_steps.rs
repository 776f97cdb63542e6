//! The steps of missions: carried out with the rights of their agent. Whatever moves a robot is a card that waits for a
//! person, unless the activation of the text approves it, and passes the gate once it is approved.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use agent::{Decision, Permission, ToolOutcome, permission};
use agent_runner::{AgentUnit, Asked, Note, Requester, UNATTENDED, Wanted};
use mission_runner::{CardNote, Fleet, NotReady, StepCall};
use missions::goals::{GoalEnd, GoalReason, MotionEnd, Outcome};
use robot::{AgentId, CommandId, MissionId, RobotId, VerdictId};
use serde_json::Value;
use tokio::sync::mpsc;

use super::Station;
use super::host::StationHost;
use crate::operations::{self, why_idle};
use runtime::error::{ErrorKind, OpError};
use runtime::session::Session;
use runtime::wire::{Blocker, BlockerCode, CommandStep, RobotHindrance, word};

/// A step on its way.
pub(super) struct Carried<'s> {
    pub host: &'s StationHost,
    pub station: Arc<Station>,
    pub unit: Arc<AgentUnit>,
    pub told: mpsc::Sender<CardNote>,
}

impl Carried<'_> {
    /// Carries out `step`, and says how it ended.
    pub async fn out(self, step: StepCall) -> GoalEnd {
        let Some(row) = operations::row_of(&step.operation) else {
            return end(Outcome::Failed, GoalReason::NoOperation { operation: step.operation });
        };
        let mode = self.unit.turns.mode_now(&self.station.runner);
        let ruling = permission(&mode, row.effect, row.stops);
        let by = Session::of_agent(&self.unit.id);
        let wanted = Wanted { operation: step.operation.clone(), input: step.input.clone() };
        match ruling {
            Permission::Deny => end(Outcome::NeverSent, GoalReason::Mode { mode: word(&mode.label()) }),
            // Whatever moves a robot is a card, also in a mode that asks for nothing else.
            Permission::Allow if !row.moves_robot => call(&self.station, by, step).await,
            Permission::Allow | Permission::Ask => {
                let mission = step.of.mission.clone();
                let (reason, of_mission) = (step.reason, Some(mission.clone()));
                let asker = Requester { reason, mission: of_mission, ..Requester::of(&by, &self.unit.id) };
                let of = Some(step.of).filter(|_| !step.is_turned_down);
                match self.station.proposals.try_ask_step(&self.station, &wanted, asker, of).await {
                    Ok(Asked::Waiting(card, notes) | Asked::Covered(card, notes)) => {
                        self.tell(CardNote::Asked(card.id)).await;
                        self.follow((&mission, robot_of(&wanted)), notes, step.timeout).await
                    }
                    Ok(Asked::Ended(outcome)) => end(Outcome::Failed, refusal_in(&outcome)),
                    Err(error) => of_error(&error),
                }
            }
        }
    }

    /// Follows a card to its end: first a person decides, then what was approved is carried out.
    async fn follow(
        &self,
        about: (&MissionId, Option<RobotId>),
        mut notes: mpsc::Receiver<Note>,
        timeout: Duration,
    ) -> GoalEnd {
        loop {
            match notes.recv().await {
                Some(Note::Decided(Decision::Approved)) => break,
                // No screen shows the card yet; it waits until it expires.
                Some(Note::Decided(Decision::Unseen)) => {}
                // Refused because nobody is there, not by a person: the step may be tried again.
                Some(Note::Decided(Decision::Rejected(reason))) if reason == UNATTENDED => {
                    return end(Outcome::NeverSent, GoalReason::Unattended);
                }
                Some(Note::Decided(Decision::Rejected(reason))) => {
                    return end(Outcome::Failed, GoalReason::Rejected { reason });
                }
                Some(Note::Decided(Decision::Expired)) => {
                    return end(Outcome::NeverSent, GoalReason::Undecided);
                }
                Some(Note::Decided(Decision::Void)) => return end(Outcome::NeverSent, GoalReason::Voided),
                Some(Note::Done(_) | Note::Ended(_)) | None => return end(Outcome::Unclear, GoalReason::Dropped),
            }
        }
        self.tell(CardNote::Approved).await;
        // The time of the step begins with the approval: people decide for as long as the card waits.
        let ended = self.ended(about.1, notes);
        within(timeout, ended).await.unwrap_or_else(|| {
            // A motion that outlives its step would go on with nobody waiting for it.
            self.host.hold_for(about.0);
            end(Outcome::TimedOutMoving, GoalReason::TooLong)
        })
    }

    /// The end of what was approved.
    async fn ended(&self, robot: Option<RobotId>, mut notes: mpsc::Receiver<Note>) -> GoalEnd {
        let by_step = |step: CommandStep, reason: Option<String>| {
            let is_held = robot.as_ref().is_some_and(|robot| self.host.not_ready(&self.unit.id, robot).is_some());
            of_command(step, reason, is_held)
        };
        while let Some(note) = notes.recv().await {
            if let Note::Done(outcome) = &note
                && let Some((command, verdict)) = judged(outcome)
            {
                self.tell(CardNote::Judged(command, verdict)).await;
            }
            match note {
                Note::Done(outcome) if outcome.is_error || outcome.refused => {
                    return end(Outcome::Failed, refusal_in(&outcome));
                }
                Note::Done(outcome) => match command_step(&outcome) {
                    Some(step) if fleet::state::commands::is_over(step) => return by_step(step, None),
                    // The motion goes on.
                    Some(_) => {}
                    None => return GoalEnd::done(),
                },
                Note::Ended(task) => return by_step(task.step, task.reason),
                Note::Decided(Decision::Void | Decision::Expired) => {
                    return end(Outcome::NeverSent, GoalReason::NotCarriedOut);
                }
                Note::Decided(Decision::Approved | Decision::Rejected(_) | Decision::Unseen) => {}
            }
        }
        end(Outcome::Unclear, GoalReason::NothingHeard)
    }

    async fn tell(&self, note: CardNote) {
        // The receiver may be gone with the station.
        let _ = self.told.send(note).await;
    }
}

/// Calls an operation that moves no robot, in a task of its own: what was begun is carried out and goes on record,
/// however long the step is waited for.
async fn call(station: &Arc<Station>, by: Session, step: StepCall) -> GoalEnd {
    let StepCall { operation, input, timeout, .. } = step;
    let called = Arc::clone(station);
    let call = station.runtime.tasks.spawn(async move { operations::dispatch(&called, &by, &operation, input).await });
    match within(timeout, call).await {
        Some(Ok(Ok(_))) => GoalEnd::done(),
        Some(Ok(Err(error))) => of_error(&error),
        Some(Err(error)) => {
            tracing::error!(%error, "the call of a step broke off");
            end(Outcome::Unclear, GoalReason::NothingHeard)
        }
        None => end(Outcome::Unclear, GoalReason::TooLong),
    }
}

impl StationHost {
    /// The thing that keeps a robot from moving, apart from what missions themselves wait for.
    pub(super) fn hindrance(&self, agent: &AgentId, robot: &RobotId) -> Option<NotReady> {
        let because = |why, sentence: String| Some(NotReady { sentence, why });
        let Some(station) = self.station() else {
            return because(RobotHindrance::StationEnds, "The station ends.".to_owned());
        };
        let Ok(unit) = station.fleet.unit(robot) else {
            return because(RobotHindrance::Gone, format!("{robot} is not there."));
        };
        let counts =
            |code| !matches!(code, BlockerCode::MissionPaused | BlockerCode::ApprovalWaiting | BlockerCode::Lease);
        let blockers = why_idle::blockers(&station, &unit, &Session::of_agent(agent));
        let Blocker { code: blocker, cause, sentence, .. } =
            blockers.into_iter().find(|blocker| counts(blocker.code))?;
        because(RobotHindrance::Blocked { blocker, cause }, sentence)
    }
}

/// The outcome of a motion that is over. One that failed while its robot was held or disarmed was interrupted.
fn of_command(step: CommandStep, reason: Option<String>, is_held: bool) -> GoalEnd {
    let (outcome, motion_end) = match step {
        CommandStep::Done => return GoalEnd::done(),
        CommandStep::Denied => (Outcome::Failed, MotionEnd::Denied),
        CommandStep::RefusedByRobot => (Outcome::Failed, MotionEnd::RefusedByRobot),
        CommandStep::Failed if is_held => (Outcome::Unclear, MotionEnd::Failed),
        CommandStep::Failed => (Outcome::Failed, MotionEnd::Failed),
        CommandStep::DoneNotConfirmed => (Outcome::Unclear, MotionEnd::DoneNotConfirmed),
        CommandStep::Superseded => (Outcome::Unclear, MotionEnd::Superseded),
        CommandStep::Unknown
        | CommandStep::Approved
        | CommandStep::Sent
        | CommandStep::Received
        | CommandStep::Running => (Outcome::Unclear, MotionEnd::Unknown),
    };
    end(outcome, GoalReason::Motion { end: motion_end, reason })
}

/// The step that a motion had reached when its call was answered; none if the call was no motion.
fn command_step(outcome: &ToolOutcome) -> Option<CommandStep> {
    let value: Value = serde_json::from_str(&outcome.json).ok()?;
    value.get("command_id")?;
    serde_json::from_value(value.get("state")?.clone()).ok()
}

/// The command that a call has made, and the verdict on it; none if the call was no motion.
fn judged(outcome: &ToolOutcome) -> Option<(CommandId, Option<VerdictId>)> {
    let value: Value = serde_json::from_str(&outcome.json).ok()?;
    let command = serde_json::from_value(value.get("command_id")?.clone()).ok()?;
    let verdict = value.pointer("/verdict/id").and_then(|id| serde_json::from_value(id.clone()).ok());
    Some((command, verdict))
}

/// The refusal in an outcome that says no.
fn refusal_in(outcome: &ToolOutcome) -> GoalReason {
    let value: Value = serde_json::from_str(&outcome.json).unwrap_or_default();
    let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
    let message = ["sentence", "message", "code"].into_iter().find_map(text);
    GoalReason::Refused { refusal: text("code"), message: message.unwrap_or_else(|| "it was refused".to_owned()) }
}

/// The end of a step whose call was refused. What had no room was not sent, and a person may have it tried again.
fn of_error(error: &OpError) -> GoalEnd {
    let outcome = match error.kind {
        ErrorKind::TooOften | ErrorKind::Unavailable | ErrorKind::TooSlow => Outcome::NeverSent,
        ErrorKind::BadRequest
        | ErrorKind::BadInput
        | ErrorKind::SignedOut
        | ErrorKind::Forbidden
        | ErrorKind::NotFound
        | ErrorKind::BadMethod
        | ErrorKind::TooLarge
        | ErrorKind::Conflict
        | ErrorKind::Internal => Outcome::Failed,
    };
    let refusal = Some(error.code.to_string());
    end(outcome, GoalReason::Refused { refusal, message: error.message.clone() })
}

/// The robot of a call that moves one.
fn robot_of(wanted: &Wanted) -> Option<RobotId> {
    RobotId::new(wanted.input.get("robot")?.as_str()?).ok()
}

/// The result of `done`, if it is done in time.
async fn within<T>(timeout: Duration, done: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(timeout, done).await.ok()
}

const fn end(outcome: Outcome, reason: GoalReason) -> GoalEnd {
    GoalEnd::because(outcome, reason)
}

#[cfg(test)]
mod tests {
    use mission_runner::StepOf;
    use serde_json::json;

    use super::*;
    use crate::test_support::{Rig, gate_where};

    #[test]
    fn ml_17_the_end_of_a_motion_means_what_the_table_says() {
        let outcome = |step, is_held| of_command(step, None, is_held).outcome;
        assert_eq!(outcome(CommandStep::Done, false), Outcome::Done);
        assert_eq!(outcome(CommandStep::DoneNotConfirmed, false), Outcome::Unclear);
        assert_eq!(outcome(CommandStep::Failed, false), Outcome::Failed);
        assert_eq!(outcome(CommandStep::Failed, true), Outcome::Unclear, "a hold has interrupted it");
        assert_eq!(outcome(CommandStep::RefusedByRobot, true), Outcome::Failed);
        assert_eq!(outcome(CommandStep::Superseded, false), Outcome::Unclear);
        let told = of_command(CommandStep::Failed, Some("the path is blocked".into()), false);
        assert_eq!(told.reason.map(|reason| reason.to_string()).as_deref(), Some("failed: the path is blocked"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_step_that_is_waited_for_no_longer_is_carried_out_and_its_end_is_unclear() {
        let rig = Rig::start().await;
        let (robot, manifest) = gate_where("red button on the post");
        let of = StepOf {
            mission: MissionId::new("carry").unwrap(),
            activation: String::new(),
            hash: String::new(),
            run: String::new(),
            goal: 0,
            attempt: 1,
        };
        let step = StepCall {
            of,
            operation: "add_robot".to_owned(),
            input: json!({ "manifest": manifest }),
            reason: String::new(),
            timeout: Duration::from_millis(1),
            is_turned_down: false,
        };
        let held = rig.station.fleet.manifests.lock().await;
        let ended = call(&rig.station, Session::bootstrap(), step).await;
        assert_eq!((ended.outcome, ended.reason), (Outcome::Unclear, Some(GoalReason::TooLong)));
        drop(held);
        while rig.station.fleet.unit(&RobotId::new(robot).unwrap()).is_err() {
            tokio::task::yield_now().await;
        }
    }
}
