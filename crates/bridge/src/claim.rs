//! Claiming a robot for this station, and releasing its stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use robot::{RobotId, StationId};

use crate::BridgeError;
use crate::envelope::{Claim, OpenStop, Release};
use crate::signing::SignedPublisher;

/// Publishers of claims and releases to one robot, apart from its [`RobotLink`](crate::RobotLink): whoever holds them
/// alone makes claims that follow one another.
pub struct Claims {
    pub(crate) robot: RobotId,
    pub(crate) station: StationId,
    pub(crate) claims: SignedPublisher,
    pub(crate) releases: SignedPublisher,
    /// The newest epoch that was claimed, which beats carry.
    pub(crate) epoch_claimed: Arc<AtomicU64>,
}

impl Claims {
    /// Asks the robot's gate to take commands of this station under `epoch`; the answer is an acknowledgement. The
    /// claim outlives the last beat by `ttl_ms`: a station that is gone keeps no other from the robot. One for
    /// `commissioning` lets nothing but its steps pass.
    pub fn claim(&self, epoch: u64, ttl_ms: u32, commissioning: bool) -> Result<(), BridgeError> {
        let (robot, station) = (self.robot.clone(), self.station.clone());
        // Before the put, so that the very next beat renews the new claim and not the old one.
        self.epoch_claimed.fetch_max(epoch, Ordering::AcqRel);
        self.claims.put(&Claim { robot, station, epoch, ttl_ms, commissioning })
    }

    /// Asks the gate to unlatch. `epoch` must be above the one the robot was stopped under, and `stops` hold everything
    /// that is open there.
    pub fn release(&self, epoch: u64, stops: &[OpenStop]) -> Result<(), BridgeError> {
        let release =
            Release { robot: self.robot.clone(), station: self.station.clone(), epoch, stops: stops.to_vec() };
        self.releases.put(&release)
    }
}
