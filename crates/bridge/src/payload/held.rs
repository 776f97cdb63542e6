//! Messages that are kept as they came until somebody looks: pictures, detections and maps. Their bytes are shared with
//! the transport and copied when they are read.

use std::sync::Arc;

use robot::{DetectionEncoding, DetectionFault, MapFault, Now, PictureEncoding, PictureFault};

use crate::payload::detections::{DETECTIONS_BYTES_MAX, Detection, read_detections};
use crate::payload::grid::{GRID_BYTES_MAX, Grid};
use crate::payload::picture::{Jpeg, bytes_max, read_picture};

/// A message as it came.
#[derive(Debug, Clone)]
pub struct HeldMessage {
    sample: Arc<zenoh::sample::Sample>,
    received: Now,
}

impl HeldMessage {
    pub(crate) fn new(sample: zenoh::sample::Sample, received: Now) -> Self {
        Self { sample: Arc::new(sample), received }
    }

    /// Both clocks at its arrival.
    #[must_use]
    pub const fn received(&self) -> Now {
        self.received
    }

    /// The JPEG in a message of a camera.
    pub fn picture(&self, encoding: PictureEncoding) -> Result<Jpeg, PictureFault> {
        // Asked before the bytes are copied into one piece.
        if self.sample.payload().len() > bytes_max(encoding) {
            return Err(PictureFault::TooLarge);
        }
        read_picture(encoding, &Arc::from(self.sample.payload().to_bytes().as_ref()))
    }

    /// The objects in a message of a detector, the most confident first.
    pub fn detections(&self, encoding: DetectionEncoding) -> Result<Vec<Detection>, DetectionFault> {
        if self.sample.payload().len() > DETECTIONS_BYTES_MAX {
            return Err(DetectionFault::TooLarge);
        }
        read_detections(encoding, &self.sample.payload().to_bytes())
    }

    /// The grid in a message of a map.
    pub fn grid(&self) -> Result<Grid, MapFault> {
        if self.sample.payload().len() > GRID_BYTES_MAX {
            return Err(MapFault::TooLarge);
        }
        Grid::read(&self.sample.payload().to_bytes())
    }
}
