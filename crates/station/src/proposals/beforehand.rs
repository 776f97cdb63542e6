//! Approvals that were given before a motion was asked for: a standing one, or the activation of the mission whose
//! step it is. The activation approves nothing else of its mission, and is looked at again right before anything
//! is sent.

use std::sync::Arc;

use agent::{Permission, permission};
use mission_runner::StepOf;
use robot::{Effect, ProposalId, RawCommand, SessionId, Stops};
use safety::approval::tier::Tier;

use super::content::Content;
use super::facts::People;
use super::standing::Covering;
use super::{Action, Live, Proposals};
use crate::code::StationCode;
use crate::operations::SEND_COMMAND;
use crate::station::Station;
use agent_runner::AgentUnit;
use fleet::control::command_authorization;
use runtime::error::OpError;
use runtime::session::Session;

/// An approval that was given before a motion was asked for.
pub(super) enum Beforehand {
    /// A standing approval.
    Standing(Covering),
    /// The activation of the mission.
    Activation(Activated),
}

/// A step that the activation of its text approves.
pub(super) struct Activated {
    step: StepOf,
    /// The person who activated the text.
    by: String,
}

impl Activated {
    /// The activation that approves `raw` as the step of a run of `agent` now, as long as its tier is below High;
    /// none if anything about that is not clear. The agent has control of the robot itself, and its mode lets it
    /// move.
    pub fn of(station: &Station, agent: &AgentUnit, step: &StepOf, raw: &RawCommand) -> Option<Self> {
        let now = station.runtime.clock.now();
        let unit = station.fleet.unit(&raw.robot).ok()?;
        let in_control = command_authorization::admits_beforehand(&unit, &Session::of_agent(&agent.id), now.station);
        let mode = agent.turns.mode_now(&station.runner);
        // A mode that asks is enough: the activation is the answer.
        let may_move = permission(&mode, Effect::Actuate, Stops::No) != Permission::Deny;
        let by = station.missions.of(&agent.id).ok()?.lives.activated_by(step, SEND_COMMAND, raw, now)?;
        (in_control && may_move).then(|| Self { step: step.clone(), by })
    }
}

impl Beforehand {
    /// The author of the approval, as the proposal names it.
    pub fn by(&self) -> String {
        match self {
            Self::Standing(covering) => covering.granted_by.clone(),
            Self::Activation(Activated { step, by }) => format!("the activation of {} by {by}", step.mission),
        }
    }

    /// The approval for the record, which has room for few words: whoever knows the activation finds its text.
    pub fn about(&self) -> String {
        match self {
            Self::Standing(covering) => format!("standing_approval={}", covering.id),
            Self::Activation(Activated { step, .. }) => {
                format!("activation={} goal={}", step.activation, step.goal + 1)
            }
        }
    }

    /// The person behind it.
    pub fn person(&self) -> &str {
        match self {
            Self::Standing(covering) => &covering.granted_by,
            Self::Activation(Activated { by, .. }) => by,
        }
    }

    /// The id of the standing approval, if it is one.
    pub fn standing(&self) -> Option<&str> {
        match self {
            Self::Standing(covering) => Some(&covering.id),
            Self::Activation(_) => None,
        }
    }

    /// The session that gave it in this run and lets it happen while it is in control. An activation needs the
    /// agent to be in control.
    pub fn session(&self) -> Option<SessionId> {
        match self {
            Self::Standing(covering) => covering.session.clone(),
            Self::Activation(_) => None,
        }
    }
}

impl Proposals {
    /// That the activation which approved a step still approves it.
    pub(super) fn check_activated(
        &self,
        station: &Arc<Station>,
        id: &ProposalId,
        under: Option<&Beforehand>,
    ) -> Result<(), OpError> {
        let Some(Beforehand::Activation(Activated { step, .. })) = under else { return Ok(()) };
        if self.is_activated(station, id, step) {
            return Ok(());
        }
        let message = "The activation of the mission approves this step no more. Nothing was sent.";
        Err(OpError::new(StationCode::ProposalRecheck, message))
    }

    /// From here on a proposal waits for a person, whatever was seen before.
    pub(super) fn note_unseen(&self, id: &ProposalId) {
        if let Some(live) = self.lock().entries.get_mut(id).and_then(|entry| entry.live.as_mut()) {
            live.seen = false;
        }
    }

    fn is_activated(&self, station: &Arc<Station>, id: &ProposalId, step: &StepOf) -> bool {
        let live = self.lock().entries.get(id).and_then(|entry| entry.live.clone());
        // Untrusted text may have led to a tainted motion, which no activation has seen.
        let Some(Live { agent, action: Action::Motion { raw, .. }, tainted: false, .. }) = live else { return false };
        let Ok(agent) = station.runner.agents.get(&agent) else { return false };
        let people = People::around(station, &agent);
        let Ok(content) = Content::of(station, &agent.id, &raw, &people, false) else { return false };
        let (tier, _) = content.seen().tier;
        tier < Tier::High && Activated::of(station, &agent, step, &raw).is_some()
    }
}
