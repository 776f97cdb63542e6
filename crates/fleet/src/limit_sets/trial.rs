//! Trial of changed limits on the recorded commands of the last day.

use std::sync::Arc;

use safety::{Limits, Overall, Verdict, judge};

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use runtime::error::OpError;
use runtime::judgements::recordings::Recorded;
use runtime::judgements::verdict_inputs::Inputs;
use runtime::wire::TriedCommand;

/// Commands listed of each way a verdict can change; the counts say how many there are.
const LISTED_MAX: usize = 100;

/// The commands whose verdict changes.
#[derive(Debug, Default)]
pub struct Trial {
    /// Commands that were judged again.
    pub recorded: u32,
    /// Those that passed and would not.
    pub to_deny: ChangedVerdicts,
    /// Those that did not pass and would.
    pub to_allow: ChangedVerdicts,
}

/// Commands whose verdict changes in one direction.
#[derive(Debug, Default)]
pub struct ChangedVerdicts {
    /// Their number.
    pub count: u32,
    /// The first 100 of them.
    pub listed: Vec<ChangedVerdict>,
}

/// A recorded command with the verdict that it would have.
#[derive(Debug)]
pub struct ChangedVerdict {
    /// The time of its judgement, Unix milliseconds.
    pub wall_ms: i64,
    /// Everything else that it was judged on.
    pub inputs: Inputs,
    /// The verdict under the new limits. It approves nothing.
    pub verdict: Verdict,
}

/// Judges what was recorded of each robot under its limits in force and under `new` ones.
///
/// # Errors
/// One of the commands could not be judged again: then nothing is known of the change.
pub(crate) async fn try_on_recorded(
    fleet: &Arc<Fleet>,
    new: Vec<(Arc<RobotHandle>, Arc<Limits>)>,
) -> Result<Trial, OpError> {
    let wall_ms = fleet.runtime.clock.now().wall_ms;
    let mut trial = Trial::default();
    for (unit, new) in new {
        let recorded = fleet.runtime.recordings.of_day(unit.id(), wall_ms).await;
        let old = unit.limits.load_full();
        // A day of commands is judged twice, which would hold up the threads that serve all requests.
        trial = tried(move || compare(trial, recorded, &old, &new)).await?;
    }
    Ok(trial)
}

async fn tried(judging: impl FnOnce() -> Trial + Send + 'static) -> Result<Trial, OpError> {
    tokio::task::spawn_blocking(judging).await.map_err(|error| {
        tracing::error!(%error, "recorded commands were not judged again");
        let message = "The safety gate failed on a recorded command, so nothing is known of what would change.";
        OpError::new(FleetCode::ValidatorError, message)
    })
}

fn compare(mut trial: Trial, recorded: Vec<Recorded>, old: &Limits, new: &Limits) -> Trial {
    for Recorded { wall_ms, inputs, .. } in recorded {
        trial.recorded = trial.recorded.saturating_add(1);
        let (before, after) = (verdict(old, &inputs), verdict(new, &inputs));
        let changed = match (before.overall == Overall::Allow, after.overall == Overall::Allow) {
            (true, false) => &mut trial.to_deny,
            (false, true) => &mut trial.to_allow,
            (true, true) | (false, false) => continue,
        };
        changed.count = changed.count.saturating_add(1);
        if changed.listed.len() < LISTED_MAX {
            changed.listed.push(ChangedVerdict { wall_ms, inputs, verdict: after });
        }
    }
    trial
}

fn verdict(limits: &Limits, inputs: &Inputs) -> Verdict {
    let mut verdict = judge(limits, &inputs.state, inputs.command.clone(), inputs.now);
    // A command of yesterday must never become sendable.
    drop(verdict.take_approved());
    verdict
}

impl From<ChangedVerdict> for TriedCommand {
    fn from(changed: ChangedVerdict) -> Self {
        let command = &changed.inputs.command;
        Self {
            robot: command.robot.clone(),
            command: command.id.to_string(),
            at: changed.wall_ms.div_euclid(1_000),
            sentence: changed.verdict.sentence(),
            verdict: Arc::new(changed.verdict),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_trial_that_fails_is_not_one_in_which_nothing_changes() {
        let failed = tried(|| panic!("an old recording")).await;
        assert_eq!(failed.unwrap_err().code, "validator_error");
        assert_eq!(tried(|| Trial { recorded: 7, ..Trial::default() }).await.unwrap().recorded, 7);
    }
}
