//! JSON: `serde_json` reads, the limits are ours.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use robot::{RejectReason, Scalar};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::node::{DEPTH_MAX, NODES_MAX, Node};

/// Decodes exactly one JSON value.
pub(super) fn decode(payload: &[u8]) -> Result<Node, RejectReason> {
    let budget = Budget::new();
    let mut decoder = serde_json::Deserializer::from_slice(payload);
    let node = budget.seed().deserialize(&mut decoder).map_err(|_| budget.reason())?;
    decoder.end().map_err(|_| RejectReason::Undecodable)?;
    Ok(node)
}

/// What is left for the rest of a document, and which limit was met: serde's errors carry no code.
struct Budget {
    nodes_left: Cell<usize>,
    met: Cell<Option<RejectReason>>,
}

impl Budget {
    const fn new() -> Self {
        Self { nodes_left: Cell::new(NODES_MAX), met: Cell::new(None) }
    }

    /// Why decoding ended early: a limit, or else that the bytes are not what the codec says.
    fn reason(&self) -> RejectReason {
        self.met.get().unwrap_or(RejectReason::Undecodable)
    }

    const fn seed(&self) -> NodeSeed<'_> {
        NodeSeed { budget: self, depth_left: DEPTH_MAX }
    }

    fn meet<E: Error>(&self, limit: RejectReason) -> E {
        self.met.set(Some(limit));
        E::custom("limit")
    }
}

/// Decodes one value within the budget.
#[derive(Clone, Copy)]
struct NodeSeed<'b> {
    budget: &'b Budget,
    depth_left: u8,
}

impl NodeSeed<'_> {
    fn inside<E: Error>(self) -> Result<Self, E> {
        let depth_left = self.depth_left.checked_sub(1).ok_or_else(|| self.budget.meet(RejectReason::TooDeep))?;
        Ok(Self { depth_left, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let left = self.budget.nodes_left.get();
        let left = left.checked_sub(1).ok_or_else(|| self.budget.meet(RejectReason::TooLarge))?;
        self.budget.nodes_left.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Bool(truth)))
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Int(int)))
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<Node, E> {
        Ok(Node::from_u64(int))
    }

    fn visit_f64<E: Error>(self, float: f64) -> Result<Node, E> {
        Ok(Node::from_f64(float))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Text(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Node, A::Error> {
        let inside = self.inside()?;
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(inside)? {
            array.push(element);
        }
        Ok(Node::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let inside = self.inside()?;
        let mut map = Vec::new();
        while let Some((key, value)) = entries.next_entry_seed(PhantomData::<Box<str>>, inside)? {
            map.push((Some(key), value));
        }
        Ok(Node::Map(map))
    }
}
