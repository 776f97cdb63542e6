//! The parts of a JPEG file (ITU-T T.81, annex B): markers with segments up to the first scan, then its end.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use robot::PictureFault;

/// The most pixels in a row or a column.
const SIDE_PX_MAX: u32 = 8_192;
/// The most pixels: a screen holds four bytes of each.
const PIXELS_MAX: u32 = 32_000_000;
const START: [u8; 2] = [0xff, 0xd8];
const END: [u8; 2] = [0xff, 0xd9];
const COMMENT: u8 = 0xfe;
const SCAN: u8 = 0xda;

/// A JPEG whose parts were walked; nothing in it was decoded.
#[derive(Clone, PartialEq, Eq)]
pub struct Jpeg {
    message: Arc<[u8]>,
    place: Range<usize>,
    /// Pixels in a row.
    pub width_px: u32,
    /// Pixels in a column.
    pub height_px: u32,
}

impl fmt::Debug for Jpeg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JPEG of {} x {} px, {} bytes", self.width_px, self.height_px, self.place.len())
    }
}

impl Jpeg {
    /// Walks the parts of the JPEG that lies at `place` in `message`.
    pub(super) fn read(message: Arc<[u8]>, place: Range<usize>) -> Result<Self, PictureFault> {
        let bytes = message.get(place.clone()).ok_or(PictureFault::Truncated)?;
        let [width_px, height_px] = size_px(bytes)?;
        check_size(width_px, height_px)?;
        Ok(Self { message, place, width_px, height_px })
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.message.get(self.place.clone()).unwrap_or_default()
    }

    /// The file with `comment` as its first segment. A longer text than a segment holds is left out.
    #[must_use]
    pub fn with_comment(&self, comment: &str) -> Vec<u8> {
        let rest = self.bytes().strip_prefix(&START).unwrap_or_default();
        let mut file = Vec::with_capacity(rest.len() + comment.len() + 6);
        file.extend(START);
        if let Ok(length) = u16::try_from(comment.len() + 2) {
            file.extend([0xff, COMMENT]);
            file.extend(length.to_be_bytes());
            file.extend(comment.as_bytes());
        }
        file.extend(rest);
        file
    }
}

/// Refuses a picture that a screen cannot hold.
pub(super) fn check_size(width_px: u32, height_px: u32) -> Result<(), PictureFault> {
    let within = |side_px: u32| (1..=SIDE_PX_MAX).contains(&side_px);
    // The sides first: their product then fits into 32 bits.
    let fits = within(width_px) && within(height_px) && width_px * height_px <= PIXELS_MAX;
    if fits { Ok(()) } else { Err(PictureFault::TooManyPixels) }
}

/// Width and height as the header of the frame says.
fn size_px(file: &[u8]) -> Result<[u32; 2], PictureFault> {
    let mut rest = file.strip_prefix(&START).ok_or(PictureFault::NotJpeg)?;
    let mut size_px = None;
    loop {
        let (marker, behind) = next_marker(rest)?;
        let length: [u8; 2] =
            behind.get(..2).and_then(|length| length.try_into().ok()).ok_or(PictureFault::Truncated)?;
        let length = usize::from(u16::from_be_bytes(length));
        let segment = behind.get(2..length.max(2)).ok_or(PictureFault::Truncated)?;
        if length < 2 {
            return Err(PictureFault::NotJpeg);
        }
        if is_frame(marker) {
            // Of two sizes it would be the decoder that chooses, after the smaller one was checked here.
            if size_px.is_some() {
                return Err(PictureFault::NotJpeg);
            }
            let [_, h1, h0, w1, w0, ..] = segment else { return Err(PictureFault::NotJpeg) };
            size_px = Some([[*w1, *w0], [*h1, *h0]].map(|side| u32::from(u16::from_be_bytes(side))));
        }
        rest = &behind[length..];
        // Compressed bytes follow, which only a decoder could walk.
        if marker == SCAN {
            break;
        }
    }
    let size_px = size_px.ok_or(PictureFault::NotJpeg)?;
    // Some drivers fill the last block of their buffer with zeros.
    let end = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    if rest[..end].ends_with(&END) { Ok(size_px) } else { Err(PictureFault::Truncated) }
}

/// The next marker, which has a segment, and the bytes behind it.
fn next_marker(rest: &[u8]) -> Result<(u8, &[u8]), PictureFault> {
    if rest.is_empty() {
        return Err(PictureFault::Truncated);
    }
    let filled = rest.iter().take_while(|byte| **byte == 0xff).count();
    if filled == 0 {
        return Err(PictureFault::NotJpeg);
    }
    let marker = *rest.get(filled).ok_or(PictureFault::Truncated)?;
    match marker {
        // A second start, an end before any picture, a restart or a zero: none of them stands in a header.
        0x00 | 0x01 | 0xd0..=0xd9 => Err(PictureFault::NotJpeg),
        marker => Ok((marker, &rest[filled + 1..])),
    }
}

/// True for the header of a frame that browsers decode: baseline, extended or progressive.
const fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xc2)
}
