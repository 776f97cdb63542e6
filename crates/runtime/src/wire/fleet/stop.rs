//! STOP ALL as screens see it.

use robot::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use safety::fallback::{FallbackClass, FallbackOutcome, FallbackStep};

use crate::wire::{StopBehaviourName, StopReason};

/// The reaction to one class of failure of one robot, and the progress of its newest run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FallbackRow {
    /// The robot.
    pub robot: RobotId,
    /// The class of failure.
    pub class: FallbackClass,
    /// The steps in order.
    pub steps: Vec<FallbackStepRow>,
    /// Station clock at the beginning of the newest run, milliseconds; none before the first.
    #[ts(type = "number | null")]
    pub begun_mono_ms: Option<u64>,
    /// The trigger of that run.
    pub why: Option<String>,
    /// The code of that trigger, with what it names.
    pub why_kind: Option<StopReason>,
}

/// A step and how far it got.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FallbackStepRow {
    /// The step.
    pub step: FallbackStep,
    /// Its outcome in the newest run; none if it was not reached.
    pub outcome: Option<FallbackOutcome>,
    /// When that was seen, milliseconds after the run began.
    #[ts(type = "number | null")]
    pub after_ms: Option<u64>,
}

/// One stop and how far it got.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Stop {
    /// Rises with every stop of this station.
    #[ts(type = "number")]
    pub stop_id: u64,
    /// The actor who stopped.
    pub by: String,
    /// The reason, if one was given.
    pub reason: Option<String>,
    /// The code of that reason, with what it names; null for a stop that an older version of the station has kept.
    pub reason_kind: Option<StopReason>,
    /// Station clock, milliseconds; 0 for a stop of an earlier run.
    #[ts(type = "number")]
    pub at_mono_ms: u64,
    /// Unix milliseconds.
    #[ts(type = "number")]
    pub at: i64,
    /// True while it binds a robot.
    pub open: bool,
    /// True once it is on disk.
    pub latch_saved: bool,
    /// Per robot, by id.
    pub robots: Vec<StopRobot>,
}

/// The response of one robot to a stop. Sent, acknowledged and standstill are three separate facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StopRobot {
    /// The robot.
    pub robot: RobotId,
    /// Milliseconds from the press to the first put.
    pub sent_after_ms: Option<f64>,
    /// Milliseconds from the press to the robot's acknowledgement.
    pub acked_after_ms: Option<f64>,
    /// Milliseconds from the press until the robot, having acknowledged it, was seen standing still.
    pub standstill_after_ms: Option<f64>,
    /// Last speed the robot reported, metres per second.
    pub speed_mps: Option<f64>,
    /// True if it was seen standing still; null without a fresh measured speed.
    pub standstill: Option<bool>,
    /// True once this robot was released.
    pub released: bool,
    /// The behaviour on a stop.
    pub behaviour: StopBehaviourName,
    /// An acknowledgement later than this is missing, milliseconds.
    pub ack_ms: u32,
    /// Location of the hardware stop, for people.
    pub hardware_estop: String,
    /// True if no acknowledgement came in time.
    pub not_confirmed: bool,
}

/// One test of the stop path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DrillRow {
    /// The number of its stop.
    #[ts(type = "number")]
    pub stop_id: u64,
    /// The robot.
    pub robot: RobotId,
    /// The person who ran it.
    pub by: String,
    /// Unix milliseconds.
    #[ts(type = "number")]
    pub at: i64,
    /// Milliseconds from the press to the robot's acknowledgement; none if it did not come.
    pub acked_after_ms: Option<f64>,
    /// Milliseconds from the press until the robot was seen standing still; none if it was not.
    pub standstill_after_ms: Option<f64>,
}

impl From<memory::StoredDrill> for DrillRow {
    fn from(stored: memory::StoredDrill) -> Self {
        let memory::StoredDrill { stop_id, robot, by, at_ms, acked_ms, standstill_ms } = stored;
        Self { stop_id, robot, by, at: at_ms, acked_after_ms: acked_ms, standstill_after_ms: standstill_ms }
    }
}

/// The answer of `run_stop_drill`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DrillRun {
    /// The measured times. A robot's acknowledgement counts once everything behind its gate has answered.
    pub drill: DrillRow,
    /// Names of what did not answer the stop behind the robot's gate.
    pub unanswered: Vec<String>,
    /// False if the robot stays stopped: another stop came, or it could not be let go.
    pub released: bool,
}

/// The answer of `stop_all` and `stop_robot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StopPressed {
    /// The stop's number.
    #[ts(type = "number")]
    pub stop_id: u64,
    /// True if it was on disk when this was answered.
    pub latch_saved: bool,
    /// The robots it was sent to.
    pub robots: Vec<RobotId>,
}

/// The answer of `release_stop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Released {
    /// Robots that take commands again once armed.
    pub released: Vec<RobotId>,
    /// Robots that stay stopped, by stop number.
    pub open: BTreeMap<String, Vec<RobotId>>,
}
