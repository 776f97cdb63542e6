//! Proposals of anything that moves no robot: an operation that a person lets happen, as it stands on the card.

use std::sync::Arc;

use agent::Decision;
use robot::{Effect, MissionId, ProposalId, Role};
use safety::approval::tier::{Circumstances, tier_of};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::content::hash_of;
use super::dispatch::refused;
use super::make::{NOTES_MAX, blank};
use super::{Action, Entry, Live, Proposals, reference};
use crate::operations::{self, Operation, SEND_COMMAND};
use crate::station::Station;
use agent_runner::tools::toolbox::tool_error;
use agent_runner::{Asked, Note, Requester, Wanted};
use mission_runner::StepOf;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::session::{Cause, Reviewed, Session};
use runtime::wire::{Proposal, ProposalState};

/// Characters of an input in the sentence of a card; the card shows all of it below.
const INPUT_CHARS_MAX: usize = 200;

impl Proposals {
    /// Asks a person about a call. What cannot be read or proposed is told to whoever asks.
    pub async fn ask(&self, station: &Arc<Station>, wanted: &Wanted, asker: Requester) -> Asked {
        let asked = self.try_ask(station, wanted, asker).await;
        asked.unwrap_or_else(|error| Asked::Ended(tool_error(&error)))
    }

    /// The same; a refusal is an error.
    pub async fn try_ask(&self, station: &Arc<Station>, wanted: &Wanted, asker: Requester) -> Result<Asked, OpError> {
        let row = operations::proposable(&wanted.operation)?;
        // An input that the operation would refuse is refused now, not after a person has approved it.
        row.check_input(&wanted.input)?;
        if wanted.operation == SEND_COMMAND {
            return self.ask_motion(station, &wanted.input, asker, None).await;
        }
        let (notes, waiting) = mpsc::channel(NOTES_MAX);
        let by = Session::of_agent(&asker.agent);
        let proposal = self.add_call(station, row, wanted, asker, notes)?;
        self.show(station, &proposal).await;
        let about = format!("id={} operation={} tier_rule={}", proposal.id, proposal.operation, proposal.tier_rule);
        station.runtime.audit.note_done(AuditEntry::by(&by, "proposal", "waiting").about(about));
        self.refuse_unattended(station, &proposal);
        Ok(Asked::Waiting(reference(&proposal), waiting))
    }

    /// The same for the step of a run, which the activation of its text may approve.
    pub async fn try_ask_step(
        &self,
        station: &Arc<Station>,
        wanted: &Wanted,
        asker: Requester,
        step: Option<StepOf>,
    ) -> Result<Asked, OpError> {
        if wanted.operation != SEND_COMMAND {
            return self.try_ask(station, wanted, asker).await;
        }
        operations::proposable(&wanted.operation)?.check_input(&wanted.input)?;
        self.ask_motion(station, &wanted.input, asker, step).await
    }

    fn add_call(
        &self,
        station: &Station,
        row: &Operation,
        wanted: &Wanted,
        asker: Requester,
        notes: mpsc::Sender<Note>,
    ) -> Result<Proposal, OpError> {
        let (agent, cause, entry) = (asker.agent.clone(), asker.cause.clone(), asker.entry.clone());
        let live = Live { agent, action: Action::Call, tainted: asker.tainted, seen: false, cause, entry, notes };
        let mut proposal = card(station, row, wanted, asker)?;
        let mut inner = self.lock();
        let now_mono_ms = station.runtime.clock.now().station.mono_ms();
        if let Err(error) = inner.admit(now_mono_ms) {
            inner.tell_refused(station, &proposal.agent, now_mono_ms);
            return Err(error);
        }
        inner.forget_oldest();
        proposal.diff_from_last = inner.diff_from_last(&proposal);
        inner.entries.insert(proposal.id.clone(), Entry::new(&proposal, Some(live), station.fleet.stops.presses()));
        Ok(proposal)
    }

    /// Calls an approved operation as the person who approved it.
    pub(super) fn dispatch_call(&self, station: &Arc<Station>, id: &ProposalId, by: &Session) {
        self.set_state(station, id, ProposalState::Dispatched, None);
        let claimed = {
            let inner = self.lock();
            let entry = inner.entries.get(id);
            entry.and_then(|entry| Some((entry.proposal.clone(), entry.live.clone()?)))
        };
        let Some((proposal, Live { tainted, entry, notes, .. })) = claimed else { return };
        // The turn may be over and nobody listening.
        let _ = notes.try_send(Note::Decided(Decision::Approved));
        let cause = Cause { turn: proposal.turn.clone(), entry, ..Cause::default() };
        // The person calls it on behalf of the agent: the rights of the person decide.
        let by = by.about(proposal.agent.clone()).caused_by(cause);
        // The click lets the text through, and its trust stays what it was (decision 0030).
        let by = if tainted { by.letting_through(Reviewed::AsItStood) } else { by };
        let station = Arc::clone(station);
        station.runtime.tasks.clone().spawn(async move {
            // Boxed, because an operation can call another one, and a future cannot contain itself.
            let answer = Box::pin(operations::dispatch(&station, &by, &proposal.operation, proposal.input)).await;
            let (state, reason) = match &answer {
                Ok(_) => (ProposalState::Done, None),
                Err(error) => (ProposalState::Failed, Some(refused(error))),
            };
            station.proposals.set_state(&station, &proposal.id, state, reason);
            let _ = notes.try_send(Note::Done(station.runner.toolbox.outcome(&proposal.operation, answer)));
        });
    }
}

/// The card of a call: all of it is known when it is made.
fn card(station: &Station, row: &Operation, wanted: &Wanted, asker: Requester) -> Result<Proposal, OpError> {
    let effect = station.runner.toolbox.effect(wanted, row.effect);
    let (tool, given) = station.runner.toolbox.meant(wanted);
    let (tier, tier_rule) = tier_of(&Circumstances::of_call(
        matches!(effect, Effect::Actuate | Effect::Irreversible),
        row.role == Role::Admin,
        asker.tainted,
    ));
    let named = |field: &str| wanted.input.get(field).and_then(Value::as_str);
    let mission = asker.mission.clone().or_else(|| named("mission_id").and_then(|id| MissionId::new(id).ok()));
    let robot = named("robot").and_then(|id| robot::RobotId::new(id).ok());
    let action = json!({
        "operation": row.name, "input": wanted.input, "robot": robot, "agent": asker.agent, "mission": mission,
    });
    Ok(Proposal {
        action_hash: hash_of(&action)?,
        role_needed: row.role.max(Role::Operator),
        robot,
        mission,
        input: wanted.input.clone(),
        sentence: format!("Agent {} wants to call {tool} with {}.", asker.agent, short(given)),
        ..blank(asker, tier, tier_rule, row.name, station.runtime.clock.now())
    })
}

fn short(input: &Value) -> String {
    let text = input.to_string();
    if text.chars().count() <= INPUT_CHARS_MAX {
        return text;
    }
    text.chars().take(INPUT_CHARS_MAX).chain(['…']).collect()
}
