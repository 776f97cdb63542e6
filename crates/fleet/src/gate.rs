//! The way of a command: count, lease, parse, judge, record,
//! hand over to be sent. The only caller of `RobotLink::send`.

mod deadline;
mod hand;

use std::sync::Arc;
use std::time::Duration;

use bridge::{BridgeError, Sent};
use robot::{
    ApprovalId, Command, CommandId, Instant, LeaseToken, Motion, ParseContext, RawCommand, Reason, Rejection,
    VerdictId, parse_command,
};
use safety::machine::{CauseSet, SafetyCause};
use safety::{
    Approach, Cause, Limits, Overall, Precondition, ReasonArgs, Rejected, RobotState, Verdict, explain, judge,
};
use serde_json::value::to_raw_value;

use crate::FleetCode;
use crate::control::command_authorization::{self, Objection};
use crate::fleet::Fleet;
use crate::state::commands::{Progress, Request};
use crate::state::robot_handle::RobotHandle;
use crate::state::seals::SetFaultKind;
use crate::state::submission::{Basis, Judged, Submission, rows};
use crate::supervision;
use deadline::Judging;
use runtime::audit::{Audit, AuditEntry, AuditFull};
use runtime::crash::{self, CrashPoint};
use runtime::error::OpError;
use runtime::judgements::recordings::Recording;
use runtime::judgements::verdict_inputs::Inputs;
use runtime::wire::{CommandOutcome, CommandStep, Fact, Tag, word};

impl Judged {
    /// The same, with what speaks against it besides its limits.
    fn objected(self, objections: Vec<Objection>) -> Self {
        objections.into_iter().fold(self, |judged, objection| match objection {
            Objection::Deny(reason, args) => judged.but(|verdict| verdict.refuse(reason, *args)),
            Objection::Fail(cause) => judged.not_judged(cause),
        })
    }

    fn refused_if(self, judging: Judging) -> Self {
        // A denial keeps its own reason; being late only takes back a permission.
        let late = judging != Judging::InTime && self.allowed();
        if late { self.but(|verdict| verdict.refuse(Reason::Deadline, ReasonArgs::default())) } else { self }
    }
}

/// Checks that the mission which a command names exists, before anything is judged, asked or sent for it.
pub fn check_names(fleet: &Fleet, raw: &RawCommand) -> Result<(), OpError> {
    raw.mission_id.as_ref().map_or(Ok(()), |mission| fleet.objector.check_mission(mission))
}

/// Reserves the id of a command that somebody has given one, for what is asked under it, before anything is judged.
fn reserve_given(fleet: &Fleet, submission: &Submission) -> Result<(), OpError> {
    let Some(id) = submission.raw.id else { return Ok(()) };
    reserve(fleet, id, submission)
}

fn reserve(fleet: &Fleet, id: CommandId, submission: &Submission) -> Result<(), OpError> {
    let asked = Request::new(&submission.raw, submission.by.actor());
    let proposal = submission.proposal.as_ref().map(|under| under.shown.id.clone());
    let now = fleet.runtime.clock.now().station;
    if fleet.commands.reserve(id, asked.clone(), proposal, now)? {
        return Ok(());
    }
    fleet.commands.outcome(id, &asked)?;
    Err(Request::refused_again(id))
}

/// Judges `submission` for `unit` without sending it.
pub fn check(fleet: &Fleet, unit: &RobotHandle, submission: &Submission) -> Judged {
    let seq = unit.control().seq + 1;
    let judged = judged(fleet, unit, submission, seq, For::Answer);
    of_live_mission(fleet, submission, judged).objected(command_authorization::look(fleet, unit, submission))
}

/// Judges a command and, if every limit allows it, hands it over to the thread that sends. Called off the async
/// runtime's threads. A denied command is an answer, not an error.
pub fn submit(fleet: &Arc<Fleet>, submission: Submission) -> Result<CommandOutcome, OpError> {
    check_names(fleet, &submission.raw)?;
    let unit = fleet.unit(&submission.raw.robot)?;
    // Before the judgement: of two calls with one id a single one
    // is judged, and the other gets its outcome (decision 0107).
    reserve_given(fleet, &submission)?;
    // Before the robot's turn is waited for: a flood is denied
    // without queuing behind the commands it competes with.
    if let Some(too_fast) = over_rate(fleet, &unit, &submission) {
        return Ok(denied(fleet, &unit, submission, too_fast));
    }
    // Held to the end: each command is judged against what the one before it has made of the robot.
    let _in_turn = unit.in_turn();
    let seq = {
        let mut control = unit.control();
        control.seq += 1;
        control.seq
    };
    // In the turn as well: what a velocity may change to depends on the one that was sent last.
    let submission = hand::eased(fleet, &unit, submission, seq);
    let (lease, objections) = match command_authorization::take(fleet, &unit, &submission) {
        Ok(lease) => (lease, Vec::new()),
        Err(objections) => (None, objections),
    };
    let judged = in_time(fleet, &unit, judged(fleet, &unit, &submission, seq, For::Recording));
    let judged = of_live_mission(fleet, &submission, bound(&unit, &submission, judged)).objected(objections);
    // Queued for the record before it is handed over: a full queue denies, so nothing moves without a record.
    let mut judged = recorded(&fleet.runtime.audit, &submission, judged);
    keep_recording(fleet, &mut judged);
    if !judged.allowed() {
        return Ok(denied(fleet, &unit, submission, judged));
    }
    report(fleet, &unit, &judged);
    let id = judged.command;
    // An id that the station has made itself cannot collide, so it is reserved only for what is sent.
    if submission.raw.id.is_none() {
        reserve(fleet, id, &submission)?;
    }
    // Kept with the command and not dropped here: the part stays taken until its motion has ended.
    fleet.commands.keep_lease(id, lease);
    crash::point(CrashPoint::Command);
    hand_over(fleet, &unit, &submission, &mut judged);
    Ok(kept(fleet, judged.into_outcome(Progress::at(CommandStep::Approved), submission.shown())))
}

fn denied(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, submission: Submission, judged: Judged) -> CommandOutcome {
    report(fleet, unit, &judged);
    if submission.by.is_agent() {
        fleet.fallbacks.denied(fleet, unit, &judged.verdict.sentence());
    }
    let given = submission.raw.id;
    let outcome = kept(fleet, judged.into_outcome(Progress::at(CommandStep::Denied), submission.shown()));
    keep_denial(fleet, given, &outcome);
    outcome
}

/// Keeps the denial of a command whose id somebody has given: the same id gets the same answer.
pub fn keep_denial(fleet: &Fleet, given: Option<CommandId>, outcome: &CommandOutcome) {
    if let Some(id) = given {
        fleet.commands.deny(id, serde_json::to_value(outcome).unwrap_or_default());
    }
}

fn kept(fleet: &Fleet, outcome: CommandOutcome) -> CommandOutcome {
    fleet.verdicts.keep(&outcome.verdict, &outcome.explanation);
    outcome
}

/// Hands an allowed command over. Its outcome is noted on the sending thread, or on that of the command that
/// replaces it.
fn hand_over(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, submission: &Submission, judged: &mut Judged) {
    let Some(approved) = judged.verdict.take_approved() else { return };
    let (id, record) = (judged.command, send_record(submission, judged));
    let now = fleet.runtime.clock.now().station;
    // Noted before it is handed over: the sending thread may report the outcome before `send` returns.
    fleet.commands.follow(id, Approach::begin(&unit.limits.load(), &unit.robot_state(), approved.command(), now));
    let ends = unit.control().handed_over(approved.command(), now);
    let on_its_way = OnItsWay { id, ends, record };
    let (fleet, in_thread) = (Arc::clone(fleet), Arc::clone(unit));
    unit.link.send(approved, Box::new(move |outcome| note_sent(&fleet, &in_thread, on_its_way, outcome)));
}

/// Tells the robot to hold once more if it has taken up a command that may no longer move it: a hold latches nothing
/// there, and overtakes what left shortly before it.
pub(crate) fn hold_what_came_late(fleet: &Fleet, unit: &RobotHandle, id: CommandId) {
    let came_late = {
        let control = unit.control();
        let order = control.orders().find(|command| command.id == id);
        // A stop latches: what comes after it is refused at the robot.
        let ended = |command: &Command| !unit.fence.admits(unit.fence.generation(), command.lease.epoch);
        control.open_stops.is_empty() && order.is_some_and(ended)
    };
    if came_late {
        tracing::warn!(robot = %unit.id(), command = %id, "taken up after it was to hold");
        unit.hold(fleet.runtime.clock.now().station);
    }
}

/// A command that was handed over.
struct OnItsWay {
    id: CommandId,
    /// Orders to the robot to end its motion before it.
    ends: u64,
    record: AuditEntry,
}

fn note_sent(fleet: &Fleet, unit: &RobotHandle, command: OnItsWay, outcome: Result<Sent, BridgeError>) {
    let OnItsWay { id, ends, record } = command;
    let progress = match outcome {
        Ok(_) => {
            crash::point(CrashPoint::Sent);
            unit.control().sent(id, ends);
            Progress::at(CommandStep::Sent)
        }
        Err(BridgeError::Superseded { .. }) => Progress::at(CommandStep::Superseded),
        Err(BridgeError::RefusedAtSend { refusal, .. }) => {
            Progress::coded(CommandStep::Denied, format!("refused_at_send_{}", word(&refusal.reason())))
        }
        Err(error) => {
            tracing::warn!(robot = %unit.id(), error = &error as &dyn std::error::Error, "a command was not sent");
            Progress::coded(CommandStep::Failed, error.code().as_str())
        }
    };
    let outcome = progress.code.clone().unwrap_or_else(|| word(&progress.step));
    // Also of a command that did not leave: the record of its verdict says that it was allowed to.
    fleet.runtime.audit.note_done(AuditEntry { outcome, ..record });
    fleet.commands.set(id, progress).iter().for_each(|step| fleet.tell_step(step));
}

/// The denial of a command that comes too fast, before any work is done for it. An unknown actuator has no rate: the
/// parser refuses it.
fn over_rate(fleet: &Fleet, unit: &RobotHandle, submission: &Submission) -> Option<Judged> {
    let raw = &submission.raw;
    unit.manifest.actuators.iter().find(|actuator| actuator.id == raw.actuator)?;
    let (limits, now) = (unit.limits.load_full(), fleet.runtime.clock.now().station);
    let rate = limits.command_rate(&raw.actuator);
    // Sessions without control are metered apart, so that they cannot use up the rate of the one that has it.
    let in_control = command_authorization::arbitrate(fleet, unit, submission).is_none();
    if unit.control().admit(&raw.actuator, in_control, rate, now) {
        return None;
    }
    let rejection = Rejection { reason: Reason::RateLimited, field: "actuator", expected: rate.to_string() };
    let id = raw.id.unwrap_or_else(|| CommandId(uuid::Uuid::now_v7()));
    Some(rejected(Rejected { raw, id, rejection: &rejection }, &limits, &unit.robot_state(), now))
}

/// Purpose of a verdict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// An answer: nothing is sent by it.
    Answer,
    /// A recording, too, which holds it as it was made.
    Recording,
}

fn judged(fleet: &Fleet, unit: &RobotHandle, submission: &Submission, seq: u64, whom: For) -> Judged {
    let now = fleet.runtime.clock.now().station;
    judged_at(
        fleet,
        unit,
        submission,
        At { limits: unit.limits.load_full(), state: unit.robot_state(), now, seq, whom },
    )
}

/// Everything that a command is judged by.
pub(crate) struct At {
    limits: Arc<Limits>,
    state: RobotState,
    now: Instant,
    /// Its number under the station's claim.
    seq: u64,
    whom: For,
}

impl At {
    /// Limits, state and time of an answer.
    pub(crate) const fn answer(limits: Arc<Limits>, state: RobotState, now: Instant) -> Self {
        Self { limits, state, now, seq: 0, whom: For::Answer }
    }
}

/// Judges `submission` by other limits and another state than those of now. It is an answer: the approval is gone.
pub(crate) fn check_at(fleet: &Fleet, unit: &RobotHandle, submission: &Submission, at: At) -> Judged {
    let mut judged = judged_at(fleet, unit, submission, at);
    drop(judged.verdict.take_approved());
    judged
}

fn judged_at(fleet: &Fleet, unit: &RobotHandle, submission: &Submission, at: At) -> Judged {
    let At { limits, state, now, seq, whom } = at;
    let fresh_id = CommandId(uuid::Uuid::now_v7());
    let clock_fails = fleet.runtime.clock.station().is_err();
    let approval = submission.proposal.as_ref().and_then(|under| ApprovalId::new(under.shown.id.clone()).ok());
    let context = ParseContext {
        fresh_id,
        source: submission.by.command_source(),
        lease: LeaseToken { station: fleet.runtime.id.clone(), epoch: state.epoch, seq },
        issued_at: now,
        approval,
    };
    match parse_command(&submission.raw, &unit.manifest, context) {
        Ok(mut command) => {
            // A velocity that names no time-to-live has the one of its actuator.
            if submission.raw.ttl_ms.is_none() && !matches!(command.motion, Motion::Velocity { .. }) {
                command.ttl_ms = unit.settings.goal_ttl_ms;
            }
            // Outside the measured time: it is for people, and the verdict does not depend on it.
            let explanation = rows(explain(&limits, &state, &command, now));
            // Processor time of this thread: on the wall clock a
            // busy machine would deny at random (decision 0016).
            let started = fleet.runtime.clock.worked();
            let verdict = judge(&limits, &state, command.clone(), now);
            let took = fleet.runtime.clock.worked().saturating_sub(started);
            let inputs = Arc::new(Inputs { command: command.clone(), state, set_hash: limits.hash(), now });
            let as_judged = if whom == For::Recording { to_raw_value(&verdict).ok() } else { None };
            let basis = Some(Basis { inputs, limits, verdict: as_judged });
            let judged = Judged { command: command.id, verdict, explanation, parsed: Some(command), took, basis };
            let judged = if set_is_known(unit) { judged } else { judged.not_judged(Cause::StoreUnavailable) };
            if clock_fails { judged.not_judged(Cause::ClockFailed) } else { judged }
        }
        Err(rejection) => {
            let raw = &submission.raw;
            let id = raw.id.unwrap_or(fresh_id);
            rejected(Rejected { raw, id, rejection: &rejection }, &limits, &state, now)
        }
    }
}

/// Sends a command off the async runtime's threads and waits for the robot's first word.
pub async fn send(fleet: &Arc<Fleet>, submission: Submission) -> Result<CommandOutcome, OpError> {
    let in_thread = Arc::clone(fleet);
    let sent = tokio::task::spawn_blocking(move || submit(&in_thread, submission)).await;
    let mut outcome = sent.map_err(|error| {
        tracing::error!(%error, "the gate panicked");
        OpError::new(FleetCode::ValidatorError, "The safety gate failed; nothing was sent.")
    })??;
    if outcome.state == CommandStep::Approved {
        let Progress { step, code, off_goal } = fleet.commands.first_report(outcome.command_id).await;
        (outcome.state, outcome.code, outcome.off_goal) = (step, code, off_goal);
    }
    // A repeat of the id is answered with this instead of moving the robot a second time.
    fleet.commands.keep_outcome(outcome.command_id, serde_json::to_value(&outcome).unwrap_or_default());
    Ok(outcome)
}

/// True unless the store is unavailable: then the limits in memory may differ from the stored ones.
fn set_is_known(unit: &RobotHandle) -> bool {
    unit.control().set_fault.as_ref().is_none_or(|fault| fault.kind != SetFaultKind::StoreUnavailable)
}

/// Raises the cause at its robot if a judgement failed or took too long, besides denying the command.
fn in_time(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, judged: Judged) -> Judged {
    let deadline = Duration::from_micros(unit.settings.judge_deadline_us.into());
    let judging = deadline::count(&mut unit.control().slow_judgements, judged.took, deadline);
    let mut events = CauseSet::EMPTY;
    events.set(SafetyCause::ValidatorSlow, judging == Judging::TooSlow);
    events.set(SafetyCause::ValidatorError, matches!(judged.verdict.overall, Overall::ValidatorError(_)));
    if events != CauseSet::EMPTY {
        supervision::step(fleet, unit, events, None);
    }
    judged.refused_if(judging)
}

fn rejected(rejected: Rejected<'_>, limits: &Limits, state: &RobotState, now: Instant) -> Judged {
    let command = rejected.id;
    let verdict = Verdict::rejected(rejected, limits, state, now);
    let explanation = rows(verdict.items.to_vec());
    Judged { command, verdict, explanation, parsed: None, took: Duration::ZERO, basis: None }
}

/// The last look at an approval, right before sending: the agent's command needs one, and one that rests on something
/// that no longer holds is none.
fn bound(unit: &RobotHandle, submission: &Submission, judged: Judged) -> Judged {
    let broken = match &submission.proposal {
        None if submission.by.is_agent() => (Reason::ApprovalMissing, "an approved proposal".to_owned()),
        None => return judged,
        Some(under) => match under.approval.broken(unit, submission, &judged) {
            // The denial is the better reason and is kept.
            None | Some((Precondition::VerdictAllow, _)) => return judged,
            Some((_, why)) => (Reason::ApprovalVoid, why),
        },
    };
    let (reason, expected) = broken;
    let args = ReasonArgs { expected: Some(expected.into()), ..ReasonArgs::default() };
    judged.but(|verdict| verdict.refuse(reason, args))
}

/// A mission that stands still or has ended moves nothing. Asked after the command was judged: whoever makes it stand
/// still meanwhile waits until what was approved before is handed over, and ends that.
fn of_live_mission(fleet: &Fleet, submission: &Submission, judged: Judged) -> Judged {
    let Some(why) = fleet.objector.mission_halt(submission) else { return judged };
    let args = ReasonArgs { expected: Some(why.into()), ..ReasonArgs::default() };
    judged.but(|verdict| verdict.refuse(Reason::ApprovalVoid, args))
}

/// Queues the verdict's record. A command whose verdict finds no room is denied: nothing is sent that is not on record.
pub fn recorded(audit: &Audit, submission: &Submission, judged: Judged) -> Judged {
    match audit.note(verdict_record(submission, &judged)) {
        Ok(()) => judged,
        Err(AuditFull) => {
            let denied = judged.but(|verdict| verdict.refuse(Reason::AuditUnavailable, ReasonArgs::default()));
            audit.note_done(verdict_record(submission, &denied));
            denied
        }
    }
}

fn verdict_record(submission: &Submission, judged: &Judged) -> AuditEntry {
    let (raw, outcome) = (&submission.raw, overall_word(judged.verdict.overall));
    let mut about = format!("robot={} actuator={} command={}", raw.robot, raw.actuator, judged.command);
    if let Some(under) = &submission.proposal {
        about.push_str(&format!(" proposal={}", under.shown.id));
    }
    let violated = judged.verdict.items.iter().filter(|item| item.is_violated()).map(|item| word(&item.reason.code));
    let violated: Vec<String> = violated.collect();
    if !violated.is_empty() {
        about.push_str(&format!(" violated={}", violated.join(",")));
    }
    let inputs = judged.basis.as_ref().map(|basis| Arc::clone(&basis.inputs));
    let record = AuditEntry::by(&submission.by, "verdict", outcome).under(&judged.verdict).about(about);
    AuditEntry { inputs, ..record }
}

/// Keeps what the verdict was made from, and the verdict before anything else spoke against the command.
fn keep_recording(fleet: &Fleet, judged: &mut Judged) {
    let allowed = judged.allowed();
    let Some(Basis { inputs, limits, verdict: Some(verdict) }) = judged.basis.take() else { return };
    let wall_ms = fleet.runtime.clock.now().wall_ms;
    fleet.runtime.recordings.keep(Recording { wall_ms, inputs, limits, verdict, allowed });
}

/// The record of a command's sending, but for how that went.
fn send_record(submission: &Submission, judged: &Judged) -> AuditEntry {
    let about = format!("robot={} command={}", submission.raw.robot, judged.command);
    let epoch = judged.parsed.as_ref().map(|command| command.lease.epoch);
    let sent = AuditEntry::by(&submission.by, "send", "").under(&judged.verdict).about(about);
    AuditEntry { epoch, ..sent }
}

fn overall_word(overall: Overall) -> &'static str {
    match overall {
        Overall::Allow => "allow",
        Overall::Deny => "deny",
        Overall::ValidatorError(_) => "validator_error",
    }
}

fn report(fleet: &Fleet, unit: &RobotHandle, judged: &Judged) {
    let VerdictId(id) = judged.verdict.id;
    let sentence = judged.verdict.sentence();
    tracing::info!(robot = %unit.id(), command = %judged.command, verdict = sentence, "judged");
    let fact =
        Fact::Verdict { id: id.to_string(), robot: unit.id().clone(), overall: judged.verdict.overall, sentence };
    fleet.runtime.bus.fact(fact, Some(Tag::Safety));
}

#[cfg(test)]
mod tests;
