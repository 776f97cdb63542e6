//! A robot leaves the station while it runs.

use std::future::Future;
use std::sync::Arc;

use robot::{GateKind, RobotId};
use safety::machine::{CauseSet, State};

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::supervision;
use runtime::error::OpError;
use runtime::lock::write;
use runtime::wire::{Fact, LinkState, Tag};

impl Fleet {
    /// Takes a robot out, once `put_aside` has put its manifest aside. Open stops that bind it stay on record and bind it
    /// again when it is added again. A motion or a stop that comes first keeps the robot; a stop that comes meanwhile reaches
    /// it.
    ///
    /// # Errors
    ///
    /// [`FleetCode::RobotSimulated`], [`FleetCode::RobotInUse`], or that of `put_aside`: the robot is still there.
    pub async fn take_out(
        self: &Arc<Self>,
        robot: &RobotId,
        put_aside: impl Future<Output = Result<(), OpError>> + Send,
    ) -> Result<(), OpError> {
        let unit = self.unit(robot)?;
        // Both locks to the end: the robot is not claimed, armed or locked out while it leaves.
        let _claims = unit.claims.lock().await;
        let _locking = unit.locking.lock().await;
        check(self, &unit)?;
        // Tasks that still have the handle of the robot can send nothing through it any more.
        unit.fence.engage();
        // It stays among the robots until it is gone for good: a stop meanwhile reaches it like any other. Nobody arms it,
        // because that needs its claims.
        if let Err(error) = put_aside.await {
            supervision::step(self, &unit, CauseSet::EMPTY, None);
            self.tell_safety(&[Arc::clone(&unit)]);
            return Err(error);
        }
        write(&self.units).remove(robot);
        unit.forget_subscriptions();
        if self.resources.revoke(robot, |_| false).is_err() {
            tracing::error!(%robot, "the leases of a removed robot cannot be ended");
        }
        self.fallbacks.forget(robot);
        for stop_id in self.stops.binding(robot) {
            self.stops.tell(self, stop_id);
        }
        self.runtime.bus.fact(Fact::RobotRemoved { robot: robot.clone(), mode: self.mode() }, Some(Tag::Robots));
        self.runtime.bus.changed(Tag::Safety);
        Ok(())
    }
}

/// Refuses to let go of a robot that this station may still move, or that only this station can release.
fn check(fleet: &Fleet, unit: &RobotHandle) -> Result<(), OpError> {
    let id = unit.id();
    if unit.simulated {
        let message = format!("{id} belongs to the simulator, which brings it again. End the simulator instead.");
        return Err(OpError::new(FleetCode::RobotSimulated, message));
    }
    let in_use = |message: String| Err(OpError::new(FleetCode::RobotInUse, message));
    let now = fleet.runtime.clock.now().station;
    let answers = match unit.link_state(now) {
        LinkState::Live | LinkState::Late => true,
        LinkState::Lost | LinkState::Never => false,
    };
    let is_stopped = match unit.control().safety.state() {
        State::Arming | State::Armed | State::Hold => {
            return in_use(format!("{id} is armed. Disarm it first, then remove it."));
        }
        State::SafeStop | State::Lockout => true,
        State::Disarmed => !fleet.stops.binding(id).is_empty(),
    };
    if is_stopped && answers {
        let message = format!("{id} is stopped and still answers. Release its stop or end its gate, then remove it.");
        return in_use(message);
    }
    // The station never commands a robot without a gate.
    if unit.manifest.gate == GateKind::None {
        return Ok(());
    }
    if unit.moved_at(now).is_some() || (answers && !unit.is_still(now)) {
        let message =
            format!("{id} moves, or nobody knows whether it stands. Stop it or end its gate, then remove it.");
        return in_use(message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stops;
    use crate::test_support::Rig;
    use runtime::session::Session;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_robot_that_is_being_removed_is_reached_by_a_stop_of_all_and_stays_stopped_if_it_stays() {
        let rig = Rig::start_with_gateless_robot().await;
        let robot = rig.unit.id().clone();
        let full = async {
            stops::press_at_once(&rig.fleet, &Session::bootstrap(), None, None);
            Err(OpError::new(FleetCode::StoreUnavailable, "The disk is full."))
        };
        assert_eq!(rig.fleet.take_out(&robot, full).await.unwrap_err().code, "store_unavailable");
        assert_eq!(rig.fleet.stops.binding(&robot).len(), 1);
        assert!(rig.fleet.unit(&robot).is_ok() && rig.unit.fence.is_latched());
        rig.fleet.take_out(&robot, async { Ok(()) }).await.unwrap();
        assert!(rig.fleet.unit(&robot).is_err());
    }
}
