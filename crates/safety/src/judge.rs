//! The judgement: a command, the limits and the measured state go in, a verdict comes out. One kernel serves
//! [`judge`], which keeps the worst findings, and [`explain`], which keeps all.

mod begun;
mod checks;
mod escape;
mod goal;
mod items;
mod joints;
mod places;
mod position;
mod sources;
mod speeds;
mod tally;
mod unconcerned;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use robot::{Command, Instant, Reason};

use crate::approved::CommandTerms;
use crate::{Approved, Cause, Item, Limits, Overall, ReasonArgs, RobotState, Verdict};

use begun::Subject;

pub use begun::Rejected;
use checks::{Checks, Report};
use tally::Tally;

pub(crate) use escape::ESCAPE_MPS_MAX;
pub use goal::goal_violations;
pub(crate) use places::{region_inflated, region_of};
pub(crate) use position::{frame_of, fresh_position, usable_position};

/// Judges `command` by all limits at once. Allows only what is shown to hold; never panics.
pub fn judge(limits: &Limits, state: &RobotState, command: Command, now: Instant) -> Verdict {
    // A panic here must become a denial; unwinding further would end the thread that judges.
    let evaluated = catch_unwind(AssertUnwindSafe(|| {
        let mut tally = Tally::default();
        let sink = &mut |item| tally.add(item);
        let path_checked = Checks { limits, state, command: &command, now, report: Report::Worst, sink }.run();
        (tally, path_checked)
    }));
    let subject = Subject {
        command: command.id,
        robot: &command.robot,
        mission: command.mission.as_ref(),
        frame: &command.frame,
    };
    // Begins as a denial and is only turned into an approval at the very end.
    let mut verdict = Verdict::bare(subject, limits, state, now, Overall::ValidatorError(Cause::Panicked));
    let Ok((tally, path_checked)) = evaluated else {
        verdict.items.push(panicked());
        verdict.violations_total = 1;
        return verdict;
    };
    verdict.path_checked = path_checked;
    verdict.speed_allowed_mps = tally.speed_allowed_mps();
    verdict.violations_total = tally.violations_total();
    verdict.items = tally.into_items();
    verdict.overall = if verdict.violations_total == 0 { Overall::Allow } else { Overall::Deny };
    if verdict.overall == Overall::Allow {
        let terms = CommandTerms {
            set_version: limits.version(),
            latch_generation: state.latch_generation,
            // The approval outlives neither the state it was judged in nor the command's own time-to-live.
            valid_until: now.plus(limits.numbers.approved_for).min(expiry(&command)),
            verdict_id: verdict.id,
        };
        verdict.approved = Some(Approved::new(command, terms));
    }
    verdict
}

/// Everything [`judge`] looks at: one item per violated precondition, then one per limit that binds the actuator, held,
/// violated or not concerned. While nobody knows where the robot is, nothing is said of limits about its way.
#[must_use]
pub fn explain(limits: &Limits, state: &RobotState, command: &Command, now: Instant) -> Vec<Item> {
    let mut items = Vec::new();
    let evaluated = catch_unwind(AssertUnwindSafe(|| {
        Checks { limits, state, command, now, report: Report::Every, sink: &mut |item| items.push(item) }.run()
    }));
    if evaluated.is_err() {
        items.push(panicked());
    }
    items
}

fn panicked() -> Item {
    let item = Item::precondition(Reason::NotProvable, ReasonArgs::default());
    Item { verdict: Overall::ValidatorError(Cause::Panicked), ..item }
}

fn expiry(command: &Command) -> Instant {
    command.issued_at.plus(Duration::from_millis(u64::from(command.ttl_ms)))
}

#[cfg(test)]
mod exact;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
