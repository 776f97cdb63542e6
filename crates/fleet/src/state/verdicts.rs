//! The newest verdicts of this run, so that people and models can ask why. Older ones are in the recordings.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use robot::{RobotId, VerdictId};
use safety::Verdict;

use runtime::lock::lock;
use runtime::wire::{CommandChecked, ItemRow, VerdictRow};

/// Verdicts that are kept; the oldest makes room.
const VERDICTS_MAX: usize = 1_000;

/// Verdicts on what was sent or proposed, oldest first.
#[derive(Debug, Default)]
pub struct Verdicts {
    kept: Mutex<VecDeque<CommandChecked>>,
}

impl Verdicts {
    /// Keeps a verdict with every limit it was explained by.
    pub fn keep(&self, verdict: &Arc<Verdict>, explanation: &[ItemRow]) {
        let sentence = verdict.sentence();
        let checked = CommandChecked { verdict: Arc::clone(verdict), explanation: explanation.to_vec(), sentence };
        let mut kept = lock(&self.kept);
        if kept.len() >= VERDICTS_MAX {
            kept.pop_front();
        }
        kept.push_back(checked);
    }

    /// A verdict with every limit.
    pub fn find(&self, id: VerdictId) -> Option<CommandChecked> {
        lock(&self.kept).iter().rev().find(|checked| checked.verdict.id == id).cloned()
    }

    /// The newest verdicts first, at most `limit`; only those on `robot` if given.
    pub fn newest(&self, robot: Option<&RobotId>, limit: usize) -> Vec<VerdictRow> {
        let kept = lock(&self.kept);
        let wanted = kept.iter().rev().filter(|checked| robot.is_none_or(|robot| *robot == checked.verdict.robot));
        wanted.take(limit).map(VerdictRow::from).collect()
    }
}
