//! `sensor_msgs/Image` of ROS 2: pixels as a camera has them. A
//! window shows JPEG, so they are made one when somebody looks.

use std::marker::PhantomData;
use std::sync::Arc;

use jpeg_encoder::{ColorType, Encoder};
use robot::PictureFault;
use serde::Deserialize;

use super::compressed_image::{write_header, write_length, write_text};
use super::jpeg::{Jpeg, check_size};

/// Compression that shows no blocks at the size of a pane.
const QUALITY: u8 = 80;

/// The fields of a message that make its picture.
#[derive(Deserialize)]
struct Image<'m> {
    height: u32,
    width: u32,
    encoding: &'m str,
    is_bigendian: u8,
    /// Bytes of a row.
    step: u32,
    data: &'m [u8],
}

/// The bytes of a pixel, and what of them is shown.
#[derive(Debug, Clone, Copy)]
enum Pixels {
    /// Three or four bytes, as the encoder names their order.
    Color(ColorType, usize),
    /// The byte at this place of so many.
    Grey { at: usize, of: usize },
    /// Distances: 16-bit integers or 32-bit floats. Far is bright.
    Depth { of: usize },
}

impl Pixels {
    /// Pixels by the name that `sensor_msgs/image_encodings` has for them.
    fn of(encoding: &str) -> Option<Self> {
        Some(match encoding {
            "rgb8" => Self::Color(ColorType::Rgb, 3),
            "bgr8" | "8UC3" => Self::Color(ColorType::Bgr, 3),
            "rgba8" => Self::Color(ColorType::Rgba, 4),
            "bgra8" | "8UC4" => Self::Color(ColorType::Bgra, 4),
            "mono8" | "8UC1" | "bayer_rggb8" | "bayer_bggr8" | "bayer_gbrg8" | "bayer_grbg8" => {
                Self::Grey { at: 0, of: 1 }
            }
            // YUY2 has its brightness in the even bytes and UYVY in the odd ones; colour is left out.
            "yuv422_yuy2" | "yuyv" => Self::Grey { at: 0, of: 2 },
            "yuv422" | "uyvy" => Self::Grey { at: 1, of: 2 },
            "mono16" | "16UC1" => Self::Depth { of: 2 },
            "32FC1" => Self::Depth { of: 4 },
            _ => return None,
        })
    }

    const fn bytes(self) -> usize {
        match self {
            Self::Color(_, bytes) => bytes,
            Self::Grey { of, .. } | Self::Depth { of } => of,
        }
    }
}

/// The picture in a message, as a JPEG.
pub(super) fn jpeg(message: &[u8]) -> Result<Jpeg, PictureFault> {
    let definition = ros2::built_in().get("sensor_msgs/msg/Image").ok_or(PictureFault::NotImage)?;
    let image: Image<'_> = ros2::read(message, definition, PhantomData).map_err(|_| PictureFault::NotImage)?;
    let pixels = Pixels::of(image.encoding).ok_or(PictureFault::UnknownPixels)?;
    let (Ok(width), Ok(height)) = (u16::try_from(image.width), u16::try_from(image.height)) else {
        return Err(PictureFault::TooManyPixels);
    };
    check_size(image.width, image.height)?;
    let rows = rows(&image, pixels.bytes()).ok_or(PictureFault::Truncated)?;
    let (bytes, color) = match pixels {
        Pixels::Color(color, _) => (rows.concat(), color),
        Pixels::Grey { at, of } => {
            let luma = rows.iter().flat_map(|row| row.chunks_exact(of).filter_map(|pixel| pixel.get(at).copied()));
            (luma.collect(), ColorType::Luma)
        }
        Pixels::Depth { of } => (depths(&rows, of, image.is_bigendian != 0), ColorType::Luma),
    };
    let mut file = Vec::new();
    Encoder::new(&mut file, QUALITY).encode(&bytes, width, height, color).map_err(|_| PictureFault::NotImage)?;
    let place = 0..file.len();
    Jpeg::read(Arc::from(file), place)
}

/// A message that `jpeg` reads, for robots that speak ROS 2 and for tests: pixels of three bytes, red, green and blue.
/// `stamp_ms` are Unix milliseconds.
#[must_use]
pub fn write_image(frame_id: &str, stamp_ms: i64, [width_px, height_px]: [u16; 2], pixels: &[u8]) -> Vec<u8> {
    let mut message = write_header(frame_id, stamp_ms);
    write_length(&mut message, usize::from(height_px));
    write_length(&mut message, usize::from(width_px));
    write_text(&mut message, "rgb8");
    message.push(0);
    write_length(&mut message, 3 * usize::from(width_px));
    write_length(&mut message, pixels.len());
    message.extend(pixels);
    message
}

/// The rows of a picture without what its camera leaves behind them; `None` if it breaks off.
fn rows<'m>(image: &Image<'m>, pixel_bytes: usize) -> Option<Vec<&'m [u8]>> {
    let (step, row_bytes) = (usize::try_from(image.step).ok()?, usize::try_from(image.width).ok()? * pixel_bytes);
    let row = |row: u32| {
        let begin = usize::try_from(row).ok()?.checked_mul(step)?;
        image.data.get(begin..begin.checked_add(row_bytes)?)
    };
    if step < row_bytes { None } else { (0..image.height).map(row).collect() }
}

/// Distances as grey, from black for none to white for the farthest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 255 is within a byte")]
fn depths(rows: &[&[u8]], of: usize, is_big_endian: bool) -> Vec<u8> {
    let depth = |pixel: &[u8]| match (pixel, is_big_endian) {
        ([a, b], false) => f32::from(u16::from_le_bytes([*a, *b])),
        ([a, b], true) => f32::from(u16::from_be_bytes([*a, *b])),
        ([a, b, c, d], false) => f32::from_le_bytes([*a, *b, *c, *d]),
        ([a, b, c, d], true) => f32::from_be_bytes([*a, *b, *c, *d]),
        (_, _) => 0.0,
    };
    let depths: Vec<f32> = rows.iter().flat_map(|row| row.chunks_exact(of).map(depth)).collect();
    // Never zero: a picture without any distance is divided by it too.
    let farthest = depths.iter().copied().filter(|depth| depth.is_finite()).fold(f32::MIN_POSITIVE, f32::max);
    depths.iter().map(|depth| (depth / farthest * 255.0) as u8).collect()
}
