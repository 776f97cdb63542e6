//! `sensor_msgs/CompressedImage` of ROS 2 as it goes over the wire: `{header: {stamp: {sec, nanosec}, frame_id}, format,
//! data}` in CDR, each field at a multiple of its size behind the four bytes of the encapsulation.

use std::ops::Range;

/// Bytes before the message: two name the representation, two are options.
const ENCAPSULATION_BYTES: usize = 4;
/// The longest frame or format; drivers write a few words.
const TEXT_BYTES_MAX: usize = 1_024;

/// The place of the picture in a message; `None` if it is no such message.
pub(super) fn data(message: &[u8]) -> Option<Range<usize>> {
    let is_little_endian = match message.get(..2)? {
        [0, 0] => false,
        [0, 1] => true,
        _ => return None,
    };
    let mut reader = Reader { message, at: ENCAPSULATION_BYTES, is_little_endian };
    let (_sec, _nanosec) = (reader.u32()?, reader.u32()?);
    let (_frame_id, _format) = (reader.text()?, reader.text()?);
    let bytes = reader.length()?;
    let place = reader.at..reader.at.checked_add(bytes)?;
    // Padding up to the next multiple of four may follow, nothing else.
    (place.end <= message.len() && message.len() - place.end < 4).then_some(place)
}

/// A message that `data` reads, for robots that speak ROS 2 and for tests. `stamp_ms` are Unix milliseconds.
#[must_use]
pub fn write_compressed_image(frame_id: &str, stamp_ms: i64, jpeg: &[u8]) -> Vec<u8> {
    let mut message = vec![0, 1, 0, 0];
    let sec = i32::try_from(stamp_ms.div_euclid(1_000)).unwrap_or_default();
    let nanosec = u32::try_from(stamp_ms.rem_euclid(1_000)).unwrap_or_default() * 1_000_000;
    message.extend(sec.to_le_bytes());
    message.extend(nanosec.to_le_bytes());
    for text in [frame_id, "jpeg"] {
        write_length(&mut message, text.len() + 1);
        message.extend(text.as_bytes());
        message.push(0);
    }
    write_length(&mut message, jpeg.len());
    message.extend(jpeg);
    message
}

fn write_length(message: &mut Vec<u8>, length: usize) {
    message.resize(message.len().next_multiple_of(4), 0);
    message.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

struct Reader<'a> {
    message: &'a [u8],
    at: usize,
    is_little_endian: bool,
}

impl<'a> Reader<'a> {
    fn u32(&mut self) -> Option<u32> {
        // The encapsulation has four bytes, so places in the message and behind it are aligned alike.
        let at = self.at.next_multiple_of(4);
        let bytes = self.message.get(at..at + 4)?.try_into().ok()?;
        self.at = at + 4;
        Some(if self.is_little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.u32()?).ok()
    }

    /// A text with the zero that ends it.
    fn text(&mut self) -> Option<&'a str> {
        let bytes = self.length().filter(|bytes| (1..=TEXT_BYTES_MAX).contains(bytes))?;
        let text = self.message.get(self.at..self.at + bytes)?.strip_suffix(&[0])?;
        self.at += bytes;
        std::str::from_utf8(text).ok()
    }
}
