//! What is measured about a robot at one moment: the input of every judgement that is not the command.

use robot::{FrameId, Instant, UnitQuaternion};

/// A value and when it was observed.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured<T> {
    /// The value.
    pub value: T,
    /// Station clock at which it was true.
    pub observed: Instant,
}

/// How far in the future a stamp may lie and still count: two threads read the clock in either order.
const FUTURE_TOLERANCE_MS: u64 = 100;

/// True if a thing of `stamp` is at most `age_ms_max` old at `now`. A stamp from the far future is not fresh.
pub(crate) fn is_fresh(stamp: Instant, now: Instant, age_ms_max: u64) -> bool {
    now.since(stamp) <= std::time::Duration::from_millis(age_ms_max) && stamp.ms_since(now) <= FUTURE_TOLERANCE_MS
}

/// Where the tool point or base centre is.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// The frame of the numbers.
    pub frame: FrameId,
    /// Metres.
    pub position_m: [f64; 3],
    /// Orientation, if the robot reports one.
    pub orientation: Option<UnitQuaternion>,
}

/// One consistent picture of a robot, numbered so that a verdict can name the picture it used.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotState {
    /// Rises with every change of the picture.
    pub snapshot_seq: u64,
    /// The measured pose; a robot of switches alone has none.
    pub pose: Option<Measured<Pose>>,
    /// The measured speed, metres per second.
    pub speed_mps: Option<Measured<f64>>,
    /// Whether the robot is armed.
    pub armed: bool,
    /// Whether a stop is in force.
    pub latched: bool,
    /// Rises with every stop and every release.
    pub latch_generation: u64,
    /// The station's claim on the robot.
    pub epoch: u64,
}
