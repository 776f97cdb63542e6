//! Motion with a set of limits that is not complete: let by an administrator, for one robot and an hour at most, and
//! shown as an alarm while it lasts.

use std::sync::Arc;
use std::time::Duration;

use robot::{Instant, RobotId, SharedCode};
use safety::machine::CauseSet;

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::{Grant, RobotHandle};
use crate::supervision;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::RobotSafety;

/// The longest an administrator can let a robot move so, minutes.
const MINUTES_MAX: u32 = 60;

/// Lets `robot` move without a complete set for `minutes`, or no longer if these are none. It is on record before it
/// holds.
pub async fn give(
    fleet: &Arc<Fleet>,
    by: &Session,
    robot: &RobotId,
    minutes: u32,
    reason: &str,
) -> Result<RobotSafety, OpError> {
    let unit = fleet.unit(robot)?;
    if minutes > MINUTES_MAX {
        let message = format!("A grant lasts 1 to {MINUTES_MAX} minutes; 0 ends one.");
        return Err(OpError::bad_input(SharedCode::OutOfRange, "minutes", message));
    }
    if minutes == 0 {
        end(fleet, &unit, AuditEntry::by(by, "unconstrained_grant", "ended"), reason);
        return Ok(unit.safety(fleet.runtime.clock.now().station));
    }
    if unit.limits.load().is_complete() {
        return Err(OpError::new(
            FleetCode::SetComplete,
            format!("The limits of {robot} are complete: nothing is missing."),
        ));
    }
    let sentence =
        format!("{robot} may move without a complete set of limits for {minutes} min, by {}: {reason}.", by.actor());
    let given =
        AuditEntry::by(by, "unconstrained_grant", "ok").about(format!("robot={robot} minutes={minutes}: {reason}"));
    fleet.runtime.audit.commit(given).await?;
    // The time begins once the grant is on record, however long the disk took.
    let until = fleet.runtime.clock.now().station.plus(Duration::from_secs(60 * u64::from(minutes)));
    unit.control().grant = Some(Grant { until, sentence });
    tracing::warn!(%robot, by = by.actor(), minutes, reason, "may move without a complete set");
    look_again(fleet, &unit);
    Ok(unit.safety(fleet.runtime.clock.now().station))
}

/// Ends the grant of `unit`, if it has one, because its set is complete again.
pub(crate) fn end_if_complete(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>) {
    if unit.limits.load().is_complete() {
        end(fleet, unit, AuditEntry::by_station("unconstrained_grant", "ended"), "its limits are complete");
    }
}

/// Ends the grants whose time is over.
pub fn sweep(fleet: &Arc<Fleet>, now: Instant) {
    for unit in fleet.units() {
        let is_over = unit.control().grant.as_ref().is_some_and(|grant| now >= grant.until);
        if is_over {
            end(fleet, &unit, AuditEntry::by_station("unconstrained_grant", "expired"), "its time is over");
        }
    }
}

fn end(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, entry: AuditEntry, why: &str) {
    if unit.control().grant.take().is_none() {
        return;
    }
    tracing::warn!(robot = %unit.id(), why, "may no longer move without a complete set");
    fleet.runtime.audit.note_done(entry.about(format!("robot={}: {why}", unit.id())));
    look_again(fleet, unit);
}

/// A robot that may no longer move so is armed no longer.
fn look_again(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>) {
    supervision::step(fleet, unit, CauseSet::EMPTY, None);
    fleet.tell_safety(std::slice::from_ref(unit));
}
