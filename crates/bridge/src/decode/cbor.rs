//! CBOR, header by header, so that the limits hold before anything is built.

use ciborium_ll::{Decoder, Header, simple, tag};
use robot::{RejectReason, Scalar};

use super::node::{DEPTH_MAX, NODES_MAX, Node};

/// Texts and byte strings are read in pieces of this size, bytes.
const PIECE_BYTES: usize = 1024;

/// Decodes exactly one CBOR item. Tags 0 and 1 give text and number like every other tag: by their content.
pub(super) fn decode(payload: &[u8]) -> Result<Node, RejectReason> {
    let mut reader = CborReader { decoder: Decoder::from(payload), nodes_left: NODES_MAX };
    let node = reader.value(DEPTH_MAX)?;
    if reader.decoder.offset() == payload.len() { Ok(node) } else { Err(RejectReason::Undecodable) }
}

struct CborReader<'p> {
    decoder: Decoder<&'p [u8]>,
    nodes_left: usize,
}

impl CborReader<'_> {
    fn value(&mut self, depth_left: u8) -> Result<Node, RejectReason> {
        let header = self.header()?;
        self.value_of(header, depth_left)
    }

    fn value_of(&mut self, header: Header, depth_left: u8) -> Result<Node, RejectReason> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(RejectReason::TooLarge)?;
        let inside = || depth_left.checked_sub(1).ok_or(RejectReason::TooDeep);
        Ok(match header {
            Header::Positive(int) => Node::from_u64(int),
            Header::Negative(below) => negative(below),
            Header::Float(float) => Node::from_f64(float),
            Header::Simple(simple::FALSE) => Node::Scalar(Scalar::Bool(false)),
            Header::Simple(simple::TRUE) => Node::Scalar(Scalar::Bool(true)),
            Header::Simple(simple::NULL | simple::UNDEFINED) => Node::Null,
            Header::Simple(_) => Node::Opaque,
            Header::Tag(tag::BIGPOS | tag::BIGNEG) => {
                self.value(inside()?)?;
                Node::Opaque
            }
            Header::Tag(_) => self.value(inside()?)?,
            Header::Bytes(len) => self.bytes(len)?,
            Header::Text(len) => Node::Scalar(Scalar::Text(self.text(len)?)),
            Header::Array(len) => self.array(len, inside()?)?,
            Header::Map(len) => self.map(len, inside()?)?,
            Header::Break => return Err(RejectReason::Undecodable),
        })
    }

    fn array(&mut self, len: Option<usize>, depth_left: u8) -> Result<Node, RejectReason> {
        let mut array = Vec::new();
        while let Some(header) = self.next_in(len, array.len())? {
            array.push(self.value_of(header, depth_left)?);
        }
        Ok(Node::Array(array))
    }

    fn map(&mut self, len: Option<usize>, depth_left: u8) -> Result<Node, RejectReason> {
        let mut map = Vec::new();
        while let Some(header) = self.next_in(len, map.len())? {
            let key = self.value_of(header, depth_left)?;
            map.push((key_name(key), self.value(depth_left)?));
        }
        Ok(Node::Map(map))
    }

    /// The header of the next element, or `None` after the last: `len` of them, or up to a break. Nothing is
    /// allocated for a length that is only promised.
    fn next_in(&mut self, len: Option<usize>, read: usize) -> Result<Option<Header>, RejectReason> {
        if len == Some(read) {
            return Ok(None);
        }
        let header = self.header()?;
        Ok((len.is_some() || header != Header::Break).then_some(header))
    }

    fn text(&mut self, len: Option<usize>) -> Result<String, RejectReason> {
        let mut text = String::new();
        let mut piece = [0; PIECE_BYTES];
        let mut segments = self.decoder.text(len);
        while let Some(mut segment) = segments.pull().map_err(|_| RejectReason::Undecodable)? {
            while let Some(part) = segment.pull(&mut piece).map_err(|_| RejectReason::Undecodable)? {
                text.push_str(part);
            }
        }
        Ok(text)
    }

    fn bytes(&mut self, len: Option<usize>) -> Result<Node, RejectReason> {
        let mut piece = [0; PIECE_BYTES];
        let mut segments = self.decoder.bytes(len);
        while let Some(mut segment) = segments.pull().map_err(|_| RejectReason::Undecodable)? {
            while segment.pull(&mut piece).map_err(|_| RejectReason::Undecodable)?.is_some() {}
        }
        Ok(Node::Opaque)
    }

    fn header(&mut self) -> Result<Header, RejectReason> {
        self.decoder.pull().map_err(|_| RejectReason::Undecodable)
    }
}

/// CBOR writes -1 - n as n.
fn negative(below: u64) -> Node {
    #[expect(clippy::cast_precision_loss, reason = "integers are exact within i64 only")]
    let beyond = |_| Scalar::Float(-1.0 - below as f64);
    Node::Scalar(i64::try_from(below).map_or_else(beyond, |below| Scalar::Int(!below)))
}

fn key_name(key: Node) -> Option<Box<str>> {
    match key {
        Node::Scalar(Scalar::Text(text)) => Some(text.into()),
        Node::Scalar(Scalar::Int(int)) => Some(int.to_string().into()),
        Node::Scalar(Scalar::Float(_) | Scalar::Bool(_)) => None,
        Node::Null | Node::Opaque | Node::Array(_) | Node::Map(_) => None,
    }
}
