//! CBOR, header by header, so that the limits hold before anything is built.

use std::fmt::Write as _;

use ciborium_ll::{Decoder, Header, simple, tag};
use robot::{RejectReason, Scalar, ScalarRef};

use super::node::{DEPTH_MAX, NODES_MAX, Node};
use super::walk::{Actives, Inside, Met, Walk};

/// Texts and byte strings are read in pieces of this size, bytes.
const PIECE_BYTES: usize = 1024;

/// Decodes exactly one CBOR item. Tags 0 and 1 give text and number like every other tag: by their content.
pub(super) fn decode(payload: &[u8]) -> Result<Node, RejectReason> {
    let mut reader = CborReader { decoder: Decoder::from(payload), nodes_left: NODES_MAX };
    let node = reader.value(DEPTH_MAX)?;
    if reader.decoder.offset() == payload.len() { Ok(node) } else { Err(RejectReason::Undecodable) }
}

/// Walks over exactly one CBOR item.
pub(super) fn walk(payload: &[u8], walk: &mut Walk<'_>) -> Result<(), RejectReason> {
    let mut reader = CborReader { decoder: Decoder::from(payload), nodes_left: NODES_MAX };
    let header = reader.header()?;
    let start = walk.start();
    reader.walk_of(header, walk, start, None, DEPTH_MAX)?;
    if reader.decoder.offset() == payload.len() { Ok(()) } else { Err(RejectReason::Undecodable) }
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
            Header::Negative(below) => Node::Scalar(negative(below).into()),
            Header::Float(float) => Node::from_f64(float),
            Header::Simple(simple::FALSE) => Node::Scalar(Scalar::Bool(false)),
            Header::Simple(simple::TRUE) => Node::Scalar(Scalar::Bool(true)),
            Header::Simple(simple::NULL | simple::UNDEFINED) => Node::Null,
            Header::Simple(_) => Node::Opaque,
            // Read and thrown away: its bytes are a number that no field can hold.
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

    /// Walks over the item that begins with `header`. Tags are transparent, but for those of big numbers.
    fn walk_of(
        &mut self,
        header: Header,
        walk: &mut Walk<'_>,
        mut actives: Actives,
        parents: Option<&Actives>,
        depth_left: u8,
    ) -> Result<(), RejectReason> {
        walk.count()?;
        let inside = || depth_left.checked_sub(1).ok_or(RejectReason::TooDeep);
        let met = match header {
            Header::Positive(int) => Met::of_u64(int),
            Header::Negative(below) => negative_met(below),
            Header::Float(float) => Met::of_f64(float),
            Header::Simple(simple::FALSE) => Met::Scalar(ScalarRef::Bool(false)),
            Header::Simple(simple::TRUE) => Met::Scalar(ScalarRef::Bool(true)),
            Header::Simple(_) => Met::NotScalar,
            Header::Tag(tag::BIGPOS | tag::BIGNEG) => {
                let number = self.header()?;
                self.walk_of(number, walk, Actives::new(), None, inside()?)?;
                Met::NotScalar
            }
            Header::Tag(_) => {
                let tagged = self.header()?;
                return self.walk_of(tagged, walk, actives, parents, inside()?);
            }
            Header::Bytes(len) => {
                self.bytes(len)?;
                Met::NotScalar
            }
            Header::Text(len) => {
                // Taken out for the call, because `note` needs the memory as a whole.
                let mut text = std::mem::take(&mut walk.memory.text);
                self.text_into(len, &mut text)?;
                walk.note(&mut actives, parents, Met::Scalar(ScalarRef::Text(&text)));
                walk.memory.text = text;
                return Ok(());
            }
            Header::Array(len) => {
                walk.note(&mut actives, parents, Met::Array);
                return self.walk_array(len, walk, &actives, inside()?);
            }
            Header::Map(len) => {
                let place = walk.note(&mut actives, parents, Met::Map);
                return self.walk_map(len, walk, &actives, place, inside()?);
            }
            Header::Break => return Err(RejectReason::Undecodable),
        };
        walk.note(&mut actives, parents, met);
        Ok(())
    }

    fn walk_array(
        &mut self,
        len: Option<usize>,
        walk: &mut Walk<'_>,
        actives: &Actives,
        depth_left: u8,
    ) -> Result<(), RejectReason> {
        let mut index = 0;
        while let Some(header) = self.next_in(len, index)? {
            let below = walk.indexed(actives, index);
            self.walk_of(header, walk, below, Some(actives), depth_left)?;
            index += 1;
        }
        Ok(())
    }

    fn walk_map(
        &mut self,
        len: Option<usize>,
        walk: &mut Walk<'_>,
        actives: &Actives,
        inside: Inside,
        depth_left: u8,
    ) -> Result<(), RejectReason> {
        let mut read = 0;
        while let Some(header) = self.next_in(len, read)? {
            let mut key = std::mem::take(&mut walk.memory.text);
            let below = if self.walk_key(header, walk, &mut key, depth_left)? {
                walk.named(actives, inside, &key)
            } else {
                walk.unnamed(inside)
            };
            walk.memory.text = key;
            let value = self.header()?;
            self.walk_of(value, walk, below, None, depth_left)?;
            read += 1;
        }
        Ok(())
    }

    /// Reads a map's key into `key`; false if it is neither text nor integer, so that no path leads to it.
    fn walk_key(
        &mut self,
        header: Header,
        walk: &mut Walk<'_>,
        key: &mut String,
        depth_left: u8,
    ) -> Result<bool, RejectReason> {
        let integer = match header {
            Header::Text(len) => {
                walk.count()?;
                self.text_into(len, key)?;
                return Ok(true);
            }
            Header::Positive(int) => Met::of_u64(int),
            Header::Negative(below) => negative_met(below),
            Header::Tag(_) => {
                walk.count()?;
                let tagged = self.header()?;
                let depth_left = depth_left.checked_sub(1).ok_or(RejectReason::TooDeep)?;
                // The bytes of a big number are no text that a path could name.
                let is_number = matches!(header, Header::Tag(tag::BIGPOS | tag::BIGNEG));
                return Ok(self.walk_key(tagged, walk, key, depth_left)? && !is_number);
            }
            Header::Float(_)
            | Header::Simple(_)
            | Header::Bytes(_)
            | Header::Array(_)
            | Header::Map(_)
            | Header::Break => {
                self.walk_of(header, walk, Actives::new(), None, depth_left)?;
                return Ok(false);
            }
        };
        walk.count()?;
        key.clear();
        let Met::Scalar(ScalarRef::Int(int)) = integer else { return Ok(false) };
        _ = write!(key, "{int}");
        Ok(true)
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
        self.text_into(len, &mut text)?;
        Ok(text)
    }

    fn text_into(&mut self, len: Option<usize>, text: &mut String) -> Result<(), RejectReason> {
        text.clear();
        let mut piece = [0; PIECE_BYTES];
        let mut segments = self.decoder.text(len);
        while let Some(mut segment) = segments.pull().map_err(|_| RejectReason::Undecodable)? {
            while let Some(part) = segment.pull(&mut piece).map_err(|_| RejectReason::Undecodable)? {
                text.push_str(part);
            }
        }
        Ok(())
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
fn negative(below: u64) -> ScalarRef<'static> {
    #[expect(clippy::cast_precision_loss, reason = "integers are exact within i64 only")]
    let beyond = |_| ScalarRef::Float(-1.0 - below as f64);
    i64::try_from(below).map_or_else(beyond, |below| ScalarRef::Int(!below))
}

fn negative_met(below: u64) -> Met<'static> {
    Met::Scalar(negative(below))
}

fn key_name(key: Node) -> Option<Box<str>> {
    match key {
        Node::Scalar(Scalar::Text(text)) => Some(text.into()),
        // A path can only name text, so an integer key goes by its digits.
        Node::Scalar(Scalar::Int(int)) => Some(int.to_string().into()),
        Node::Scalar(Scalar::Float(_) | Scalar::Bool(_)) => None,
        Node::Null | Node::Opaque | Node::Array(_) | Node::Map(_) => None,
    }
}
