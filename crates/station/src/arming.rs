//! Arming: one explicit act that lets motion pass, and what the robot's gate must confirm for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bridge::envelope::{Ack, OpenStop, Status, Subject};
use robot::{GateKind, Instant, RobotId};

use crate::audit::Happening;
use crate::error::{ErrorKind, OpError};
use crate::session::Session;
use crate::station::Station;
use crate::unit::RobotUnit;
use crate::wire::{LinkState, RobotSafety};

/// How long the robot's gate may take to confirm a claim or a release.
const CONFIRM_WAIT: Duration = Duration::from_secs(1);

/// Lets motion of `robot` pass, if everything that must hold does.
pub(crate) async fn arm(station: &Arc<Station>, by: &Session, robot: &RobotId) -> Result<RobotSafety, OpError> {
    let unit = station.unit(robot)?;
    check_armable(station, &unit)?;
    // Read before anything waits: a stop pressed meanwhile raises it, and arming then comes to nothing.
    let generation = unit.fence.generation();
    let epoch = unit.claim(station, by).await?;
    let armed = {
        let mut control = unit.control();
        unit.fence.set_epoch(epoch);
        let released = control.open_stops.is_empty() && unit.fence.release(generation).is_some();
        if released {
            control.armed = true;
            control.first_motion = true;
        }
        released
    };
    station.tell_safety(std::slice::from_ref(&unit));
    if armed {
        return Ok(unit.safety(station.clock.now().station));
    }
    Err(OpError::conflict("stopped_meanwhile", format!("{robot} was stopped while it was being armed.")))
}

/// Ends motion permission of `robot`. Never refused.
pub(crate) fn disarm(station: &Station, robot: &RobotId) -> Result<RobotSafety, OpError> {
    let unit = station.unit(robot)?;
    unit.disarm();
    station.tell_safety(std::slice::from_ref(&unit));
    Ok(unit.safety(station.clock.now().station))
}

fn check_armable(station: &Station, unit: &RobotUnit) -> Result<(), OpError> {
    let refused = |message: String| Err(OpError::conflict("not_armable", message));
    let open = station.stops.binding(unit.id());
    if !open.is_empty() || station.stops.station_bound() {
        let message = format!("A stop is open for {}. Release it first.", unit.id());
        return Err(OpError::conflict("latched", message).with(serde_json::json!({ "stop_ids": open })));
    }
    if unit.manifest.gate == GateKind::None {
        return refused(format!("{} has no gate that could hold it; it can be watched, not commanded.", unit.id()));
    }
    let now = station.clock.now().station;
    match unit.link_state(now) {
        LinkState::Live => {}
        LinkState::Late | LinkState::Lost | LinkState::Never => {
            return refused(format!("{} does not answer. Check its link.", unit.id()));
        }
    }
    match unit.limits.load().arming_problem(&unit.robot_state(), now) {
        Some(problem) => refused(format!("{} cannot be armed: {problem}.", unit.id())),
        None => Ok(()),
    }
}

impl RobotUnit {
    /// Ends motion permission: the fence first, so that nothing is sent in between.
    pub(crate) fn disarm(&self) {
        self.fence.engage();
        self.control().armed = false;
    }

    /// Raises the epoch on disk, then claims the robot under it. Older commands are refused from here on.
    async fn claim(&self, station: &Arc<Station>, by: &Session) -> Result<u64, OpError> {
        let at_gate = self.control().beats.gate_epoch;
        let epoch = station.db.raise_epoch(self.id(), at_gate).await?;
        let raised = Happening::by(by, "epoch", "ok").about(format!("robot={}", self.id()));
        station.audit.commit(Happening { epoch: Some(epoch), ..raised }).await?;
        {
            let mut control = self.control();
            control.epoch = epoch;
            control.seq = 0;
        }
        self.confirm(station, Subject::Claim { station: station.id.clone(), epoch }, || self.link.claim(epoch)).await?;
        Ok(epoch)
    }

    /// Claims the robot anew and ends `stop_ids` at its gate.
    pub(crate) async fn release_at_robot(
        &self,
        station: &Arc<Station>,
        by: &Session,
        stop_ids: &BTreeSet<u64>,
    ) -> Result<(), OpError> {
        if self.manifest.gate == GateKind::None {
            return Ok(());
        }
        let epoch = self.claim(station, by).await?;
        // The gate wants exactly what it holds: ours, and those of other stations that were taken over here.
        let bound = station.stops.binding(self.id());
        let ours = stop_ids.intersection(&bound).map(|id| OpenStop { station: station.id.clone(), stop_id: *id });
        let held = self.control().beats.gate_stops.clone();
        let stops: Vec<_> = ours.chain(held.into_iter().filter(|stop| stop.station != station.id)).collect();
        for stop_id in stop_ids {
            self.link.stop_done(*stop_id);
        }
        let subject = Subject::Release { station: station.id.clone(), epoch };
        self.confirm(station, subject, || self.link.release(epoch, &stops)).await
    }

    /// Puts a message and waits for the gate's word on it.
    async fn confirm(
        &self,
        station: &Station,
        subject: Subject,
        put: impl FnOnce() -> Result<(), bridge::BridgeError>,
    ) -> Result<(), OpError> {
        let mut acks = station.acks.subscribe();
        put().map_err(|error| OpError::new(ErrorKind::Unavailable, error.code(), error.to_string()))?;
        let answer = tokio::time::timeout(CONFIRM_WAIT, async {
            loop {
                match acks.recv().await {
                    Ok(ack) if Ack::clone(&ack).robot == *self.id() && ack.subject == subject => {
                        return Some(ack.status);
                    }
                    Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return None,
                }
            }
        })
        .await;
        match answer {
            Ok(Some(Status::Received | Status::Running | Status::Done)) => Ok(()),
            Ok(Some(Status::Refused(reason))) => {
                let message = format!("The gate of {} refused: {reason:?}.", self.id());
                Err(OpError::conflict("refused_by_robot", message))
            }
            Ok(Some(Status::Failed(_)) | None) | Err(_) => {
                let message = format!("{} did not confirm within {} ms.", self.id(), CONFIRM_WAIT.as_millis());
                Err(OpError::new(ErrorKind::Unavailable, "robot_unreachable", message))
            }
        }
    }

    /// The newest speed that is not older than the pose may be: the robot's own velocity, else its gate's.
    pub(crate) fn measured_speed_mps(&self, now: Instant) -> Option<f64> {
        let measured = self.measurements();
        let fresh = measured.speed_mps.as_ref().filter(|speed| now.ms_since(speed.observed) <= self.pose_max_age_ms());
        let of_gate = || {
            let control = self.control();
            control
                .beats
                .speed_mps
                .filter(|_| crate::unit::link_state(control.beats.last_answer, now) == LinkState::Live)
        };
        fresh.map(|speed| speed.value).or_else(of_gate)
    }
}
