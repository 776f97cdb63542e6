//! `nav_msgs/OccupancyGrid` of ROS 2: the ground in cells, each occupied with a probability, free, or unknown. A window
//! shows it as a picture, whose pixels are the cells.

use std::marker::PhantomData;

use robot::{MapFault, UnitQuaternion};
use serde::Deserialize;

use crate::payload::picture::{write_doubles, write_header, write_length};

/// The largest message that is read, bytes: 140 m of floor in each direction, in cells of 5 cm.
pub const GRID_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Cells in a row or a column: a browser draws no larger picture.
const SIDE_MAX: u32 = 8_192;
/// Legal lengths of a cell, metres.
const RESOLUTION_M: std::ops::RangeInclusive<f32> = 0.001..=10.0;
/// Value of a cell that nobody has seen, in messages and in pictures.
const UNKNOWN: u8 = u8::MAX;
/// Value of a cell that is occupied for sure.
const OCCUPIED: u8 = 100;

/// A map of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Frame in which it lies.
    pub frame: String,
    /// Length of a cell's edges, metres.
    pub resolution_m: f64,
    /// Cells in a row.
    pub width: u32,
    /// Cells in a column.
    pub height: u32,
    /// Outer corner of the first cell in the frame, metres.
    pub origin_m: [f64; 2],
    /// Direction of the rows in the frame, radians.
    pub yaw_rad: f64,
    /// Row by row from the origin: 0 free to 100 occupied, 255 unknown.
    cells: Vec<u8>,
}

#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow)]
    header: Header<'m>,
    info: Info,
    data: Vec<i8>,
}

#[derive(Deserialize)]
struct Header<'m> {
    frame_id: &'m str,
}

#[derive(Deserialize)]
struct Info {
    resolution: f32,
    width: u32,
    height: u32,
    origin: Origin,
}

#[derive(Deserialize)]
struct Origin {
    position: Point,
    orientation: Rotation,
}

#[derive(Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
struct Rotation {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

impl Grid {
    /// The map in a message.
    pub fn read(message: &[u8]) -> Result<Self, MapFault> {
        let definition = ros2::built_in().get("nav_msgs/msg/OccupancyGrid").ok_or(MapFault::NotGrid)?;
        let read = ros2::read(message, definition, PhantomData::<Message<'_>>);
        let Message { header, info, data } = read.map_err(|_| MapFault::NotGrid)?;
        let Info { resolution, width, height, origin: Origin { position, orientation } } = info;
        let sides = 1..=SIDE_MAX;
        // The header may promise more cells than came.
        let is_whole = u64::from(width) * u64::from(height) == u64::try_from(data.len()).unwrap_or(u64::MAX);
        if !sides.contains(&width) || !sides.contains(&height) || !is_whole {
            return Err(MapFault::WrongSize);
        }
        let rotation = UnitQuaternion::new([orientation.x, orientation.y, orientation.z, orientation.w]);
        let rotation = rotation.ok_or(MapFault::NotPlaced)?;
        let is_placed = RESOLUTION_M.contains(&resolution) && position.x.is_finite() && position.y.is_finite();
        if !is_placed {
            return Err(MapFault::NotPlaced);
        }
        Ok(Self {
            frame: header.frame_id.trim_start_matches('/').to_owned(),
            resolution_m: f64::from(resolution),
            width,
            height,
            origin_m: [position.x, position.y],
            yaw_rad: rotation.yaw_rad(),
            // A value that is no probability counts as unknown.
            cells: data.into_iter().map(|cell| u8::try_from(cell).map_or(UNKNOWN, known)).collect(),
        })
    }

    /// The map as a grey PNG: its first row is the first of cells, and a pixel's value that of its cell.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.write_header()?.write_image_data(&self.cells)?;
        Ok(file)
    }
}

const fn known(cell: u8) -> u8 {
    if cell > OCCUPIED { UNKNOWN } else { cell }
}

/// The ground as a robot of ROS 2 writes it.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'c> {
    /// Length of a cell's edges, metres.
    pub resolution_m: f32,
    /// Outer corner of the first cell in the frame, metres.
    pub origin_m: [f64; 2],
    /// Cells in a row, and rows.
    pub size: [usize; 2],
    /// Row by row from the origin: 0 free to 100 occupied, -1 unknown.
    pub cells: &'c [i8],
}

/// A message that `Grid::read` reads, for robots that speak ROS 2 and for tests. `stamp_ms` are Unix milliseconds.
#[must_use]
pub fn write_grid(frame_id: &str, stamp_ms: i64, ground: Ground<'_>) -> Vec<u8> {
    let Ground { resolution_m, origin_m, size: [width, height], cells } = ground;
    let mut message = write_header(frame_id, stamp_ms);
    // The time at which the map was loaded is that of the message.
    let stamp: [u8; 8] = std::array::from_fn(|i| message[4 + i]);
    message.resize(message.len().next_multiple_of(4), 0);
    message.extend(stamp);
    message.extend(resolution_m.to_le_bytes());
    write_length(&mut message, width);
    write_length(&mut message, height);
    let [x, y] = origin_m;
    write_doubles(&mut message, &[x, y, 0.0, 0.0, 0.0, 0.0, 1.0]);
    write_length(&mut message, cells.len());
    message.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
    message
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message() -> Vec<u8> {
        let cells = &[0, 50, 100, -1, 101, 7];
        write_grid("/map", 1_500, Ground { resolution_m: 0.05, origin_m: [-1.0, 2.0], size: [3, 2], cells })
    }

    #[test]
    fn u_1102_a_map_is_read_with_its_place_and_cells_that_are_no_probability_are_unknown() {
        let grid = Grid::read(&message()).unwrap();
        assert_eq!((grid.frame.as_str(), grid.width, grid.height), ("map", 3, 2));
        assert_eq!((grid.origin_m, grid.yaw_rad), ([-1.0, 2.0], 0.0));
        assert!((grid.resolution_m - 0.05).abs() < 1e-6);
        assert_eq!(grid.cells, [0, 50, 100, UNKNOWN, UNKNOWN, 7]);
    }

    #[test]
    fn u_1102_the_pixels_of_a_map_are_its_cells() {
        let file = Grid::read(&message()).unwrap().png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(pixels, [0, 50, 100, UNKNOWN, UNKNOWN, 7]);
    }

    #[test]
    fn u_1102_a_map_without_place_size_or_all_of_its_cells_is_refused_by_name() {
        let read = |message: Vec<u8>| Grid::read(&message).map(|grid| grid.cells.len());
        assert_eq!(read(message()), Ok(6));
        assert_eq!(read(b"a text".to_vec()), Err(MapFault::NotGrid));
        assert_eq!(read(message()[..80].to_vec()), Err(MapFault::NotGrid));
        let of = |resolution_m, x, size, cells: &[i8]| {
            write_grid("map", 0, Ground { resolution_m, origin_m: [x, 0.0], size, cells })
        };
        assert_eq!(read(of(0.05, 0.0, [3, 2], &[0; 5])), Err(MapFault::WrongSize));
        assert_eq!(read(of(0.05, 0.0, [0, 0], &[])), Err(MapFault::WrongSize));
        assert_eq!(read(of(0.05, 0.0, [8_193, 1], &[0; 8_193])), Err(MapFault::WrongSize));
        assert_eq!(read(of(0.0, 0.0, [1, 1], &[0])), Err(MapFault::NotPlaced));
        assert_eq!(read(of(f32::NAN, 0.0, [1, 1], &[0])), Err(MapFault::NotPlaced));
        assert_eq!(read(of(0.05, f64::INFINITY, [1, 1], &[0])), Err(MapFault::NotPlaced));
    }

    proptest! {
        #[test]
        fn u_1102_no_bytes_make_the_reader_of_maps_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0_usize..120) {
            let _ = Grid::read(&bytes);
            let mut broken = message();
            let end = broken.len();
            for (place, byte) in broken[at.min(end)..].iter_mut().zip(bytes) {
                *place = byte;
            }
            let _ = Grid::read(&broken);
        }
    }
}
