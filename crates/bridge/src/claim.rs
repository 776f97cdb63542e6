//! Claiming a robot for this station, and releasing its stops.

use std::sync::atomic::Ordering;

use crate::envelope::{Claim, OpenStop, Release};
use crate::{BridgeError, RobotLink};

/// How long a claim outlives the last beat, milliseconds: a station that is gone keeps no other from the robot.
const CLAIM_TTL_MS: u32 = 2_000;

impl RobotLink {
    /// Asks the robot's gate to take commands of this station under `epoch`; the answer is an acknowledgement.
    pub fn claim(&self, epoch: u64) -> Result<(), BridgeError> {
        let (robot, station) = (self.robot.clone(), self.station.clone());
        self.epoch_claimed.fetch_max(epoch, Ordering::AcqRel);
        self.claims.put(&Claim { robot, station, epoch, ttl_ms: CLAIM_TTL_MS })
    }

    /// Asks the gate to unlatch. `epoch` must be above the one the robot was stopped under, and `stops` exactly what
    /// is open there.
    pub fn release(&self, epoch: u64, stops: &[OpenStop]) -> Result<(), BridgeError> {
        let release =
            Release { robot: self.robot.clone(), station: self.station.clone(), epoch, stops: stops.to_vec() };
        self.releases.put(&release)
    }
}
