//! The stop drill: one robot is really stopped, over the real path, and let go again; what it took is kept.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use memory::StoredDrill;
use robot::RobotId;
use safety::fallback::STANDSTILL_GRACE;
use tokio::time::{Interval, MissedTickBehavior};

use crate::code::FleetCode;
use crate::control::control_handover;
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::stops;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{DrillRow, DrillRun, Fact, Tag};

/// Time between two looks at the robot's answer.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Time in which everything behind a robot's gate has answered
/// a stop, and the gate has said so: it speaks once a second.
const ANSWER_WAIT: Duration = Duration::from_secs(3);
/// Time limit of the release: a second of clear causes, and the robot's confirmation.
const RELEASE_WAIT: Duration = Duration::from_secs(5);

/// Stops `robot` as STOP ALL would, waits for what it does, keeps that, and releases it. A real stop that comes
/// meanwhile stays in force, with the drill's beside it.
///
/// # Errors
/// The drill is not allowed now; or it took place and cannot be kept, and then the error tells whether the robot was let
/// go.
pub async fn run(fleet: &Arc<Fleet>, by: &Session, robot: &RobotId) -> Result<DrillRun, OpError> {
    let unit = fleet.unit(robot)?;
    control_handover::check_not_anothers(fleet, &unit, by)?;
    check_allowed(fleet, &unit)?;
    let at_ms = fleet.runtime.clock.now().wall_ms;
    let stop_id = stops::drill(fleet, by, &unit);
    let (acked_ms, standstill_ms) = answered(fleet, &unit, stop_id).await;
    let unanswered = if acked_ms.is_some() { unanswered(&unit).await } else { Some(Vec::new()) };
    // A gate acknowledges what has left it. The path to the motors
    // was tested only if everything behind it has answered too.
    let acked_ms = acked_ms.filter(|_| unanswered.as_ref().is_some_and(Vec::is_empty));
    let unanswered = unanswered.unwrap_or_default();
    let drill =
        StoredDrill { stop_id, robot: robot.clone(), by: by.actor().to_owned(), at_ms, acked_ms, standstill_ms };
    let kept = fleet.runtime.db.add_drill(&drill).await.map_err(OpError::from);
    if kept.is_ok() && acked_ms.is_some() && standstill_ms.is_some() {
        fleet.observer.note_stop_tested(robot);
    }
    let took = |ms: Option<f64>| ms.map_or_else(|| "none".to_owned(), |ms| format!("{ms:.0}"));
    let about = format!(
        "robot={robot} stop_id={stop_id} acked_ms={} standstill_ms={} unanswered={}",
        took(acked_ms),
        took(standstill_ms),
        unanswered.join(",")
    );
    let outcome = match &kept {
        Err(error) => error.code.as_str(),
        Ok(()) if acked_ms.is_some() && standstill_ms.is_some() => "ok",
        Ok(()) => "not_confirmed",
    };
    fleet.runtime.audit.note_done(AuditEntry::by(by, "drill", outcome).about(about));
    let released = let_go(fleet, by, &unit, stop_id).await;
    kept.map_err(|error| not_kept(error, robot, stop_id, released))?;
    let drill = DrillRow::from(drill);
    fleet.runtime.bus.fact(Fact::Drill { drill: drill.clone() }, Some(Tag::Safety));
    Ok(DrillRun { drill, unanswered, released })
}

/// The error of a drill whose result the disk did not take: unlike other such errors, it says what has happened.
fn not_kept(error: OpError, robot: &RobotId, stop_id: u64, released: bool) -> OpError {
    let now = if released { "was let go again" } else { "is still stopped; release it" };
    let message = format!("{robot} was stopped by stop #{stop_id} for the drill, whose result is not kept. It {now}.");
    let details = serde_json::json!({ "stop_id": stop_id, "released": released });
    OpError { message: format!("{message} Free space on the station's disk."), ..error }.with(details)
}

/// Looks at the robot, never two at once.
fn looks() -> Interval {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    looks
}

/// A simulated robot may move; a real one is tested where nothing hangs on it.
fn check_allowed(fleet: &Fleet, unit: &RobotHandle) -> Result<(), OpError> {
    let open = fleet.stops.binding(unit.id());
    if !open.is_empty() {
        let message = format!("A stop is open for {} already. Release it first.", unit.id());
        return Err(OpError::new(FleetCode::Latched, message).with(serde_json::json!({ "stop_ids": open })));
    }
    if unit.simulated || unit.is_still(fleet.runtime.clock.now().station) {
        return Ok(());
    }
    let message = format!("{} does not stand still. A real robot is tested at standstill.", unit.id());
    Err(OpError::new(FleetCode::NotStandingStill, message))
}

/// When the robot acknowledged the stop and was seen standing still, in milliseconds from the press.
async fn answered(fleet: &Fleet, unit: &RobotHandle, stop_id: u64) -> (Option<f64>, Option<f64>) {
    let times = unit.stop_times();
    let wait = times.ack + times.stopping + STANDSTILL_GRACE;
    let all_there = async {
        let mut due = looks();
        loop {
            due.tick().await;
            if let (Some(acked_ms), Some(standstill_ms)) = fleet.stops.times_of(stop_id, unit.id()) {
                return (Some(acked_ms), Some(standstill_ms));
            }
        }
    };
    let found = tokio::time::timeout(wait, all_there).await;
    found.unwrap_or_else(|_| fleet.stops.times_of(stop_id, unit.id()))
}

/// Names of what is to answer a stop behind the robot's gate and has not, as the gate says from now on; none if it says
/// nothing in time.
async fn unanswered(unit: &RobotHandle) -> Option<Vec<String>> {
    // A gate that gives no account of itself has nothing behind it that could be asked.
    let Some(before) = unit.gate_report() else { return Some(Vec::new()) };
    let mut newest = None;
    let all_answered = async {
        let mut due = looks();
        loop {
            due.tick().await;
            newest = unit.gate_report().filter(|report| report.is_newer_than(&before));
            if newest.as_ref().is_some_and(|report| report.account.unanswered.is_empty()) {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(ANSWER_WAIT, all_answered).await;
    newest.map(|report| report.account.unanswered)
}

/// Releases the drill's own stop; false if the robot stays stopped.
async fn let_go(fleet: &Arc<Fleet>, by: &Session, unit: &RobotHandle, stop_id: u64) -> bool {
    let (stop_ids, robots) = (BTreeSet::from([stop_id]), [unit.id().clone()]);
    let released = async {
        // The causes have to be clear for a second first, so early tries are refused as a matter of course.
        let mut tries = looks();
        loop {
            tries.tick().await;
            match stops::release(fleet, by, &stop_ids, &robots).await {
                Ok(_) => return true,
                // Another stop has come: it binds the robot, and a person releases both.
                Err(error) if error.code == FleetCode::StopSetChanged => return false,
                Err(error) => tracing::debug!(code = error.code.as_str(), "the drill's stop is not released yet"),
            }
        }
    };
    tokio::time::timeout(RELEASE_WAIT, released).await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::Rig;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_drill_that_cannot_be_kept_is_on_record_lets_the_robot_go_and_says_so() {
        let rig = Rig::start_with_gateless_robot().await;
        let robot = rig.unit.id().clone();
        let other = StoredDrill { stop_id: 1, robot, by: "x".into(), at_ms: 0, acked_ms: None, standstill_ms: None };
        // The database takes no second one of this number.
        rig.fleet.runtime.db.add_drill(&other).await.unwrap();
        let error = run(&rig.fleet, &Session::bootstrap(), rig.unit.id()).await.unwrap_err();
        assert_eq!(error.details, serde_json::json!({ "stop_id": 1, "released": true }), "{error:?}");
        assert!(!error.message.contains("Nothing was changed"), "{error:?}");
        assert!(rig.fleet.stops.binding(rig.unit.id()).is_empty());
        let records = rig.records("drill").await;
        assert_eq!(records.iter().map(|record| &record["outcome"]).collect::<Vec<_>>(), [error.code.as_str()]);
    }
}
