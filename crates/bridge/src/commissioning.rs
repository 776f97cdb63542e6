//! Messages about commissioning between a station and a robot's gate.

use std::sync::atomic::Ordering;

use robot::{CommissioningStep, GateAccount, RobotId, StationId};
use serde::{Deserialize, Serialize};

use crate::{BridgeError, RobotLink};

/// Station to gate: a person wants this step, and says so again and again while holding the button.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommissionMessage {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The station that asks, which has claimed the robot for commissioning.
    pub station: StationId,
    /// The claim it is sent under.
    pub epoch: u64,
    /// Rises with every message of an epoch.
    pub n: u64,
    /// The person who holds the button.
    pub person: String,
    /// The wish.
    pub act: CommissionAct,
}

/// A wish of a person who commissions a robot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommissionAct {
    /// Carry out this step, or go on with it.
    Run(CommissioningStep),
    /// The button was let go. A hardware stop that was to be pressed has been, and nothing was seen of it.
    LetGo,
    /// An Admin accepts, for this reason, that the robot keeps moving when its gate dies.
    Accept(String),
}

/// Gate to station: an account of itself, once a second and whenever it changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateReport {
    /// The robot that speaks.
    pub robot: RobotId,
    /// Number of starts of the gate.
    pub boot: u64,
    /// Rises with every report of a start.
    pub n: u64,
    /// The account.
    pub account: GateAccount,
}

impl GateReport {
    /// True if it is newer than `last`: a recording is not.
    #[must_use]
    pub fn is_newer_than(&self, last: &Self) -> bool {
        (self.boot, self.n) > (last.boot, last.n)
    }
}

impl RobotLink {
    /// Tells the gate what a person wants of the commissioning; gives the number that its acknowledgement carries.
    pub fn commission(&self, n: u64, epoch: u64, person: String, act: CommissionAct) -> Result<(), BridgeError> {
        let (robot, station) = (self.robot.clone(), self.station.clone());
        self.commissions.put(&CommissionMessage { robot, station, epoch, n, person, act })
    }

    /// Number of the next message about commissioning.
    #[must_use]
    pub fn next_commission(&self) -> u64 {
        self.commission_put.fetch_add(1, Ordering::AcqRel) + 1
    }
}
