//! JSON.

use robot::RejectReason;
use serde::de::DeserializeSeed as _;

use super::node::Node;
use super::seeds;
use super::walk::Walk;

/// Decodes exactly one JSON value.
pub(super) fn decode(payload: &[u8]) -> Result<Node, RejectReason> {
    let mut decoder = serde_json::Deserializer::from_slice(payload);
    let node = seeds::document(|seed| seed.deserialize(&mut decoder))?;
    decoder.end().map_err(|_| RejectReason::Undecodable)?;
    Ok(node)
}

/// Walks over exactly one JSON value.
pub(super) fn walk(payload: &[u8], walk: &mut Walk<'_>) -> Result<(), RejectReason> {
    let mut decoder = serde_json::Deserializer::from_slice(payload);
    seeds::walk(walk, |seed| seed.deserialize(&mut decoder))?;
    decoder.end().map_err(|_| RejectReason::Undecodable)
}
