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
    /// Takes a robot out, once `put_aside` has put its manifest aside. Open stops that bind it stay on record and bind
    /// it again when it is added again. A motion or a stop that comes first keeps the robot.
    ///
    /// # Errors
    ///
    /// [`FleetCode::RobotSimulated`], [`FleetCode::RobotInUse`], [`FleetCode::StoppedMeanwhile`], or that of
    /// `put_aside`: the robot is still there.
    pub async fn take_out(
        self: &Arc<Self>,
        robot: &RobotId,
        put_aside: impl Future<Output = Result<(), OpError>> + Send,
    ) -> Result<(), OpError> {
        let unit = self.unit(robot)?;
        // Both locks to the end: the robot is not claimed, armed or locked out while it leaves.
        let _claims = unit.claims.lock().await;
        let _locking = unit.locking.lock().await;
        // Read before the check, so that a stop that comes during it shows as a difference below.
        let bound = self.stops.binding(robot);
        check(self, &unit)?;
        // Tasks that still have the handle of the robot can send nothing through it any more.
        unit.fence.engage();
        write(&self.units).remove(robot);
        // A stop that came since has reached the robot and names it in its record, so the robot stays.
        let gone = if self.stops.binding(robot) == bound {
            put_aside.await
        } else {
            let message = format!("{robot} was stopped while it was being removed. It is still here.");
            Err(OpError::new(FleetCode::StoppedMeanwhile, message))
        };
        if let Err(error) = gone {
            write(&self.units).insert(robot.clone(), Arc::clone(&unit));
            supervision::step(self, &unit, CauseSet::EMPTY, None);
            self.tell_safety(&[Arc::clone(&unit)]);
            return Err(error);
        }
        unit.forget_subscriptions();
        if self.resources.revoke(robot, |_| false).is_err() {
            tracing::error!(%robot, "the leases of a removed robot cannot be ended");
        }
        self.fallbacks.forget(robot);
        for stop_id in bound {
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
