//! The codec that a sample is in, and its document.

use robot::{Codec, RejectReason, Sample, Scalar};
use ros2::{Definition, Topic};

use super::node::Node;
use super::walk::{Met, Walk};
use super::{cbor, json, seeds};

/// The largest payload that is looked at, bytes.
pub const PAYLOAD_BYTES_MAX: usize = 1024 * 1024;
/// Representations of CDR by the second byte of its header: plain and parameter lists of both versions.
const CDR_REPRESENTATION_MAX: u8 = 0x0d;
/// The header of CDR, and the smallest value behind it.
const CDR_BYTES_MIN: usize = 5;
/// The longest payload of no declared encoding that is taken for text, bytes.
const GUESSED_TEXT_BYTES_MAX: usize = 256;
/// The CBOR tag "this is CBOR", 55799.
const SELF_DESCRIBED_CBOR: [u8; 3] = [0xd9, 0xd9, 0xf7];

/// Form of a sample's bytes.
enum Form {
    Json,
    Cbor,
    Text,
    Ros2(&'static Definition),
}

/// Decodes the payload of `sample` into a document.
pub(crate) fn document(sample: &Sample, codec: Codec) -> Result<Node, RejectReason> {
    match form(sample, codec)? {
        Form::Json => json::decode(&sample.payload),
        Form::Cbor => cbor::decode(&sample.payload),
        Form::Text => text(&sample.payload),
        Form::Ros2(definition) => seeds::document(|seed| ros2::read(&sample.payload, definition, seed)),
    }
}

/// Walks over the payload of `sample`.
pub(super) fn walk(sample: &Sample, codec: Codec, walk: &mut Walk<'_>) -> Result<(), RejectReason> {
    match form(sample, codec)? {
        Form::Json => json::walk(&sample.payload, walk),
        Form::Cbor => cbor::walk(&sample.payload, walk),
        Form::Text => {
            let node = text(&sample.payload)?;
            let met = node.scalar().map_or(Met::NotScalar, |scalar| Met::Scalar(scalar.into()));
            let mut start = walk.start();
            walk.note(&mut start, None, met);
            Ok(())
        }
        Form::Ros2(definition) => seeds::walk(walk, |seed| ros2::read(&sample.payload, definition, seed)),
    }
}

fn form(sample: &Sample, codec: Codec) -> Result<Form, RejectReason> {
    if sample.payload.len() > PAYLOAD_BYTES_MAX {
        return Err(RejectReason::TooLarge);
    }
    match codec {
        Codec::Json => Ok(Form::Json),
        Codec::Cbor => Ok(Form::Cbor),
        Codec::Text => Ok(Form::Text),
        Codec::Auto => auto(sample),
    }
}

fn auto(sample: &Sample) -> Result<Form, RejectReason> {
    let media_type = sample.encoding.split(';').next().unwrap_or_default().trim();
    // The sender's declaration goes before any guess.
    match media_type {
        "application/json" | "text/json" => Ok(Form::Json),
        "application/cbor" => Ok(Form::Cbor),
        "text/plain" => Ok(Form::Text),
        _ if looks_like_ros2(&sample.payload) => {
            let definition = Topic::parse(&sample.key_expr).and_then(|topic| topic.definition().ok());
            definition.map(Form::Ros2).ok_or(RejectReason::LooksLikeRos2)
        }
        _ => guess(&sample.payload),
    }
}

/// True for the bytes that a ROS 2 node puts: CDR with its header of four bytes, the first of them 0. No text begins
/// so, and no JSON; in CBOR it would be the number 0 with something behind it, which is no document.
pub(crate) fn looks_like_ros2(payload: &[u8]) -> bool {
    let [0x00, 0x00..=CDR_REPRESENTATION_MAX, _, options, ..] = payload else { return false };
    // The options count the padding at the end.
    payload.len() >= CDR_BYTES_MIN && *options <= 3
}

fn guess(payload: &[u8]) -> Result<Form, RejectReason> {
    if matches!(payload.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return Ok(Form::Json);
    }
    // 0x80 to 0xbf: an array or a map, and no beginning of a UTF-8 text.
    if payload.starts_with(&SELF_DESCRIBED_CBOR) || matches!(payload.first(), Some(0x80..=0xbf)) {
        return Ok(Form::Cbor);
    }
    if payload.len() > GUESSED_TEXT_BYTES_MAX {
        return Err(RejectReason::Undecodable);
    }
    Ok(Form::Text)
}

fn text(payload: &[u8]) -> Result<Node, RejectReason> {
    let text = std::str::from_utf8(payload).map_err(|_| RejectReason::Undecodable)?.trim();
    let scalar = match json::decode(text.as_bytes()) {
        Ok(Node::Scalar(scalar @ (Scalar::Int(_) | Scalar::Float(_) | Scalar::Bool(_)))) => scalar,
        Ok(Node::Scalar(Scalar::Text(_)) | Node::Null | Node::Opaque | Node::Array(_) | Node::Map(_)) | Err(_) => {
            Scalar::Text(text.to_owned())
        }
    };
    Ok(Node::Scalar(scalar))
}
