//! `sensor_msgs/CompressedImage` of ROS 2 in CDR: a header, the name of a format, and a file of that format.

use std::marker::PhantomData;
use std::ops::Range;

use serde::Deserialize;

/// The field of a message that is its picture.
#[derive(Deserialize)]
struct CompressedImage<'m> {
    data: &'m [u8],
}

/// The place of the picture in a message; `None` if it is no such message.
pub(super) fn data(message: &[u8]) -> Option<Range<usize>> {
    let definition = ros2::built_in().get("sensor_msgs/msg/CompressedImage")?;
    let image: CompressedImage<'_> = ros2::read(message, definition, PhantomData).ok()?;
    // The reader borrows from `message`, so the place follows from the addresses and nothing is copied.
    let begin = image.data.as_ptr().addr().checked_sub(message.as_ptr().addr())?;
    Some(begin..begin + image.data.len())
}

/// A message that `data` reads, for robots that speak ROS 2 and for tests. `stamp_ms` are Unix milliseconds.
#[must_use]
pub fn write_compressed_image(frame_id: &str, stamp_ms: i64, jpeg: &[u8]) -> Vec<u8> {
    let mut message = write_header(frame_id, stamp_ms);
    write_text(&mut message, "jpeg");
    write_length(&mut message, jpeg.len());
    message.extend(jpeg);
    message
}

/// The beginning of a message: its encapsulation and its `std_msgs/Header`.
pub(crate) fn write_header(frame_id: &str, stamp_ms: i64) -> Vec<u8> {
    let mut message = vec![0, 1, 0, 0];
    let sec = i32::try_from(stamp_ms.div_euclid(1_000)).unwrap_or_default();
    let nanosec = u32::try_from(stamp_ms.rem_euclid(1_000)).unwrap_or_default() * 1_000_000;
    message.extend(sec.to_le_bytes());
    message.extend(nanosec.to_le_bytes());
    write_text(&mut message, frame_id);
    message
}

pub(crate) fn write_text(message: &mut Vec<u8>, text: &str) {
    write_length(message, text.len() + 1);
    message.extend(text.as_bytes());
    message.push(0);
}

pub(crate) fn write_length(message: &mut Vec<u8>, length: usize) {
    // The encapsulation has four bytes, so places in the message and behind it are aligned alike.
    message.resize(message.len().next_multiple_of(4), 0);
    message.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

pub(crate) fn write_doubles(message: &mut Vec<u8>, numbers: &[f64]) {
    // Doubles are aligned to eight bytes behind the encapsulation.
    message.resize((message.len() - 4).next_multiple_of(8) + 4, 0);
    numbers.iter().for_each(|number| message.extend(number.to_le_bytes()));
}
