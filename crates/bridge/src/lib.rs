//! The door to robots: Zenoh session, payload decoding, publishers, and the reference robot-side gate.

mod beat;
mod claim;
mod code;
pub mod commissioning;
pub mod envelope;
mod error;
mod hear;
mod keys;
mod link;
mod liveliness;
pub mod pairing;
mod payload;
pub mod robot_gate;
mod robot_link;
mod room;
mod router;
mod send;
pub mod signing;
pub mod state;
mod stop_sender;

pub use claim::Claims;
pub use code::BridgeCode;
pub use error::BridgeError;
pub use hear::MessageError;
pub use keys::RobotKeys;
pub use link::{ClockFn, Link, LinkConfig, Profile, RefusedFn, RouterLink, SamplePublisher, Subscription};
pub use liveliness::tokens;
pub use payload::decode::{Decoder, PAYLOAD_BYTES_MAX, Scanner};
pub use payload::detections::{Detection, write_detections};
pub use payload::grid::{GRID_BYTES_MAX, Grid, Ground, write_grid};
pub use payload::held::HeldMessage;
pub use payload::picture::{Jpeg, PICTURE_BYTES_MAX, read_picture, write_compressed_image, write_image};
pub use payload::show::{ReadableSample, SeenField, show, show_beginning};
pub use robot_link::RobotLink;
pub use room::{ROOM_MESSAGE_BYTES_MAX, RoomMessage, RoomMessageError, RoomPublisher, hear_room, room_key};
pub use router::{PAIRING_PORT, ROUTER_PORT, RouterRules, SourceCertificate, client_config};
pub use send::{Sent, SentFn};
pub use stop_sender::{RestingStops, StopPutFn};

#[cfg(test)]
mod fixtures;
