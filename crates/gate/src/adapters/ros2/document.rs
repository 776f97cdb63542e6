//! A message of any type as JSON, within bounds.

use std::cell::Cell;
use std::fmt;

use ros2::Definition;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Values of one message.
const VALUES_MAX: usize = 10_000;
/// Messages and arrays within one another.
const NESTING_MAX: u8 = 16;

/// Reads `message` by its definition.
pub fn read(message: &[u8], definition: &Definition) -> Result<Value, String> {
    let left = Cell::new(VALUES_MAX);
    ros2::read(message, definition, Bounded { left: &left, depth_left: NESTING_MAX }).map_err(|error| error.to_string())
}

/// Reads one value, and counts.
#[derive(Clone, Copy)]
struct Bounded<'c> {
    left: &'c Cell<usize>,
    depth_left: u8,
}

impl Bounded<'_> {
    fn inside<E: Error>(self) -> Result<Self, E> {
        let depth_left = self.depth_left.checked_sub(1).ok_or_else(|| E::custom("it is nested too deep"))?;
        Ok(Self { depth_left, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| D::Error::custom("it has too many values"))?;
        self.left.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// Infinity and not-a-number become null.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    /// Bytes are pictures and maps, which do not go this way.
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(serde_json::json!({ "bytes": bytes.len() }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(inside)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut values = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            values.insert(name, fields.next_value_seed(inside)?);
        }
        Ok(values.into())
    }
}
