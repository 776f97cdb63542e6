//! Pictures of cameras: messages are kept as they came until somebody looks, and read then. A JPEG is never decoded here:
//! its parts are walked, so that what a screen decodes is a JPEG of a size that it can hold. Bare pixels are made a JPEG.

mod compressed_image;
mod image;
mod jpeg;

use std::sync::Arc;

use robot::{Now, PictureEncoding, PictureFault};

pub use compressed_image::write_compressed_image;
pub use image::write_image;
pub use jpeg::Jpeg;

/// The largest message of a camera that is read, bytes: a sharp picture of eight megapixels.
pub const PICTURE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The largest message without compression, bytes: two megapixels in colour.
const PIXELS_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A camera's message as it came; its bytes are shared with the transport and copied when it is read.
#[derive(Debug, Clone)]
pub struct PictureMessage {
    sample: Arc<zenoh::sample::Sample>,
    received: Now,
}

impl PictureMessage {
    pub(crate) fn new(sample: zenoh::sample::Sample, received: Now) -> Self {
        Self { sample: Arc::new(sample), received }
    }

    /// Both clocks at its arrival.
    #[must_use]
    pub const fn received(&self) -> Now {
        self.received
    }

    /// The JPEG in it.
    pub fn read(&self, encoding: PictureEncoding) -> Result<Jpeg, PictureFault> {
        if self.sample.payload().len() > bytes_max(encoding) {
            return Err(PictureFault::TooLarge);
        }
        read_picture(encoding, &Arc::from(self.sample.payload().to_bytes().as_ref()))
    }
}

const fn bytes_max(encoding: PictureEncoding) -> usize {
    match encoding {
        PictureEncoding::Jpeg | PictureEncoding::CompressedImage => PICTURE_BYTES_MAX,
        PictureEncoding::Image => PIXELS_BYTES_MAX,
    }
}

/// The JPEG in the bytes of a camera's message.
pub fn read_picture(encoding: PictureEncoding, payload: &Arc<[u8]>) -> Result<Jpeg, PictureFault> {
    let place = match encoding {
        PictureEncoding::Jpeg => 0..payload.len(),
        PictureEncoding::CompressedImage => compressed_image::data(payload).ok_or(PictureFault::NotCompressedImage)?,
        PictureEncoding::Image => return image::jpeg(payload),
    };
    Jpeg::read(Arc::clone(payload), place)
}

#[cfg(test)]
mod tests;
