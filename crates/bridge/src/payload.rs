//! Payloads of robots: decoded for use, and shown to people as they came.

pub(crate) mod decode;
pub(crate) mod detections;
pub(crate) mod grid;
pub(crate) mod held;
pub(crate) mod picture;
pub(crate) mod show;
