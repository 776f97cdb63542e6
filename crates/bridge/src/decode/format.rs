//! Which codec a sample is in, and its document.

use robot::{Codec, RejectReason, Sample, Scalar};

use super::node::Node;
use super::{cbor, json};

/// The largest payload that is looked at, bytes.
const PAYLOAD_BYTES_MAX: usize = 1024 * 1024;
/// The longest payload of no declared encoding that is taken for text, bytes.
const GUESSED_TEXT_BYTES_MAX: usize = 256;
/// The CBOR tag "this is CBOR", 55799.
const SELF_DESCRIBED_CBOR: [u8; 3] = [0xd9, 0xd9, 0xf7];

/// Decodes the payload of `sample`.
pub(crate) fn document(sample: &Sample, codec: Codec) -> Result<Node, RejectReason> {
    let payload = &sample.payload[..];
    if payload.len() > PAYLOAD_BYTES_MAX {
        return Err(RejectReason::TooLarge);
    }
    match codec {
        Codec::Json => json::decode(payload),
        Codec::Cbor => cbor::decode(payload),
        Codec::Text => text(payload),
        Codec::Auto => auto(&sample.encoding, payload),
    }
}

fn auto(encoding: &str, payload: &[u8]) -> Result<Node, RejectReason> {
    let media_type = encoding.split(';').next().unwrap_or_default().trim();
    match media_type {
        "application/json" | "text/json" => json::decode(payload),
        "application/cbor" => cbor::decode(payload),
        "text/plain" => text(payload),
        _ => guess(payload),
    }
}

fn guess(payload: &[u8]) -> Result<Node, RejectReason> {
    if matches!(payload.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return json::decode(payload);
    }
    // 0x80 to 0xbf: an array or a map, and no beginning of a UTF-8 text.
    if payload.starts_with(&SELF_DESCRIBED_CBOR) || matches!(payload.first(), Some(0x80..=0xbf)) {
        return cbor::decode(payload);
    }
    if payload.len() > GUESSED_TEXT_BYTES_MAX {
        return Err(RejectReason::Undecodable);
    }
    text(payload)
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
