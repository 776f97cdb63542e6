//! Rooms: messages between operators of several stations on `S/room/<room>`. Every message is signed by the
//! station that puts it, over room, sender, sequence and text.

use std::sync::Arc;

use robot::{RoomId, StationId};
use serde::{Deserialize, Serialize};
use zenoh::qos::Priority;

use crate::envelope::parse;
use crate::signing::{PublicKey, SignedPublisher, SignedSample, SigningKey};
use crate::{BridgeError, Link};

/// The largest message that is looked at, bytes: 4,000 characters of four bytes each, escaped, fit.
pub const ROOM_MESSAGE_BYTES_MAX: usize = 32 * 1024;

/// A message in a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoomMessage {
    /// The room; equals the last part of the key it is put on.
    pub room: RoomId,
    /// Name of the sender, as the sending station gives it. Only the signature tells which station that is.
    pub sender: String,
    /// Rises with every message of that station in this room.
    pub seq: u64,
    /// 0 for a person's own words; an agent's answer has one more than what it answers.
    pub hop: u8,
    /// Text of the message.
    pub text: String,
}

/// Reason not to believe a message on a room's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomMessageError {
    /// Too many bytes to look at.
    TooLarge,
    /// No member of the room has signed it.
    BadSignature,
    /// It is signed, but no such message, or of another room.
    Schema,
}

/// Publishes this station's messages in one room.
pub struct RoomPublisher {
    publisher: SignedPublisher,
}

/// `S/room/<room>`.
#[must_use]
pub fn room_key(site: &str, room: &RoomId) -> String {
    format!("{site}/room/{room}")
}

impl Link {
    /// A publisher for `room`, signing with the station's own `key`. Nothing is dropped on a busy network, and nothing
    /// that robots wait for stands behind it.
    pub fn room_publisher(
        &self,
        site: &str,
        room: &RoomId,
        key: &Arc<SigningKey>,
    ) -> Result<RoomPublisher, BridgeError> {
        let publisher = self.control_publisher(&room_key(site, room), Priority::DataLow)?;
        Ok(RoomPublisher { publisher: SignedPublisher::new(publisher, key) })
    }
}

impl RoomPublisher {
    /// True if another session listens to the room now.
    #[must_use]
    pub fn is_listened_to(&self) -> bool {
        self.publisher.is_listened_to()
    }

    /// Signs and puts one message. It waits while the network is full.
    pub fn put(&self, message: &RoomMessage) -> Result<(), BridgeError> {
        self.publisher.put(message)
    }
}

/// Reads a message of `room`, and says which of the `members` has signed it.
pub fn hear_room<'a>(
    message: &SignedSample,
    room: &RoomId,
    mut members: impl Iterator<Item = (&'a StationId, &'a PublicKey)>,
) -> Result<(StationId, RoomMessage), RoomMessageError> {
    let payload = &message.sample.payload;
    // Before the signatures: each member's key is tried over all the bytes.
    if payload.len() > ROOM_MESSAGE_BYTES_MAX {
        return Err(RoomMessageError::TooLarge);
    }
    let (member, _) = members.find(|(_, key)| message.is_by(key)).ok_or(RoomMessageError::BadSignature)?;
    let read: RoomMessage = parse(payload).map_err(|_| RoomMessageError::Schema)?;
    if read.room == *room { Ok((member.clone(), read)) } else { Err(RoomMessageError::Schema) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    fn ops() -> RoomId {
        RoomId::new("ops").unwrap()
    }

    fn said() -> RoomMessage {
        RoomMessage { room: ops(), sender: "dana".into(), seq: 7, hop: 0, text: "the gate is open".into() }
    }

    /// `payload`, signed by the holder of `seed` for `signed_for` and heard on `put_on`.
    fn check(payload: &[u8], seed: u8, signed_for: &str, put_on: &str, expected: Result<&str, RoomMessageError>) {
        let north = SigningKey::from_seed(&[1; 32]).public();
        let signature = SigningKey::from_seed(&[seed; 32]).sign(signed_for, payload);
        let message = SignedSample::new(sample(put_on, "application/json", payload), Some(&signature));
        let member = StationId::new("north").unwrap();
        let heard = hear_room(&message, &ops(), std::iter::once((&member, &north)));
        let heard = heard.map(|(member, message)| format!("{}@{member} {}", message.sender, message.seq));
        assert_eq!(heard.as_deref().map_err(|error| *error), expected);
    }

    #[test]
    fn c_06_a_room_message_is_signed_over_room_sender_sequence_and_text() {
        let (ops_key, lab_key) = (room_key("lab", &ops()), room_key("lab", &RoomId::new("lab").unwrap()));
        assert_eq!(ops_key, "lab/room/ops");
        let payload = serde_json::to_vec(&said()).unwrap();
        check(&payload, 1, &ops_key, &ops_key, Ok("dana@north 7"));
        check(&payload, 2, &ops_key, &ops_key, Err(RoomMessageError::BadSignature));
        check(&payload, 1, &lab_key, &ops_key, Err(RoomMessageError::BadSignature));
        for changed in [
            RoomMessage { sender: "eve".into(), ..said() },
            RoomMessage { seq: 8, ..said() },
            RoomMessage { text: "the gate is shut".into(), ..said() },
        ] {
            let signature = SigningKey::from_seed(&[1; 32]).sign(&ops_key, &payload);
            let changed = serde_json::to_vec(&changed).unwrap();
            let message = SignedSample::new(sample(&ops_key, "application/json", &changed), Some(&signature));
            assert!(!message.is_by(&SigningKey::from_seed(&[1; 32]).public()));
        }
    }

    #[test]
    fn c_06_what_is_no_message_of_the_room_is_not_read() {
        let key = room_key("lab", &ops());
        let other_room = serde_json::to_vec(&RoomMessage { room: RoomId::new("lab").unwrap(), ..said() }).unwrap();
        check(&other_room, 1, &key, &key, Err(RoomMessageError::Schema));
        check(b"{}", 1, &key, &key, Err(RoomMessageError::Schema));
        check(
            br#"{"room":"ops","sender":"d","seq":1,"hop":0,"text":"x","role":"admin"}"#,
            1,
            &key,
            &key,
            Err(RoomMessageError::Schema),
        );
        check(&vec![b'x'; ROOM_MESSAGE_BYTES_MAX + 1], 1, &key, &key, Err(RoomMessageError::TooLarge));
    }
}
