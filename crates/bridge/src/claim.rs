//! Claiming a robot for this station, and releasing its stops.

use crate::envelope::{Claim, OpenStop, Release, encode};
use crate::link::put;
use crate::{BridgeError, RobotLink};

impl RobotLink {
    /// Asks the robot's gate to take commands of this station under `epoch`; the answer is an acknowledgement.
    pub fn claim(&self, epoch: u64) -> Result<(), BridgeError> {
        let claim = Claim { robot: self.robot.clone(), station: self.station.clone(), epoch };
        put(&self.claims, encode(&claim)?)
    }

    /// Asks the gate to unlatch. `epoch` must be above the one the robot was stopped under, and `stops` exactly what
    /// is open there.
    pub fn release(&self, epoch: u64, stops: &[OpenStop]) -> Result<(), BridgeError> {
        let release =
            Release { robot: self.robot.clone(), station: self.station.clone(), epoch, stops: stops.to_vec() };
        put(&self.releases, encode(&release)?)
    }
}
