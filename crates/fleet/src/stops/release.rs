//! Release: robots are let go of exactly the stops that are named. It enables arming only; nothing moves.

use std::collections::BTreeSet;
use std::sync::Arc;

use bridge::Claims;
use robot::RobotId;
use safety::machine::{CauseSet, Clears, State};
use tokio::sync::watch;

use super::evidence::of_release;
use super::releasable::check_strangers;
use super::saving::{wait_saved, write_row};
use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::{robots::robot_lockout, supervision};
use runtime::audit::Room;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::Released;

/// Releases `robots` from exactly the open stops `stop_ids`. It enables arming only; nothing moves. Robots that are let
/// go before another one refuses stay so, and the error names them.
pub async fn release(
    fleet: &Arc<Fleet>,
    by: &Session,
    stop_ids: &BTreeSet<u64>,
    robots: &[RobotId],
) -> Result<Released, OpError> {
    let units = robots.iter().map(|robot| fleet.unit(robot)).collect::<Result<Vec<_>, _>>()?;
    for unit in &units {
        robot_lockout::check_unlocked(unit)?;
    }
    let releasing = fleet.stops.begin_release(stop_ids, robots)?;
    for unit in &units {
        // All robots are checked before any is let go: a refusal
        // that is foreseeable leaves every one of them stopped.
        check_strangers(fleet, unit, by)?;
        check_still(fleet, unit)?;
        check_clear(unit)?;
    }
    let rooms = rooms(fleet, stop_ids)?;
    let (mut released, mut refused) = (Vec::new(), None);
    for unit in &units {
        let claims = unit.claims.lock().await;
        if let Err(error) = release_unit(fleet, by, unit, &claims, stop_ids).await {
            refused = Some(error);
            break;
        }
        released.push(unit.id().clone());
    }
    if released.is_empty()
        && let Some(error) = refused
    {
        return Err(error);
    }
    // Robots that were let go are marked even if a later one refused: their gates no longer hold them.
    let saved = mark_released(fleet, by, rooms, &released);
    drop(releasing);
    for unit in &units {
        supervision::step(fleet, unit, CauseSet::EMPTY, None);
    }
    fleet.tell_safety(&units);
    wait_all_saved(saved).await;
    if let Some(error) = refused {
        let named: Vec<&str> = released.iter().map(RobotId::as_str).collect();
        let message = format!("{} Released before that: {}.", error.message, named.join(", "));
        return Err(OpError { message, ..error }.with(serde_json::json!({ "released": released })));
    }
    let present = fleet.units();
    let open = fleet.stops.open().into_iter().filter(|record| record.binds_one_of(&present));
    let open = open.map(|record| (record.stored.stop_id.to_string(), record.still_bound())).collect();
    Ok(Released { released, open })
}

/// Lets go of a robot whose state has asked for a stop and is over; what a person stopped, a person releases.
pub(crate) async fn release_supervised(
    fleet: &Arc<Fleet>,
    unit: &Arc<RobotHandle>,
    claims: &Claims,
) -> Result<(), OpError> {
    let stop_ids: BTreeSet<u64> = {
        let control = unit.control();
        let over = control.safety.state() == State::Disarmed
            && control.open_stops.values().all(Option::is_none)
            // A stop of another station or of a stranger needs a person who has seen it.
            && !control.beats.is_stopped_elsewhere(&fleet.runtime.id);
        if over { control.open_stops.keys().copied().collect() } else { BTreeSet::new() }
    };
    if stop_ids.is_empty() {
        return Ok(());
    }
    let robots = std::slice::from_ref(unit.id());
    let releasing = fleet.stops.begin_release(&stop_ids, robots)?;
    check_still(fleet, unit)?;
    let rooms = rooms(fleet, &stop_ids)?;
    release_unit(fleet, &Session::supervision(), unit, claims, &stop_ids).await?;
    let saved = mark_released(fleet, &Session::supervision(), rooms, robots);
    drop(releasing);
    fleet.tell_safety(std::slice::from_ref(unit));
    wait_all_saved(saved).await;
    Ok(())
}

/// Room in the audit for the release of each stop, taken before any robot is let go: what is let go is on record.
fn rooms(fleet: &Fleet, stop_ids: &BTreeSet<u64>) -> Result<Vec<(u64, Room)>, OpError> {
    stop_ids.iter().map(|stop_id| Ok((*stop_id, fleet.runtime.audit.reserve()?))).collect()
}

pub(super) async fn release_unit(
    fleet: &Arc<Fleet>,
    by: &Session,
    unit: &RobotHandle,
    claims: &Claims,
    stop_ids: &BTreeSet<u64>,
) -> Result<(), OpError> {
    unit.release_at_robot(fleet, by, claims, stop_ids).await?;
    // A stop pressed while the robot was being released has a number of its own and stays in force.
    unit.control().open_stops.retain(|open, _| !stop_ids.contains(open));
    Ok(())
}

/// A stop is not released over the head of another cause.
fn check_clear(unit: &RobotHandle) -> Result<(), OpError> {
    let control = unit.control();
    let other = control.safety.causes().iter().find(|active| active.clears() != Clears::OnRelease);
    match other {
        None => Ok(()),
        Some(active) => {
            let message = format!("{} is not clear: {}", unit.id(), active.cause.rule().sentence);
            Err(OpError::new(FleetCode::CausesOpen, message).with(serde_json::json!({ "cause": active.cause })))
        }
    }
}

pub(crate) fn check_still(fleet: &Fleet, unit: &RobotHandle) -> Result<(), OpError> {
    match unit.standstill(fleet.runtime.clock.now().station) {
        Some(true) => Ok(()),
        Some(false) => {
            let message = format!("{} still moves; release needs standstill.", unit.id());
            Err(OpError::new(FleetCode::NotStandingStill, message))
        }
        None => {
            let message = format!("{} reports no speed, so nobody knows whether it stands still.", unit.id());
            Err(OpError::new(FleetCode::NoMotionData, message))
        }
    }
}

/// Notes that `robots` are let go, at once, and queues the record. The rows follow once the record is on disk: a start
/// takes a stop without the record of its release for open, whatever its row says.
pub(super) fn mark_released(
    fleet: &Arc<Fleet>,
    by: &Session,
    rooms: Vec<(u64, Room)>,
    robots: &[RobotId],
) -> Vec<watch::Receiver<bool>> {
    let marked = rooms.into_iter().filter_map(|(stop_id, room)| {
        let stored = {
            let mut records = fleet.stops.lock();
            let record = records.get_mut(&stop_id)?;
            let before = (record.closed, record.stored.released.len());
            record.let_go(robots);
            // No robot of this stop was let go, because another one refused first.
            if before == (record.closed, record.stored.released.len()) {
                return None;
            }
            record.stored.clone()
        };
        fleet.stops.tell(fleet, stop_id);
        let noted = room.note(of_release(by, &stored));
        let (done, saved) = watch::channel(false);
        let in_task = Arc::clone(fleet);
        fleet.runtime.spawn(async move {
            // Also while the station ends, which waits for its tasks: a release that people have seen outlives the end.
            if !noted.saved().await {
                return;
            }
            if let Some(record) = in_task.stops.lock().get_mut(&stop_id) {
                record.note_on_record(&stored.released);
            }
            done.send_replace(write_row(&in_task, stop_id).await);
        });
        Some(saved)
    });
    marked.collect()
}

async fn wait_all_saved(rows: Vec<watch::Receiver<bool>>) {
    for saved in rows {
        if !wait_saved(saved).await {
            tracing::warn!("a release is not on disk yet");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[tokio::test]
    async fn every_row_of_a_release_is_waited_for() {
        let ((_first, saved), (second, unsaved)) = (watch::channel(true), watch::channel(false));
        let mut waiting = pin!(wait_all_saved(vec![saved, unsaved]));
        assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        second.send_replace(true);
        waiting.await;
    }
}
