//! Seeds for the codecs that serde reads: once as a document, for
//! people and robot state, once as a walk. The limits are kept here.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use robot::{RejectReason, Scalar, ScalarRef};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::node::{DEPTH_MAX, NODES_MAX, Node};
use super::walk::{Actives, Inside, Met, Walk};

/// The document that `read` reads.
pub(super) fn document<E>(read: impl FnOnce(NodeSeed<'_>) -> Result<Node, E>) -> Result<Node, RejectReason> {
    let budget = Budget::new();
    read(budget.seed()).map_err(|_| budget.reason())
}

/// Walks over what `read` reads.
pub(super) fn walk<E>(
    walk: &mut Walk<'_>,
    read: impl FnOnce(PlaceSeed<'_, '_>) -> Result<(), E>,
) -> Result<(), RejectReason> {
    let actives = walk.start();
    let walked = read(PlaceSeed { walk, actives, parents: None, depth_left: DEPTH_MAX });
    walked.map_err(|_| walk.met_limit.unwrap_or(RejectReason::Undecodable))
}

/// One value on the walk.
pub(super) struct PlaceSeed<'s, 'w> {
    walk: &'s mut Walk<'w>,
    /// Wants that are met in it.
    actives: Actives,
    /// Wants that are met in the array of which it is an element.
    parents: Option<&'s Actives>,
    depth_left: u8,
}

impl PlaceSeed<'_, '_> {
    fn note(&mut self, met: Met<'_>) -> Inside {
        self.walk.note(&mut self.actives, self.parents, met)
    }

    fn inside<E: Error>(&mut self) -> Result<u8, E> {
        self.depth_left.checked_sub(1).ok_or_else(|| {
            self.walk.meet(RejectReason::TooDeep);
            E::custom("limit")
        })
    }
}

impl<'de> DeserializeSeed<'de> for PlaceSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.walk.count().map_err(|_| D::Error::custom("limit"))?;
        // The bytes say the type of each value: a sample comes without a schema.
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PlaceSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(mut self) -> Result<(), E> {
        self.note(Met::NotScalar);
        Ok(())
    }

    fn visit_bool<E: Error>(mut self, truth: bool) -> Result<(), E> {
        self.note(Met::Scalar(ScalarRef::Bool(truth)));
        Ok(())
    }

    fn visit_i64<E: Error>(mut self, int: i64) -> Result<(), E> {
        self.note(Met::Scalar(ScalarRef::Int(int)));
        Ok(())
    }

    fn visit_u64<E: Error>(mut self, int: u64) -> Result<(), E> {
        self.note(Met::of_u64(int));
        Ok(())
    }

    fn visit_f64<E: Error>(mut self, float: f64) -> Result<(), E> {
        self.note(Met::of_f64(float));
        Ok(())
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        self.note(Met::Scalar(ScalarRef::Text(text)));
        Ok(())
    }

    fn visit_bytes<E: Error>(mut self, _bytes: &[u8]) -> Result<(), E> {
        self.note(Met::NotScalar);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        let depth_left = self.inside()?;
        self.note(Met::Array);
        let mut index = 0;
        loop {
            let actives = self.walk.indexed(&self.actives, index);
            let seed = PlaceSeed { walk: self.walk, actives, parents: Some(&self.actives), depth_left };
            if elements.next_element_seed(seed)?.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let depth_left = self.inside()?;
        let inside = self.note(Met::Map);
        loop {
            let key = KeySeed { walk: self.walk, actives: &self.actives, inside };
            let Some(actives) = entries.next_key_seed(key)? else { return Ok(()) };
            entries.next_value_seed(PlaceSeed { walk: self.walk, actives, parents: None, depth_left })?;
        }
    }
}

/// The name of a map's next value; becomes what is wanted from that.
struct KeySeed<'s, 'w> {
    walk: &'s mut Walk<'w>,
    actives: &'s Actives,
    inside: Inside,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_> {
    type Value = Actives;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Actives, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_, '_> {
    type Value = Actives;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Actives, E> {
        Ok(self.walk.named(self.actives, self.inside, name))
    }
}

/// Values left for the rest of a document, and the limit that was met: serde's errors carry no code.
struct Budget {
    nodes_left: Cell<usize>,
    met: Cell<Option<RejectReason>>,
}

impl Budget {
    const fn new() -> Self {
        Self { nodes_left: Cell::new(NODES_MAX), met: Cell::new(None) }
    }

    /// Reason that decoding ended early: a limit, or else that the bytes are not in the codec.
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
pub(super) struct NodeSeed<'b> {
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

    fn visit_bytes<E: Error>(self, _bytes: &[u8]) -> Result<Node, E> {
        Ok(Node::Opaque)
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
