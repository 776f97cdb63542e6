//! Decisions and outcomes of a proposal after its turn went on without it: the agent hears of them in the running turn,
//! or in one of its own.

use agent::{Decision, DecisionNotice, Input, Message};
use llm::CallId;
use robot::{ConversationId, ProposalId, Trust};

use super::TurnRunner;
use super::running::Signal;
use crate::surroundings::{Note, UNATTENDED};

/// A note about a proposal of a turn.
#[derive(Debug)]
pub(super) struct LateDecision {
    /// The call that asked.
    pub call: CallId,
    /// The conversation in which it asked.
    pub session: ConversationId,
    /// The proposal.
    pub proposal: ProposalId,
    /// The operation that was proposed.
    pub operation: String,
    pub note: Note,
}

impl LateDecision {
    /// The same for the turn that made the proposal, while its call has no result; nothing if it is about what comes
    /// after that.
    pub fn into_input(self) -> Option<Input> {
        match self.note {
            Note::Decided(decision) => Some(Input::Decided { call: self.call, decision }),
            Note::Done(outcome) => Some(Input::ToolDone { call: self.call, outcome }),
            Note::Ended(_) => None,
        }
    }
}

impl TurnRunner {
    /// Takes a signal that came too late for its turn.
    pub(super) fn hear_signal(&self, signal: Signal) {
        match signal {
            Signal::Decided(late) => self.hear_late(late),
            // Nobody is in the person's way any more.
            Signal::Preempt => {}
            // What the turn has not heard begins the next one.
            Signal::Steered => {}
        }
    }

    /// Tells the agent what a person decided after its turn went on. What nobody decided is no news: it would begin
    /// a turn that asks again.
    pub(super) fn hear_late(&self, late: LateDecision) {
        let (state, reason, outcome, trust) = match late.note {
            Note::Decided(Decision::Rejected(reason)) if reason != UNATTENDED => {
                ("rejected", Some(reason), None, Trust::Trusted)
            }
            Note::Done(outcome) => ("approved", None, serde_json::from_str(&outcome.json).ok(), outcome.trust),
            // An approval is told with its outcome; that nobody sees a question is for the turn that waits for it.
            Note::Decided(
                Decision::Approved | Decision::Rejected(_) | Decision::Unseen | Decision::Expired | Decision::Void,
            ) => return,
            // It goes into the conversation by itself.
            Note::Ended(_) => return,
        };
        let notice = DecisionNotice {
            proposal: late.proposal,
            operation: late.operation,
            session: late.session.clone(),
            state: state.to_owned(),
            reason,
            outcome,
            trust,
        };
        let message = Message::decision(&notice);
        if self.steer_silently(&late.session, &message) {
            return;
        }
        self.wake_with(message);
    }
}
