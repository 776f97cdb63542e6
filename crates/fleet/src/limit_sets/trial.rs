//! Trial of changed limits on the recorded commands of the last day.

use std::sync::Arc;

use safety::{Limits, Overall, judge};

use crate::fleet::Fleet;
use crate::robot_handle::RobotHandle;
use runtime::recordings::Recorded;
use runtime::verdict_inputs::Inputs;
use runtime::wire::TriedCommand;

/// Commands listed of each way a verdict can change; the counts say how many there are.
const LISTED_MAX: usize = 100;

/// The commands whose verdict changes.
#[derive(Debug, Default)]
pub(super) struct Trial {
    pub recorded: u32,
    pub changes: [Change; 2],
}

/// Commands whose verdict changes in one direction.
#[derive(Debug, Default)]
pub(super) struct Change {
    pub count: u32,
    pub listed: Vec<TriedCommand>,
}

/// Judges what was recorded of each robot under its limits in force and under `new` ones. The first change is from
/// allowed to denied, the second the other way.
pub(super) async fn try_on_recorded(fleet: &Arc<Fleet>, new: Vec<(Arc<RobotHandle>, Limits)>) -> Trial {
    let wall_ms = fleet.runtime.clock.now().wall_ms;
    let mut trial = Trial::default();
    for (unit, new) in new {
        let recorded = fleet.runtime.recordings.of_day(unit.id(), wall_ms).await;
        let old = unit.limits.load_full();
        let tried = tokio::task::spawn_blocking(move || compare(trial, &recorded, &old, &new));
        trial = tried.await.unwrap_or_default();
    }
    trial
}

fn compare(mut trial: Trial, recorded: &[Recorded], old: &Limits, new: &Limits) -> Trial {
    for row in recorded {
        trial.recorded = trial.recorded.saturating_add(1);
        let before = verdict(old, &row.inputs).0;
        let (after, sentence) = verdict(new, &row.inputs);
        if before == after {
            continue;
        }
        let [to_deny, to_allow] = &mut trial.changes;
        let change = if after { to_allow } else { to_deny };
        change.count = change.count.saturating_add(1);
        if change.listed.len() < LISTED_MAX {
            change.listed.push(TriedCommand {
                robot: row.inputs.command.robot.clone(),
                command: row.inputs.command.id.to_string(),
                at: row.wall_ms.div_euclid(1_000),
                sentence,
            });
        }
    }
    trial
}

fn verdict(limits: &Limits, inputs: &Inputs) -> (bool, String) {
    let verdict = judge(limits, &inputs.state, inputs.command.clone(), inputs.now);
    (verdict.overall == Overall::Allow, verdict.sentence())
}
