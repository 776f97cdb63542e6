//! The door to robots: Zenoh session, payload decoding, publishers, and the reference robot-side gate.
