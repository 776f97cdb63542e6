//! Cameras and their pictures as screens see them.

use robot::{Camera, CameraId, DetectionFault, PictureEncoding, PictureFault, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A camera of a robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CameraRow {
    /// Its name.
    pub id: CameraId,
    /// Form of its messages.
    pub encoding: PictureEncoding,
    /// Pictures per second that it should send.
    pub rate_hz: f64,
    /// An older picture is marked as old, milliseconds.
    #[ts(type = "number")]
    pub max_age_ms: u64,
}

impl From<&Camera> for CameraRow {
    fn from(camera: &Camera) -> Self {
        let Camera { id, encoding, rate_hz, max_age_ms, .. } = camera.clone();
        Self { id, encoding, rate_hz, max_age_ms }
    }
}

/// The facts about a camera. A host sends its newest picture in their place if it is newer than the one that the caller
/// has; the facts are then its first segment, a comment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CameraFrame {
    /// The robot.
    pub robot: RobotId,
    /// The camera.
    pub camera: CameraId,
    /// Station clock at the arrival of the newest picture, milliseconds; null until there is one.
    #[ts(type = "number | null")]
    pub observed_mono_ms: Option<u64>,
    /// True if that is later than the picture that the caller has.
    pub newer: bool,
    /// Pixels in a row.
    pub width_px: Option<u32>,
    /// Pixels in a column.
    pub height_px: Option<u32>,
    /// Messages per second that arrive, over the last two seconds.
    pub rate_hz: f64,
    /// The fault of the newest message, if it is not shown.
    pub fault: Option<PictureFault>,
    /// Objects that a detector finds in its pictures; null if the manifest names no detector.
    pub detections: Option<CameraDetections>,
}

/// Objects that a detector finds in the pictures of a camera.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CameraDetections {
    /// Station clock at the arrival of the newest message, milliseconds; null until there is one.
    #[ts(type = "number | null")]
    pub observed_mono_ms: Option<u64>,
    /// The fault of the newest message, if it cannot be shown.
    pub fault: Option<DetectionFault>,
    /// The objects of the newest message that can be shown, the most confident first, 64 at most.
    pub objects: Vec<DetectedObject>,
}

/// An object in a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DetectedObject {
    /// The class that the detector gives it, for example `person`; may be empty.
    pub label: String,
    /// 0 to 1; null if the detector gives no such number.
    pub confidence: Option<f64>,
    /// Upper left corner of its box, pixels to the right and down from that of the picture.
    pub min_px: [f64; 2],
    /// Lower right corner, in the same way.
    pub max_px: [f64; 2],
}
