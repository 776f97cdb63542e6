use std::sync::Arc;

use proptest::prelude::*;
use robot::{PictureEncoding, PictureFault};

use super::*;

/// The parts of a JPEG of `width_px` by `height_px` with a few bytes of a scan, as an encoder writes them.
fn jpeg([width_px, height_px]: [u16; 2]) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8, 0xff, 0xe0, 0, 16];
    file.extend(b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    file.extend([0xff, 0xff, 0xc0, 0, 11, 8]);
    file.extend(height_px.to_be_bytes());
    file.extend(width_px.to_be_bytes());
    file.extend([1, 1, 0x11, 0]);
    file.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    file.extend([0x12, 0x34, 0xff, 0x00, 0x56, 0xff, 0xd9]);
    file
}

fn read(encoding: PictureEncoding, payload: &[u8]) -> Result<[u32; 2], PictureFault> {
    read_picture(encoding, &Arc::from(payload)).map(|jpeg| [jpeg.width_px, jpeg.height_px])
}

#[test]
fn u_406_a_jpeg_is_read_for_its_size_and_everything_else_is_refused_by_name() {
    use PictureFault::{NotJpeg, TooManyPixels, Truncated};
    let whole = jpeg([320, 240]);
    let read = |payload: &[u8]| read(PictureEncoding::Jpeg, payload);
    assert_eq!(read(&whole), Ok([320, 240]));
    assert_eq!(read(&[whole.as_slice(), &[0; 64]].concat()), Ok([320, 240]), "a driver fills its buffer with zeros");
    assert_eq!(read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Err(NotJpeg));
    assert_eq!(read(b"{\"frame\": 1}"), Err(NotJpeg));
    assert_eq!(read(b""), Err(NotJpeg));
    assert_eq!(read(&[0xff, 0xd8, 0xff, 0xd9]), Err(NotJpeg), "an end before any picture");
    for bytes in 2..whole.len() {
        assert_eq!(read(&whole[..bytes]), Err(Truncated), "cut after {bytes} bytes");
    }
    let frame = |[w, h]: [u8; 2]| [0xff, 0xc0, 0, 11, 8, h, 0, w, 0, 1, 1, 0x11, 0];
    let twice = [&whole[..20], &frame([32, 32]), &frame([1, 1]), &whole[34..]].concat();
    assert_eq!(read(&twice), Err(NotJpeg), "one size for the check and another for the decoder");
    assert_eq!(read(&jpeg([0, 240])), Err(TooManyPixels));
    assert_eq!(read(&jpeg([8_193, 1])), Err(TooManyPixels));
    assert_eq!(read(&jpeg([8_192, 8_192])), Err(TooManyPixels));
}

#[test]
fn u_406_a_compressed_image_is_read_in_either_byte_order_and_refused_when_it_is_anything_else() {
    use PictureFault::{NotCompressedImage, NotJpeg, Truncated};
    let read = |payload: &[u8]| read(PictureEncoding::CompressedImage, payload);
    for frame_id in ["", "a", "ab", "abc", "camera_front_optical_frame"] {
        assert_eq!(read(&write_compressed_image(frame_id, 1_700_000_000_250, &jpeg([640, 480]))), Ok([640, 480]));
    }
    // As `ros2 topic pub` of a big-endian computer would put it: one text of five bytes, then one of five.
    let mut big = vec![0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5];
    big.extend(b"cam0\0\0\0\0\0\0\0\x05jpeg\0\0\0\0");
    big.extend(u32::try_from(jpeg([8, 8]).len()).unwrap().to_be_bytes());
    big.extend(jpeg([8, 8]));
    assert_eq!(read(&big), Ok([8, 8]));

    let whole = write_compressed_image("cam0", 0, &jpeg([8, 8]));
    for bytes in 0..whole.len() {
        assert_eq!(read(&whole[..bytes]), Err(NotCompressedImage), "cut after {bytes} bytes");
    }
    assert_eq!(read(&jpeg([8, 8])), Err(NotCompressedImage), "a bare JPEG");
    assert_eq!(read(&write_compressed_image("cam0", 0, b"\x89PNG\r\n\x1a\n")), Err(NotJpeg), "a PNG inside");
    let cut = jpeg([8, 8]);
    assert_eq!(read(&write_compressed_image("cam0", 0, &cut[..cut.len() - 1])), Err(Truncated));
    let mut endless = whole.clone();
    let length = whole.len() - jpeg([8, 8]).len() - 4;
    endless[length..length + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(read(&endless), Err(NotCompressedImage), "a length beyond the message");
}

/// A `sensor_msgs/Image` of 4 by 2 pixels in rows of `step` bytes.
fn image(encoding: &str, step: usize, data: &[u8]) -> Vec<u8> {
    let whole = write_image("cam0", 0, [4, 2], &[]);
    // Behind the size: the encoding, the byte order, the step and the pixels.
    let mut message = whole[..32].to_vec();
    let aligned = |message: &mut Vec<u8>, number: usize| {
        message.resize(message.len().next_multiple_of(4), 0);
        message.extend(u32::try_from(number).unwrap().to_le_bytes());
    };
    aligned(&mut message, encoding.len() + 1);
    message.extend(encoding.as_bytes());
    message.extend([0, 0]);
    aligned(&mut message, step);
    aligned(&mut message, data.len());
    message.extend(data);
    message
}

#[test]
fn u_406_pixels_of_every_encoding_that_is_shown_become_a_jpeg_of_their_size() {
    let read = |payload: &[u8]| read(PictureEncoding::Image, payload);
    assert_eq!(read(&write_image("cam0", 0, [4, 2], &[7; 24])), Ok([4, 2]));
    for (encoding, bytes) in [
        ("rgb8", 3),
        ("bgr8", 3),
        ("rgba8", 4),
        ("bgra8", 4),
        ("mono8", 1),
        ("8UC1", 1),
        ("bayer_rggb8", 1),
        ("yuv422", 2),
        ("yuv422_yuy2", 2),
        ("mono16", 2),
        ("16UC1", 2),
        ("32FC1", 4),
    ] {
        let row = 4 * bytes;
        assert_eq!(read(&image(encoding, row, &vec![9; 2 * row])), Ok([4, 2]), "{encoding}");
        let padded = [vec![9; row + 5], vec![9; row]].concat();
        assert_eq!(read(&image(encoding, row + 5, &padded)), Ok([4, 2]), "{encoding} with padding behind its rows");
    }
}

#[test]
fn u_406_pixels_that_are_missing_or_unknown_are_refused_by_name() {
    use PictureFault::{NotImage, TooManyPixels, Truncated, UnknownPixels};
    let read = |payload: &[u8]| read(PictureEncoding::Image, payload);
    assert_eq!(read(&image("rgb8", 12, &[9; 23])), Err(Truncated));
    assert_eq!(read(&image("rgb8", 11, &[9; 24])), Err(Truncated), "rows that are shorter than their pixels");
    assert_eq!(read(&image("nv21", 12, &[9; 24])), Err(UnknownPixels));
    assert_eq!(read(&write_image("cam0", 0, [0, 2], &[])), Err(TooManyPixels));
    assert_eq!(read(&write_image("cam0", 0, [9_000, 9_000], &[])), Err(TooManyPixels));
    assert_eq!(read(&jpeg([8, 8])), Err(NotImage));
    let whole = write_image("cam0", 0, [4, 2], &[7; 24]);
    for bytes in 0..whole.len() {
        assert_eq!(read(&whole[..bytes]), Err(NotImage), "cut after {bytes} bytes");
    }
}

#[test]
fn u_406_a_picture_carries_its_facts_as_its_first_segment() {
    let file = jpeg([8, 8]);
    let picture = read_picture(PictureEncoding::Jpeg, &Arc::from(file.as_slice())).unwrap();
    let with = picture.with_comment(r#"{"n":1}"#);
    assert_eq!(with[..13], [&[0xff, 0xd8, 0xff, 0xfe, 0, 9][..], br#"{"n":1}"#].concat());
    assert_eq!(with[13..], file[2..]);
    assert_eq!(read(PictureEncoding::Jpeg, &with), Ok([8, 8]), "it is a JPEG still");
}

proptest! {
    #[test]
    fn u_406_no_bytes_make_a_picture_panic(payload in prop::collection::vec(any::<u8>(), 0..256)) {
        let with_start = [&[0xff, 0xd8][..], &payload].concat();
        for encoding in [PictureEncoding::Jpeg, PictureEncoding::CompressedImage, PictureEncoding::Image] {
            let _read = read(encoding, &payload);
            let _read = read(encoding, &with_start);
            let _read = read(encoding, &write_compressed_image("f", 0, &with_start));
        }
    }
}
