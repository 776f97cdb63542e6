//! A robot that is locked: on disk before anybody is told so, locked again by every later start, and let out of it only
//! once the disk knows it no more.

use std::sync::Arc;
use std::time::Duration;

use memory::StoredLockout;
use robot::RobotId;
use safety::machine::{Act, CauseSet, RobotSafety, SafetyCause, State, StopKind};

use crate::code::FleetCode;
use crate::fleet::{Fleet, FleetError};
use crate::state::robot_handle::{OnDisk, RobotHandle};
use crate::{stops, supervision};
use runtime::audit::AuditEntry;
use runtime::crash::{self, CrashPoint};
use runtime::error::OpError;
use runtime::wire::{StopReason, word};

/// Wait before a failed write is tried again.
const RETRY: Duration = Duration::from_millis(200);

/// Writes down the causes that lock `unit`, until the disk has them or it is locked no more. The lock itself is in
/// force already.
pub fn keep(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>) {
    let (task_fleet, unit) = (Arc::clone(fleet), Arc::clone(unit));
    fleet.runtime.spawn(async move {
        let fleet = task_fleet;
        loop {
            crash::point(CrashPoint::Lockout);
            let done = {
                let _locking = unit.locking.lock().await;
                is_written(&fleet, &unit).await
            };
            // After each try, because the state that is shown depends on what the disk has.
            fleet.tell_safety(std::slice::from_ref(&unit));
            if done {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = fleet.runtime.ended.cancelled() => return,
            }
        }
    });
}

/// Writes down the causes that hold now; true if there is nothing more to write. The caller holds `unit.locking`.
async fn is_written(fleet: &Fleet, unit: &RobotHandle) -> bool {
    let by = unit.control().safety.locked_by();
    if by == CauseSet::EMPTY {
        return true;
    }
    let saved = fleet.runtime.db.save_lockout(unit.id(), by, fleet.runtime.clock.now().wall_ms).await;
    let mut control = unit.control();
    match &saved {
        Ok(()) => control.lockout = OnDisk::Locked,
        // The lock itself is on disk; only the newer cause is missing there.
        Err(_) if control.lockout == OnDisk::Locked => {}
        Err(_) => control.lockout = OnDisk::Failing,
    }
    drop(control);
    let causes: Vec<String> = by.iter().map(|cause| word(&cause)).collect();
    match &saved {
        Ok(()) => {
            let about = format!("robot={} causes={}", unit.id(), causes.join(","));
            fleet.runtime.audit.note_done(AuditEntry::by_station("lockout", "ok").about(about));
        }
        Err(error) => {
            tracing::error!(robot = %unit.id(), error = error as &dyn std::error::Error, "lockout not saved");
        }
    }
    saved.is_ok()
}

/// The causes for which an earlier run has left `robot` locked, if it has. An unreadable row locks as well.
pub async fn left(fleet: &Fleet, robot: &RobotId) -> Result<Option<CauseSet>, FleetError> {
    let found = fleet.runtime.db.lockouts().await?.into_iter().find(|left| left.robot == *robot);
    let unreadable = || [SafetyCause::StateFault].into_iter().collect();
    Ok(found.map(|StoredLockout { causes, .. }| causes.unwrap_or_else(unreadable)))
}

/// Takes up the lock and the open stops that earlier runs have left.
pub fn take_up(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, left: Option<CauseSet>) {
    let open_stops = fleet.stops.left(unit.id(), left.is_some());
    for stop_id in open_stops.keys() {
        // Put again: the run that opened it may have ended before the robot heard it.
        unit.link.stop(safety::Approved::stop(unit.id().clone(), fleet.runtime.id.clone(), *stop_id));
    }
    let is_stopped = !open_stops.is_empty();
    let mut control = unit.control();
    control.open_stops = open_stops;
    if is_stopped {
        // Supervision watches that it stands, although it was an earlier run that stopped it.
        control.told_to_end(StopKind::Stop, fleet.runtime.clock.now().station);
    }
    let Some(causes) = left else { return };
    control.safety = RobotSafety::locked_out(causes, fleet.runtime.clock.now().station);
    control.lockout = OnDisk::Locked;
    drop(control);
    if !is_stopped {
        // The disk has the lock without its stop: the crash came between the two writes.
        stops::supervise(fleet, unit, Some(StopReason::LockedEarlier));
    }
}

/// Nothing but recommissioning ends a lock.
pub(crate) fn check_unlocked(unit: &RobotHandle) -> Result<(), OpError> {
    let control = unit.control();
    if control.safety.state() != State::Lockout {
        return Ok(());
    }
    let by: Vec<SafetyCause> = control.safety.locked_by().iter().collect();
    let message = format!("{} is locked. An administrator must put it into service again first.", unit.id());
    Err(OpError::new(FleetCode::LockedOut, message).with(serde_json::json!({ "causes": by })))
}

/// Puts a locked robot into service again. It stays locked until the disk has let it go: a crash never ends a lock.
pub async fn recommission(fleet: &Arc<Fleet>, robot: &RobotId) -> Result<(), OpError> {
    let unit = fleet.unit(robot)?;
    let _locking = unit.locking.lock().await;
    let now = fleet.runtime.clock.now().station;
    let (still, times) = (unit.is_still(now), unit.settings.machine_times());
    let (is_locked, can_end) = {
        let safety = &unit.control().safety;
        (safety.state() == State::Lockout, safety.can_be_recommissioned(still, times, now))
    };
    if !is_locked {
        return Ok(());
    }
    if !can_end {
        return Err(still_locked(robot));
    }
    // The disk first: while it cannot be written, the robot stays locked here as well.
    fleet.runtime.db.end_lockout(robot).await?;
    unit.control().lockout = OnDisk::Nothing;
    if supervision::step(fleet, &unit, CauseSet::EMPTY, Some(Act::Recommission)) == State::Lockout {
        // A new cause came while the disk was being written.
        keep(fleet, &unit);
        return Err(still_locked(robot));
    }
    Ok(())
}

fn still_locked(robot: &RobotId) -> OpError {
    OpError::new(FleetCode::StillLocked, format!("{robot} stays locked: it moves, or a cause still holds."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::Rig;

    fn causes(causes: &[SafetyCause]) -> CauseSet {
        causes.iter().copied().collect()
    }

    async fn on_disk(fleet: &Fleet) -> Vec<(String, Option<CauseSet>)> {
        let rows = fleet.runtime.db.lockouts().await.unwrap();
        rows.into_iter().map(|row| (row.robot.to_string(), row.causes)).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_lock_is_in_force_at_once_and_shown_when_it_is_on_disk() {
        let rig = Rig::start_with_gate().await;
        let (fleet, unit) = (&rig.fleet, Arc::clone(&rig.unit));
        // Whoever writes it down waits for the test.
        let _locking = unit.locking.lock().await;
        assert!(unit.fence.release(unit.fence.generation()).is_some());
        assert_eq!(supervision::step(fleet, &unit, CauseSet::EMPTY, None), State::Lockout);
        assert_eq!((unit.state(), on_disk(fleet).await), (State::SafeStop, vec![]));
        assert_eq!(check_unlocked(&unit).unwrap_err().code, "locked_out");
        assert!(is_written(fleet, &unit).await);
        let row = ("gate-1".to_owned(), Some(causes(&[SafetyCause::StateFault])));
        assert_eq!((unit.state(), on_disk(fleet).await), (State::Lockout, vec![row]));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_lock_that_the_disk_does_not_take_is_in_force_and_the_disk_is_said_to_fail() {
        let rig = Rig::start_with_gate().await;
        let (fleet, unit) = (&rig.fleet, Arc::clone(&rig.unit));
        let _locking = unit.locking.lock().await;
        unit.control().safety =
            RobotSafety::locked_out(causes(&[SafetyCause::Breach]), fleet.runtime.clock.now().station);
        fleet.runtime.db.close().await;
        assert!(!is_written(fleet, &unit).await);
        assert_eq!((unit.state(), unit.control().lockout), (State::SafeStop, OnDisk::Failing));
        assert!(unit.control().store_causes().has(SafetyCause::StoreUnavailable));
        assert_eq!(check_unlocked(&unit).unwrap_err().code, "locked_out");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_lock_that_is_taken_up_stops_the_robot_and_its_stop_is_nobodys() {
        let rig = Rig::start_with_gate().await;
        let (fleet, unit) = (&rig.fleet, Arc::clone(&rig.unit));
        take_up(fleet, &unit, Some(causes(&[SafetyCause::Breach])));
        assert_eq!(unit.state(), State::Lockout);
        let stops: Vec<_> = unit.control().open_stops.values().copied().collect();
        assert_eq!(stops, [None]);
        assert_eq!(check_unlocked(&unit).unwrap_err().code, "locked_out");
    }
}
