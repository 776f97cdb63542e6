//! What a person does with a proposal: approve exactly what was shown, reject it, or send changed numbers instead.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agent::Decision;
use memory::ApprovalRow;
use robot::RawCommand;
use serde_json::{Value, json};

use super::call::MOTION;
use super::facts::People;
use super::standing::Covering;
use super::{Note, Proposals, diff, is_open, send};
use crate::audit::{Happening, Noted, OnRecord};
use crate::commands::Progress;
use crate::control;
use crate::crash::{self, CrashPoint};
use crate::error::{ErrorKind, OpError};
use crate::gate::{self, Submission};
use crate::session::Session;
use crate::station::Station;
use crate::wire::{Approved, CommandOutcome, CommandStep, Proposal, ProposalState, word};

/// The session that approved a proposal.
enum Approver {
    /// Of a motion: the session, unless that is of an earlier run.
    OfMotion(Option<String>),
    /// Of a call, which is made as this session.
    OfCall(Session),
}

impl Proposals {
    /// Approves what was shown and sends it, once. Everything is judged again at this moment.
    pub async fn approve(
        &self,
        station: &Arc<Station>,
        by: &Session,
        (id, version, action_hash): (&str, u64, &str),
    ) -> Result<Approved, OpError> {
        let shown = self.checked(id, version, Some(action_hash))?;
        if let Some(Ok(unit)) = shown.robot.as_ref().map(|robot| station.unit(robot)) {
            control::check_not_anothers(station, &unit, by)?;
        }
        if by.role(station.clock.now().station) < shown.role_needed {
            let message = format!("Approving this needs {:?}.", shown.role_needed);
            return Err(OpError::new(ErrorKind::Forbidden, "forbidden", message));
        }
        self.refresh(station, id, &People::around_all(station));
        // Before the proposal is taken out of waiting: without room for its record it waits on.
        let room = station.audit.reserve()?;
        let row = self.take(station, (id, version), by.actor(), None)?;
        if let Err(error) = claim(station, &row).await {
            self.not_sent(station, id, &error);
            return Err(error);
        }
        let about = format!("id={} version={} action_hash={}", row.proposal, row.version, row.action_hash);
        let noted = room.note(Happening::by(by, "approval", "ok").about(about));
        let approver = if shown.operation == MOTION {
            Approver::OfMotion(Some(by.id().to_owned()))
        } else {
            Approver::OfCall(by.clone())
        };
        self.send_on_record(station, id, noted, approver).await;
        Ok(Approved { id: id.to_owned(), version, state: ProposalState::Approved })
    }

    /// Approves what a person let happen beforehand; false if that leave holds no more, so that a person is asked.
    pub(super) async fn approve_under(&self, station: &Arc<Station>, id: &str, under: &Covering) -> bool {
        let Ok(room) = station.audit.reserve() else { return false };
        let Ok(row) = self.take(station, (id, 1), &under.granted_by, Some(&under.id)) else { return false };
        match station.db.claim_dispatch_under(&under.id, &row).await {
            Ok(true) => {}
            Ok(false) => {
                self.wait_again(station, id);
                return false;
            }
            Err(error) => {
                self.not_sent(station, id, &error.into());
                return true;
            }
        }
        self.standing.note_use(station, &under.id);
        let about = format!("id={id} standing_approval={} action_hash={}", under.id, row.action_hash);
        let noted = room.note(Happening::by_station("approval", "ok").about(about));
        self.send_on_record(station, id, noted, Approver::OfMotion(under.session.clone())).await;
        true
    }

    /// Sends a claimed proposal once its approval is on record. A disk that is late does not undo the click: the
    /// approval holds until it expires, and is sent as soon as it is on disk.
    async fn send_on_record(&self, station: &Arc<Station>, id: &str, noted: Noted, approver: Approver) {
        if noted.within_wait().await == OnRecord::Saved {
            crash::point(CrashPoint::Dispatch);
            return self.send_approved(station, id, &approver);
        }
        let Some(left) = self.time_left(station, id) else { return };
        tracing::warn!(proposal = id, "approved; its record is not on disk yet");
        let last_stop = station.stops.last_id.load(Ordering::SeqCst);
        let (task_station, id) = (Arc::clone(station), id.to_owned());
        station.spawn(async move {
            let station = task_station;
            let saved = tokio::select! {
                saved = noted.saved() => saved,
                () = tokio::time::sleep(left) => false,
                () = station.ended.cancelled() => return,
            };
            let stopped = station.stops.last_id.load(Ordering::SeqCst) != last_stop;
            if saved && !stopped {
                crash::point(CrashPoint::Dispatch);
                return station.proposals.send_approved(&station, &id, &approver);
            }
            let why = if stopped {
                OpError::conflict("stopped_meanwhile", "A stop came before the approval was on record.")
            } else {
                OpError::new(ErrorKind::Unavailable, "audit_slow", "The approval expired before it was on record.")
            };
            station.proposals.not_sent(&station, &id, &why);
        });
    }

    fn send_approved(&self, station: &Arc<Station>, id: &str, approver: &Approver) {
        match approver {
            Approver::OfMotion(session) => self.dispatch(station, id, session.as_deref()),
            Approver::OfCall(by) => self.dispatch_call(station, id, by),
        }
    }

    /// The time for which the approval of a proposal still holds.
    fn time_left(&self, station: &Station, id: &str) -> Option<Duration> {
        let expires_mono_ms = self.lock().entries.get(id)?.proposal.expires_mono_ms;
        Some(Duration::from_millis(expires_mono_ms.saturating_sub(station.clock.now().station.mono_ms())))
    }

    /// Rejects with a person's reason.
    pub async fn reject(
        &self,
        station: &Station,
        by: &Session,
        (id, version): (&str, u64),
        reason: &str,
    ) -> Result<Approved, OpError> {
        self.checked(id, version, None)?;
        let rejected = Decision::Rejected(reason.to_owned());
        let Some(proposal) = self.close(station, Some(by), id, (ProposalState::Rejected, reason), rejected) else {
            return Err(self.closed_error(id));
        };
        // Rejected it is from here on; a disk that fails says so.
        station.db.record_rejection(&approval_row(&proposal, by.actor(), station.clock.now().wall_ms)).await?;
        Ok(Approved { id: proposal.id, version: proposal.version, state: proposal.state })
    }

    /// Sends the proposal's command with other numbers, as the person's own. What the limits deny leaves the proposal
    /// as it is, so that other numbers can be tried.
    pub async fn edit(
        &self,
        station: &Arc<Station>,
        by: &Session,
        (id, version): (&str, u64),
        input: Value,
    ) -> Result<CommandOutcome, OpError> {
        let shown = self.checked(id, version, None)?;
        if shown.operation != MOTION {
            let message = "Only the numbers of a motion can be edited. Reject it, and do it yourself.";
            return Err(OpError::bad_input("not_numbers_only", "input", message));
        }
        if let Some(path) = diff::more_than_numbers(&without_id(shown.input), &without_id(input.clone())) {
            let message = format!("Only numbers can be edited; {path} differs. Send a command of your own instead.");
            return Err(OpError::bad_input("not_numbers_only", &format!("input.{path}"), message));
        }
        let raw: RawCommand = serde_json::from_value(without_id(input))
            .map_err(|error| OpError::bad_input("invalid_input", "input", error.to_string()))?;
        let submission = Submission { raw, by: by.clone(), proposal: None };
        let unit = station.unit(&submission.raw.robot)?;
        let judged = gate::recorded(&station.audit, &submission, gate::check(station, &unit, &submission));
        if !judged.allowed() {
            return Ok(judged.into_outcome(Progress::at(CommandStep::Denied), None));
        }
        let replaced = format!("replaced by a command of {}", by.actor());
        let told = Decision::Rejected(format!("{} changed the numbers and sent their own command", by.actor()));
        if self.close(station, Some(by), id, (ProposalState::Voided, &replaced), told).is_none() {
            return Err(self.closed_error(id));
        }
        send(station, submission).await
    }

    fn closed_error(&self, id: &str) -> OpError {
        let state = self.lock().entries.get(id).map(|entry| entry.proposal.state);
        let Some(state) = state else { return OpError::not_found("proposal_not_found", "proposal", id) };
        OpError::conflict("proposal_closed", format!("The proposal is {} already.", word(&state)))
            .with(json!({ "state": state }))
    }

    /// The proposal if it waits, in exactly the version and with exactly the content that was shown.
    fn checked(&self, id: &str, version: u64, action_hash: Option<&str>) -> Result<Proposal, OpError> {
        let proposal = self.lock().entries.get(id).map(|entry| entry.proposal.clone());
        let Some(proposal) = proposal else { return Err(OpError::not_found("proposal_not_found", "proposal", id)) };
        if !is_open(proposal.state) {
            return Err(self.closed_error(id));
        }
        if proposal.version == version && action_hash.is_none_or(|hash| hash == proposal.action_hash) {
            return Ok(proposal);
        }
        let message = "What is proposed is not what was on the screen. Read it again.";
        let present = json!({ "version": proposal.version, "state": proposal.state });
        Err(OpError::conflict("proposal_changed", message).with(present))
    }

    /// Takes a proposal out of waiting for `by`, if it is still the version that was seen and nothing has changed.
    fn take(
        &self,
        station: &Station,
        (id, version): (&str, u64),
        by: &str,
        under: Option<&str>,
    ) -> Result<ApprovalRow, OpError> {
        let now = station.clock.now();
        let mut inner = self.lock();
        let Some(entry) = inner.open(id) else {
            drop(inner);
            return Err(self.closed_error(id));
        };
        let proposal = &mut entry.proposal;
        if now.station.mono_ms() >= proposal.expires_mono_ms {
            let expired = json!({ "state": ProposalState::Expired });
            return Err(OpError::conflict("proposal_closed", "The proposal has expired.").with(expired));
        }
        if proposal.state != ProposalState::Waiting || proposal.version != version {
            let reason = proposal.state_reason.clone().unwrap_or_else(|| "the state has changed".into());
            let details = json!({ "version": proposal.version, "preconditions": proposal.preconditions });
            let message = format!("Not approved: {reason}. It is being judged again.");
            return Err(OpError::conflict("proposal_recheck", message).with(details));
        }
        proposal.state = ProposalState::Approved;
        proposal.decided_by = Some(by.to_owned());
        proposal.standing_approval = under.map(str::to_owned);
        Ok(approval_row(proposal, by, now.wall_ms))
    }

    /// Puts a proposal that could not be approved beforehand back to a person.
    fn wait_again(&self, station: &Station, id: &str) {
        self.edit_entry(station, id, |proposal| {
            proposal.state = ProposalState::Waiting;
            proposal.decided_by = None;
            proposal.standing_approval = None;
        });
    }

    /// Ends an approved proposal that could not be claimed or put on record: it is not sent, now or later.
    fn not_sent(&self, station: &Station, id: &str, error: &OpError) {
        if let Some(entry) = self.lock().entries.get(id) {
            entry.tell_turn(Note::Decided(Decision::Void));
        }
        self.set_state(station, id, ProposalState::Failed, Some(error.code.clone()));
    }
}

/// An input without the command's id: a changed command is another one.
fn without_id(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut() {
        fields.remove("id");
    }
    input
}

/// Claims a proposal for sending, once; on disk when this returns.
async fn claim(station: &Station, row: &ApprovalRow) -> Result<(), OpError> {
    if !station.db.claim_dispatch(row).await? {
        return Err(OpError::conflict("proposal_closed", "The proposal was sent already."));
    }
    crash::point(CrashPoint::Approval);
    Ok(())
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
