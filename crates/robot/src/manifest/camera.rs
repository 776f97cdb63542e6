//! Cameras of a robot: where their pictures are, and how old one may be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::CameraId;

/// The most cameras of one robot: a picture from every side and some in the hand.
pub(super) const CAMERAS_MAX: usize = 8;
/// Legal pictures per second.
pub(super) const RATE_HZ: std::ops::RangeInclusive<f64> = 0.1..=120.0;
/// Legal greatest age of a picture, milliseconds.
pub(super) const MAX_AGE_MS: std::ops::RangeInclusive<u64> = 100..=60_000;

/// A camera of a robot.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Its name.
    pub id: CameraId,
    /// Key expression of its pictures, without wildcards.
    pub key: String,
    /// Form of its messages.
    pub encoding: PictureEncoding,
    /// Pictures per second that it sends.
    pub rate_hz: f64,
    /// An older picture is marked as old, milliseconds.
    #[serde(default = "max_age_default")]
    pub max_age_ms: u64,
    /// Objects that a detector finds in its pictures; `None` if nobody looks for any.
    #[serde(default)]
    pub detections: Option<DetectionSource>,
}

/// Detections in the pictures of a camera.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectionSource {
    /// Key expression of its messages, without wildcards.
    pub key: String,
    /// Form of its messages.
    pub encoding: DetectionEncoding,
}

fn max_age_default() -> u64 {
    2_000
}

/// Form of a camera's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PictureEncoding {
    /// The bytes of a JPEG file.
    Jpeg,
    /// `sensor_msgs/CompressedImage` of ROS 2 in CDR, with a JPEG inside.
    CompressedImage,
    /// `sensor_msgs/Image` of ROS 2 in CDR, without compression.
    Image,
}

/// Form of a detector's messages. Boxes are in pixels of the camera's picture, from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectionEncoding {
    /// An array of `{label, confidence, bbox: {x1, y1, x2, y2}}` in JSON, or an object that has it as `detections`.
    Json,
    /// `vision_msgs/Detection2DArray` of ROS 2 (from Humble on) in CDR.
    Detection2dArray,
}
