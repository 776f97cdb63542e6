//! Faults of a camera's messages, and of those of a detector that looks through it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Reason for which a camera's message is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PictureFault {
    /// It has more than 4 MiB, or more than 8 MiB without compression.
    TooLarge,
    /// A `sensor_msgs/CompressedImage` was declared, and it is none.
    NotCompressedImage,
    /// A `sensor_msgs/Image` was declared, and it is none.
    NotImage,
    /// The encoding of its pixels is none that is shown.
    UnknownPixels,
    /// It is no JPEG: a PNG, for example, or anything else.
    NotJpeg,
    /// The picture breaks off.
    Truncated,
    /// It has more than 8192 pixels in a row or a column, or more than 32 million.
    TooManyPixels,
}

/// Reason for which the detections in a camera's pictures are not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum DetectionFault {
    /// Their message has more than 256 KiB.
    TooLarge,
    /// The message is none of the form that was declared.
    NotDetections,
}
