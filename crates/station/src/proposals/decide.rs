//! Decisions on a proposal: approve exactly what was shown, reject it, or send changed numbers instead.

use std::sync::Arc;
use std::time::Duration;

use agent::Decision;
use memory::ApprovalRow;
use robot::{ProposalId, RawCommand, SessionId, SharedCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::beforehand::Beforehand;
use super::dispatch::refused;
use super::facts::People;
use super::{CardRef, Closing, Note, Proposals, is_open};
use crate::code::StationCode;
use crate::operations::SEND_COMMAND;
use crate::station::Station;
use fleet::state::commands::Progress;
use fleet::{FleetCode, control::control_handover};
use fleet::{Submission, gate};
use runtime::audit::{AuditEntry, Room};
use runtime::crash::{self, CrashPoint};
use runtime::error::{OpError, RuntimeCode};
use runtime::operation::input_diff;
use runtime::session::Session;
use runtime::wire::{Approved, CommandOutcome, CommandStep, Proposal, ProposalReason, ProposalState, word};

/// The session that approved a proposal.
enum Approver {
    /// Of a motion: the session, unless that is of an earlier run.
    OfMotion(Option<SessionId>),
    /// Of a call, which is made as this session.
    OfCall(Session),
}

/// Longest wait of an approval's answer for the outcome.
const ANSWER_WAIT: Duration = Duration::from_secs(1);
/// Wait before a claim that the disk did not take is tried again.
const CLAIM_RETRY: Duration = Duration::from_millis(200);

/// An approval on its way to the disk and to what it lets happen.
struct Approval {
    row: ApprovalRow,
    /// Count of stops of robots when the proposal was made.
    presses: u64,
    /// The approval given beforehand that it rests on; none if a person has clicked.
    under: Option<Beforehand>,
    record: AuditEntry,
    approver: Approver,
}

/// The outcome of an approval that was not refused.
enum Carried {
    /// It is on its way, or the station ends.
    Sent,
    /// The standing approval holds no more; a person is asked.
    NoLeave,
}

impl Proposals {
    /// Approves what was shown and sends it, once. Everything is judged again at this moment.
    pub async fn approve(
        &self,
        station: &Arc<Station>,
        by: &Session,
        card: CardRef<'_>,
        action_hash: &str,
    ) -> Result<Approved, OpError> {
        let shown = self.checked(card, Some(action_hash))?;
        // A robot that somebody else controls moves on nobody else's click.
        if let Some(Ok(unit)) = shown.robot.as_ref().map(|robot| station.fleet.unit(robot)) {
            control_handover::check_not_anothers(&station.fleet, &unit, by)?;
        }
        if by.role(station.runtime.clock.now().station) < shown.role_needed {
            let message = format!("Approving this needs {:?}.", shown.role_needed);
            return Err(OpError::new(RuntimeCode::Forbidden, message));
        }
        // Judged anew at the click: what changed since the last sweep sends the card back to be read again.
        self.refresh(station, card.id, &People::around_all(station));
        // Reserved before the proposal stops waiting: without room for its record it stays open.
        let room = station.runtime.audit.reserve()?;
        let (row, presses) = self.take(station, card, by.actor(), None)?;
        let about = format!("id={} version={} action_hash={}", row.proposal, row.version, row.action_hash);
        let record = AuditEntry::by(by, "approval", "ok").about(about);
        let approver = if shown.operation == SEND_COMMAND {
            Approver::OfMotion(Some(by.id().clone()))
        } else {
            Approver::OfCall(by.clone())
        };
        match soon(carry_out(station, Approval { row, presses, under: None, record, approver }, room)).await {
            Some(Err(error)) => Err(error),
            Some(Ok(_)) | None => {
                Ok(Approved { id: card.id.clone(), version: card.version, state: ProposalState::Approved })
            }
        }
    }

    /// Approves by what was given beforehand; false if that holds no more, so that a person is asked.
    pub(super) async fn approve_under(&self, station: &Arc<Station>, id: &ProposalId, under: Beforehand) -> bool {
        let Ok(room) = station.runtime.audit.reserve() else { return false };
        // Approved before anybody has seen it, so in its first version.
        let card = CardRef { id, version: 1 };
        let Ok((row, presses)) = self.take(station, card, &under.by(), under.standing()) else { return false };
        let about = format!("id={id} {} action_hash={} by={}", under.about(), row.action_hash, under.person());
        let record = AuditEntry::by_station("approval", "ok").about(about);
        let approver = Approver::OfMotion(under.session());
        let approval = Approval { row, presses, under: Some(under), record, approver };
        !matches!(soon(carry_out(station, approval, room)).await, Some(Ok(Carried::NoLeave)))
    }

    /// Claims an approved proposal, puts the approval on record and sends it, once. A disk that is late does not
    /// undo the click: the approval holds until it expires, and is sent as soon as it is on disk.
    async fn send_on_record(&self, station: &Arc<Station>, approval: Approval, room: Room) -> Result<Carried, OpError> {
        let id = approval.row.proposal.clone();
        let standing = approval.under.as_ref().and_then(Beforehand::standing);
        // Claimed on disk before it is sent: after a crash nobody knows whether it was, and it is not sent again.
        if !self.claim(station, &approval).await? {
            let Some(_) = standing else {
                return Err(OpError::new(StationCode::ProposalClosed, "The proposal was sent already."));
            };
            self.wait_again(station, &approval);
            return Ok(Carried::NoLeave);
        }
        crash::point(CrashPoint::Approval);
        if let Some(standing) = standing {
            self.standing.note_use(station, standing);
        }
        let noted = room.note(approval.record.clone());
        let saved = tokio::select! {
            saved = noted.saved() => saved,
            () = tokio::time::sleep(self.time_left(station, &id)) => false,
            () = station.runtime.ended.cancelled() => return Ok(Carried::Sent),
        };
        // Looked at after the wait for the disk: a stop during it must win.
        approval.check_not_stopped(station)?;
        if !saved {
            return Err(expired());
        }
        self.check_activated(station, &id, approval.under.as_ref())?;
        crash::point(CrashPoint::Dispatch);
        self.send_approved(station, &id, &approval.approver);
        Ok(Carried::Sent)
    }

    /// Claims a proposal for sending, once; on disk when this returns. A disk that is busy or fails is asked again
    /// until the approval expires. False if it was sent already, or if its standing approval holds no more.
    async fn claim(&self, station: &Station, approval: &Approval) -> Result<bool, OpError> {
        let (row, db) = (&approval.row, &station.runtime.db);
        loop {
            let claimed = match approval.under.as_ref().and_then(Beforehand::standing) {
                None => db.claim_dispatch(row).await,
                Some(standing) => db.claim_dispatch_under(standing, row).await,
            };
            let Err(error) = claimed else { return Ok(claimed.unwrap_or(false)) };
            approval.check_not_stopped(station)?;
            let left = self.time_left(station, &row.proposal);
            if left.is_zero() {
                return Err(expired());
            }
            tracing::warn!(proposal = %row.proposal, error = &error as &dyn std::error::Error, "not claimed yet");
            tokio::select! {
                () = tokio::time::sleep(CLAIM_RETRY.min(left)) => {}
                () = station.runtime.ended.cancelled() => return Err(error.into()),
            }
        }
    }

    fn send_approved(&self, station: &Arc<Station>, id: &ProposalId, approver: &Approver) {
        match approver {
            Approver::OfMotion(session) => self.dispatch(station, id, session.as_ref()),
            Approver::OfCall(by) => self.dispatch_call(station, id, by),
        }
    }

    /// The time for which the approval of a proposal still holds.
    fn time_left(&self, station: &Station, id: &ProposalId) -> Duration {
        let expires_mono_ms = self.lock().entries.get(id).map_or(0, |entry| entry.proposal.expires_mono_ms);
        Duration::from_millis(expires_mono_ms.saturating_sub(station.runtime.clock.now().station.mono_ms()))
    }

    /// Rejects with a person's reason.
    pub async fn reject(
        &self,
        station: &Station,
        by: &Session,
        card: CardRef<'_>,
        reason: ProposalReason,
    ) -> Result<Approved, OpError> {
        self.checked(card, None)?;
        let decision = Decision::Rejected(reason.to_string());
        let rejected = Closing { state: ProposalState::Rejected, reason, decision };
        let Some(proposal) = self.close(station, Some(by), card.id, rejected) else {
            return Err(self.closed_error(card.id));
        };
        // The rejection holds from here on, whatever the disk says.
        station
            .runtime
            .db
            .record_rejection(&approval_row(&proposal, by.actor(), station.runtime.clock.now().wall_ms))
            .await?;
        Ok(Approved { id: proposal.id, version: proposal.version, state: proposal.state })
    }

    /// Sends the proposal's command with other numbers, as the person's own. What the limits deny leaves the proposal
    /// as it is, so that other numbers can be tried.
    pub async fn edit(
        &self,
        station: &Arc<Station>,
        by: &Session,
        card: CardRef<'_>,
        input: Value,
    ) -> Result<CommandOutcome, OpError> {
        let shown = self.checked(card, None)?;
        if shown.operation != SEND_COMMAND {
            let message = "Only the numbers of a motion can be edited. Reject it, and do it yourself.";
            return Err(OpError::bad_input(StationCode::NotNumbersOnly, "input", message));
        }
        if let Some(path) = input_diff::more_than_numbers(&without_id(shown.input), &without_id(input.clone())) {
            let message = format!("Only numbers can be edited; {path} differs. Send a command of your own instead.");
            return Err(OpError::bad_input(StationCode::NotNumbersOnly, &format!("input.{path}"), message));
        }
        let raw: RawCommand = serde_json::from_value(without_id(input))
            .map_err(|error| OpError::bad_input(SharedCode::InvalidInput, "input", error.to_string()))?;
        let submission = Submission::new(raw, by.clone());
        let unit = station.fleet.unit(&submission.raw.robot)?;
        let judged =
            gate::recorded(&station.runtime.audit, &submission, gate::check(&station.fleet, &unit, &submission));
        if !judged.allowed() {
            return Ok(judged.into_outcome(Progress::at(CommandStep::Denied), None));
        }
        let reason = ProposalReason::Replaced { by: by.actor().to_owned() };
        let decision = Decision::Rejected(format!("{} changed the numbers and sent their own command", by.actor()));
        let replaced = Closing { state: ProposalState::Voided, reason, decision };
        if self.close(station, Some(by), card.id, replaced).is_none() {
            return Err(self.closed_error(card.id));
        }
        gate::send(&station.fleet, submission).await
    }

    fn closed_error(&self, id: &ProposalId) -> OpError {
        let state = self.lock().entries.get(id).map(|entry| entry.proposal.state);
        let Some(state) = state else { return OpError::not_found(StationCode::ProposalNotFound, "proposal", id) };
        OpError::new(StationCode::ProposalClosed, format!("The proposal is {} already.", word(&state)))
            .with(json!({ "state": state }))
    }

    /// The proposal if it waits, in exactly the version and with exactly the content that was shown.
    fn checked(&self, card: CardRef<'_>, action_hash: Option<&str>) -> Result<Proposal, OpError> {
        let CardRef { id, version } = card;
        let proposal = self.lock().entries.get(id).map(|entry| entry.proposal.clone());
        let Some(proposal) = proposal else {
            return Err(OpError::not_found(StationCode::ProposalNotFound, "proposal", id));
        };
        if !is_open(proposal.state) {
            return Err(self.closed_error(id));
        }
        if proposal.version == version && action_hash.is_none_or(|hash| hash == proposal.action_hash) {
            return Ok(proposal);
        }
        let message = "What is proposed is not what was on the screen. Read it again.";
        let present = json!({ "version": proposal.version, "state": proposal.state });
        Err(OpError::new(StationCode::ProposalChanged, message).with(present))
    }

    /// Takes a proposal out of waiting for `by`, if it is still the version that was seen and nothing has changed.
    /// With how often robots had been stopped by then.
    fn take(
        &self,
        station: &Station,
        card: CardRef<'_>,
        by: &str,
        under: Option<&str>,
    ) -> Result<(ApprovalRow, u64), OpError> {
        let CardRef { id, version } = card;
        let now = station.runtime.clock.now();
        let mut inner = self.lock();
        let Some(entry) = inner.open(id) else {
            // The lock is taken by `closed_error` too.
            drop(inner);
            return Err(self.closed_error(id));
        };
        let presses = entry.presses;
        // The task that voids cards after a stop may not have come to this one yet.
        if presses != station.fleet.stops.presses() {
            return Err(stopped());
        }
        let proposal = &mut entry.proposal;
        if now.station.mono_ms() >= proposal.expires_mono_ms {
            let expired = json!({ "state": ProposalState::Expired });
            return Err(OpError::new(StationCode::ProposalClosed, "The proposal has expired.").with(expired));
        }
        if proposal.state != ProposalState::Waiting || proposal.version != version {
            let reason = proposal.state_reason.clone().unwrap_or_else(|| "the state has changed".into());
            let details = json!({ "version": proposal.version, "preconditions": proposal.preconditions });
            let message = format!("Not approved: {reason}. It is being judged again.");
            return Err(OpError::new(StationCode::ProposalRecheck, message).with(details));
        }
        proposal.state = ProposalState::Approved;
        proposal.decided_by = Some(by.to_owned());
        proposal.standing_approval = under.map(str::to_owned);
        Ok((approval_row(proposal, by, now.wall_ms), presses))
    }

    /// Puts a proposal that its standing approval no longer covers back to a person. What has ended that approval may have
    /// voided every card that waited, and passed over this one, which did not.
    fn wait_again(&self, station: &Station, approval: &Approval) {
        let id = &approval.row.proposal;
        let waits = self.edit_entry(station, id, |proposal| {
            proposal.state = ProposalState::Waiting;
            proposal.decided_by = None;
            proposal.standing_approval = None;
        });
        if let Some(reason) = waits.and_then(|proposal| approval.void_since(station, &proposal)) {
            self.withdraw(station, id, &reason);
        }
    }

    /// Ends an approved proposal that could not be claimed or put on record: it is not sent, now or later.
    fn not_sent(&self, station: &Station, id: &ProposalId, error: &OpError) {
        if let Some(entry) = self.lock().entries.get(id) {
            entry.tell_turn(Note::Decided(Decision::Void));
        }
        self.set_state(station, id, ProposalState::Failed, Some(refused(error)));
    }
}

/// An input without the command's id, since a changed command is a new command.
fn without_id(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut() {
        fields.remove("id");
    }
    input
}

/// Carries out an approval in a task of its own, which gives what becomes of it.
fn carry_out(station: &Arc<Station>, approval: Approval, room: Room) -> oneshot::Receiver<Result<Carried, OpError>> {
    let (told, carried) = oneshot::channel();
    let in_task = Arc::clone(station);
    // A task of its own: a window that closes does not undo the click.
    station.runtime.spawn(async move {
        let id = approval.row.proposal.clone();
        let carried = in_task.proposals.send_on_record(&in_task, approval, room).await;
        if let Err(error) = &carried {
            in_task.proposals.not_sent(&in_task, &id, error);
        }
        // The caller may have stopped waiting.
        let _ = told.send(carried);
    });
    carried
}

/// Waits a moment for what becomes of an approval; nothing if that takes longer.
async fn soon(carried: oneshot::Receiver<Result<Carried, OpError>>) -> Option<Result<Carried, OpError>> {
    tokio::time::timeout(ANSWER_WAIT, carried).await.ok()?.ok()
}

impl Approval {
    /// That nobody has stopped robots since the proposal was made.
    fn check_not_stopped(&self, station: &Station) -> Result<(), OpError> {
        if station.fleet.stops.presses() == self.presses { Ok(()) } else { Err(stopped()) }
    }

    /// The act since the approval that voids what waits like `proposal`; none if there was none.
    fn void_since(&self, station: &Station, proposal: &Proposal) -> Option<ProposalReason> {
        if self.check_not_stopped(station).is_err() {
            return Some(ProposalReason::Stopped { stop_id: station.fleet.stops.last_id() });
        }
        let (mission, missions) = (proposal.mission.as_ref()?, station.missions.of(&proposal.agent).ok()?);
        let is_halted = missions.lives.check_may_act(mission).is_err();
        is_halted.then(|| ProposalReason::MissionHalted { mission: mission.clone() })
    }
}

fn stopped() -> OpError {
    OpError::new(FleetCode::StoppedMeanwhile, "A stop came before this was carried out. Nothing was sent.")
}

fn expired() -> OpError {
    OpError::new(RuntimeCode::AuditSlow, "The approval expired before it was on record.")
}

fn approval_row(proposal: &Proposal, by: &str, at_ms: i64) -> ApprovalRow {
    ApprovalRow {
        proposal: proposal.id.clone(),
        version: proposal.version,
        action_hash: proposal.action_hash.clone(),
        by: by.to_owned(),
        at_ms,
        body: serde_json::to_string(proposal).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
