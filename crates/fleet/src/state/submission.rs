//! A command on its way to a robot: who sends it under which approval, and what the judgement of it says.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use robot::{Command, CommandId, RawCommand, SessionId};
use safety::{Cause, Item, Limits, Overall, Precondition, Verdict};
use serde_json::value::RawValue;

use crate::state::commands::Progress;
use crate::state::robot_handle::RobotHandle;
use runtime::judgements::verdict_inputs::Inputs;
use runtime::session::Session;
use runtime::wire::{CommandChecked, CommandOutcome, ItemRow, ProposalRef};

/// A command with who sends it.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The command as it was written.
    pub raw: RawCommand,
    /// The session that sends it.
    pub by: Session,
    /// The proposal it was approved under.
    pub proposal: Option<UnderProposal>,
    /// A hand says it while it wants it: a velocity that the robot is not to take on at once is neared step by step.
    pub by_hand: bool,
}

/// An approved proposal, and all that the approval is bound to.
#[derive(Debug, Clone)]
pub struct UnderProposal {
    /// The proposal, as outcomes name it.
    pub shown: ProposalRef,
    /// The conditions of its approval.
    pub approval: Arc<dyn Approval>,
    /// The session that approved it, or let it happen beforehand in this run.
    pub approved_by: Option<SessionId>,
}

impl Submission {
    /// A command that `by` gives as it is to be sent.
    pub fn new(raw: RawCommand, by: Session) -> Self {
        Self { raw, by, proposal: None, by_hand: false }
    }

    pub(crate) fn shown(self) -> Option<ProposalRef> {
        self.proposal.map(|under| under.shown)
    }
}

/// A judged command, before anything is sent.
pub struct Judged {
    /// The command's id.
    pub command: CommandId,
    /// The verdict.
    pub verdict: Verdict,
    /// Every check with its margin, human-readable.
    pub explanation: Vec<ItemRow>,
    /// The parsed command, unless parsing refused it.
    pub parsed: Option<Command>,
    /// Time that the thread worked on judging; waiting does not count.
    pub(crate) took: Duration,
    /// Inputs of the verdict; none if parsing refused the command.
    pub(crate) basis: Option<Basis>,
}

/// Everything it takes to make a verdict again, and the verdict as it was made if that is recorded.
pub(crate) struct Basis {
    pub inputs: Arc<Inputs>,
    pub limits: Arc<Limits>,
    pub verdict: Option<Box<RawValue>>,
}

impl Judged {
    /// True if it may be sent.
    pub fn allowed(&self) -> bool {
        self.verdict.overall == Overall::Allow
    }

    /// The same with a verdict that says no for one more reason, which is shown first.
    pub(crate) fn but(self, refuse: impl FnOnce(Verdict) -> Verdict) -> Self {
        let verdict = refuse(self.verdict);
        let mut explanation = rows(verdict.items.first().cloned().into_iter().collect());
        explanation.extend(self.explanation);
        Self { verdict, explanation, ..self }
    }

    pub(crate) fn not_judged(self, cause: Cause) -> Self {
        self.but(|verdict| verdict.not_judged(cause))
    }

    /// The answer to a dry run.
    pub fn into_checked(self) -> CommandChecked {
        let sentence = self.verdict.sentence();
        CommandChecked { verdict: Arc::new(self.verdict), explanation: self.explanation, sentence }
    }

    /// The answer to a command that got as far as `progress`.
    pub fn into_outcome(self, progress: Progress, proposal: Option<ProposalRef>) -> CommandOutcome {
        let command_id = self.command;
        let Progress { step: state, code, off_goal } = progress;
        let checked = self.into_checked();
        CommandOutcome {
            command_id,
            state,
            code,
            off_goal,
            verdict: checked.verdict,
            explanation: checked.explanation,
            sentence: checked.sentence,
            proposal,
        }
    }
}

/// The approval that a command is sent under.
pub trait Approval: Debug + Send + Sync {
    /// The first condition of the approval that does not hold at the moment of sending, and why.
    fn broken(&self, unit: &RobotHandle, submission: &Submission, judged: &Judged) -> Option<(Precondition, String)>;
}

/// The rows of `items`, each with its sentence.
pub(crate) fn rows(items: Vec<Item>) -> Vec<ItemRow> {
    items.into_iter().map(|item| ItemRow { sentence: safety::sentence(&item), item }).collect()
}
