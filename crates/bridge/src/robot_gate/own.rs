//! State that a robot reports to its gate. Every measurement has its time, so that a dead sensor is never taken for a
//! robot at rest.

use robot::Instant;
use safety::{Fresh, GATE_AGE_MS_MAX, JointPositions, Measured, MovingTransform, Pose};

/// The robot's own state at the moment of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnState {
    /// Pose of its tool point or base centre, with its time by the gate's clock; a robot of switches has none.
    pub pose: Option<Measured<Pose>>,
    /// Its measured joints; needed for joint goals.
    pub joints: Option<Measured<JointPositions>>,
    /// The newest of each transform that moves; needed for motion in such a frame.
    pub transforms: Vec<Measured<MovingTransform>>,
    /// Its speed, with the time of measurement by the gate's clock: the time of the encoder's last word, not of the
    /// message. Without it, or once it is older than 500 ms, nothing through space is admitted and the robot is not
    /// said to stand. A robot of switches alone reports 0, of now.
    pub speed: Option<Measured<MeasuredSpeed>>,
    /// True while somebody at the robot, with a pendant, has control.
    pub local: bool,
}

/// Speed of the robot, as it measures it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredSpeed {
    /// Metres per second.
    pub speed_mps: f64,
    /// True if that counts as standing still by the robot's manifest.
    pub standstill: bool,
}

impl OwnState {
    /// Its speed, if that is a finite number and was measured lately.
    #[must_use]
    pub fn speed_at(&self, now: Instant) -> Option<Measured<MeasuredSpeed>> {
        let speed = Fresh::from(self.speed.clone());
        speed.measured(now, GATE_AGE_MS_MAX).ok().filter(|speed| speed.value.speed_mps.is_finite()).cloned()
    }

    /// True if it is measured to stand still; unknown is not still.
    #[must_use]
    pub fn stands(&self, now: Instant) -> bool {
        self.speed_at(now).is_some_and(|speed| speed.value.standstill)
    }
}
