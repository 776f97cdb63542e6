//! Pictures of cameras: messages are kept as they came until somebody looks, and
//! read then. A JPEG is never decoded here: its parts are walked, so that what a
//! screen decodes is a JPEG of a size that it can hold. Bare pixels are made a JPEG.

mod compressed_image;
mod image;
mod jpeg;

use std::sync::Arc;

use robot::{PictureEncoding, PictureFault};

pub use compressed_image::write_compressed_image;
pub(crate) use compressed_image::{write_doubles, write_header, write_length, write_text};
pub use image::write_image;
pub use jpeg::Jpeg;

/// The largest message of a camera that is read, bytes: a sharp picture of eight megapixels.
pub const PICTURE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The largest message without compression, bytes: two megapixels in colour.
const PIXELS_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The largest message of a camera that is read, bytes.
pub(crate) const fn bytes_max(encoding: PictureEncoding) -> usize {
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
