//! The door to robots: Zenoh session, payload decoding, publishers, and the reference robot-side gate.

mod beat;
mod claim;
mod code;
pub mod commissioning;
mod decode;
mod detections;
pub mod envelope;
mod error;
mod grid;
mod hear;
mod held;
mod keys;
mod link;
mod liveliness;
pub mod pairing;
mod picture;
pub mod robot_gate;
mod robot_link;
mod room;
mod router;
mod send;
mod show;
pub mod signing;
pub mod state;
mod stop_sender;

pub use claim::Claims;
pub use code::BridgeCode;
pub use decode::{Decoder, PAYLOAD_BYTES_MAX, Scanner};
pub use detections::{Detection, write_detections};
pub use error::BridgeError;
pub use grid::{GRID_BYTES_MAX, Grid, write_grid};
pub use hear::MessageError;
pub use held::HeldMessage;
pub use keys::RobotKeys;
pub use link::{ClockFn, Link, LinkConfig, Profile, RefusedFn, RouterLink, SamplePublisher, Subscription};
pub use liveliness::tokens;
pub use picture::{Jpeg, PICTURE_BYTES_MAX, read_picture, write_compressed_image, write_image};
pub use robot_link::RobotLink;
pub use room::{ROOM_MESSAGE_BYTES_MAX, RoomMessage, RoomMessageError, RoomPublisher, hear_room, room_key};
pub use router::{PAIRING_PORT, ROUTER_PORT, RouterRules, SourceCertificate, client_config};
pub use send::{Sent, SentFn};
pub use show::{ReadableSample, SeenField, show, show_beginning};
pub use stop_sender::StopPutFn;

#[cfg(test)]
mod fixtures;
