//! Reads a node as a type of another crate, by serde: unknown keys and wrong values are errors at their place.

use std::fmt::{self, Display};

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::names;
use crate::format::yaml::{Entry, Node, Plain, Value};
use crate::problem::{ProblemCode, Span};

/// The first thing that is wrong with a value.
#[derive(Debug)]
pub(crate) struct DecodeError {
    pub code: ProblemCode,
    pub message: String,
    pub help: String,
    span: Option<Span>,
    /// From the innermost key outwards.
    steps: Vec<String>,
    told: bool,
}

impl DecodeError {
    /// Path of the value below the one that was read.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            if !path.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
        }
        path
    }

    pub fn span(&self, whole: &Node) -> Span {
        self.span.unwrap_or(whole.span)
    }

    /// True if the place is one at which something was refused before.
    pub const fn is_told(&self) -> bool {
        self.told
    }

    fn of_key(code: ProblemCode, span: Span, message: String, help: String) -> Self {
        Self { code, message, help, span: Some(span), steps: Vec::new(), told: false }
    }

    /// The same, in the value of `step`.
    fn inside(mut self, step: impl Display, node: &Node) -> Self {
        self.span.get_or_insert(node.span);
        self.told |= node.value == Value::Refused;
        self.steps.push(step.to_string());
        self
    }
}

impl std::error::Error for DecodeError {}

impl Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl serde::de::Error for DecodeError {
    fn custom<T: Display>(message: T) -> Self {
        let message = format!("This value does not fit: {message}.");
        let help = "Correct it as the sentence says.".to_owned();
        Self { code: ProblemCode::WrongType, message, help, span: None, steps: Vec::new(), told: false }
    }
}

/// Reads `node`, whose mapping must not have the keys `hidden`.
pub(crate) fn decode<T: DeserializeOwned>(node: &Node, hidden: &'static [&'static str]) -> Result<T, DecodeError> {
    T::deserialize(Decoder { node, hidden })
}

/// A node that serde reads.
#[derive(Clone, Copy)]
struct Decoder<'de> {
    node: &'de Node,
    hidden: &'static [&'static str],
}

impl<'de> Decoder<'de> {
    const fn of(node: &'de Node) -> Self {
        Self { node, hidden: &[] }
    }

    fn wrong<T>(self, expected: &dyn serde::de::Expected) -> Result<T, DecodeError> {
        Err(DecodeError::custom(format_args!("expected {expected}, found {}", self.node.kind())))
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.plain() {
            Some(Plain::Text(text)) => visitor.visit_borrowed_str(text),
            Some(Plain::Null | Plain::Bool(_) | Plain::Number(_)) | None => self.wrong(&visitor),
        }
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            Value::List { items, .. } => visitor.visit_seq(Items { items, at: 0 }),
            Value::Map { entries, .. } => visitor.visit_map(Entries { entries, at: 0 }),
            Value::Refused => self.wrong(&visitor),
            Value::Scalar { text, .. } => match (self.node.plain(), text.parse::<i64>()) {
                (Some(Plain::Bool(flag)), _) => visitor.visit_bool(flag),
                // Whole numbers as such: serde does not take a float for an integer field.
                (Some(Plain::Number(_)), Ok(whole)) => visitor.visit_i64(whole),
                (Some(Plain::Number(number)), Err(_)) => visitor.visit_f64(number),
                (Some(Plain::Text(text)), _) => visitor.visit_borrowed_str(text),
                (Some(Plain::Null) | None, _) => visitor.visit_unit(),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.node.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.text(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let Value::Map { entries, .. } = &self.node.value else { return self.wrong(&"a mapping") };
        // Hidden fields are unknown here: a file must not say whose mission a rule is or which id a command has.
        let known: Vec<&str> = fields.iter().copied().filter(|field| !self.hidden.contains(field)).collect();
        for Entry { key, key_span, value } in entries {
            // Refused already, and told; another error at the same place would only repeat it.
            if key.is_empty() || value.value == Value::Refused {
                let error = DecodeError::custom("it was refused");
                return Err(DecodeError { told: true, ..error });
            }
            if !known.contains(&key.as_str()) {
                let (code, message, help) = names::refuse(key, &known);
                let mut error = DecodeError::of_key(code, *key_span, message, help);
                error.steps.push(key.clone());
                return Err(error);
            }
        }
        visitor.visit_map(Entries { entries, at: 0 })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            Value::Map { entries, .. } => match entries.as_slice() {
                [entry] => visitor.visit_enum(OneOf { entry }),
                _ => self.wrong(&"one word, or a mapping with one key"),
            },
            Value::Scalar { text, .. } => visitor.visit_enum(StrDeserializer::new(text)),
            Value::List { .. } | Value::Refused => self.wrong(&"one word, or a mapping with one key"),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct
        map identifier ignored_any
    }
}

struct Items<'de> {
    items: &'de [Node],
    at: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some(item) = self.items.get(self.at) else { return Ok(None) };
        self.at += 1;
        let read = seed.deserialize(Decoder::of(item));
        read.map(Some).map_err(|error| error.inside(format_args!("[{}]", self.at - 1), item))
    }
}

struct Entries<'de> {
    entries: &'de [Entry],
    at: usize,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some(entry) = self.entries.get(self.at) else { return Ok(None) };
        seed.deserialize(BorrowedStrDeserializer::new(&entry.key))
            .map(Some)
            .map_err(|error: DecodeError| DecodeError { span: Some(entry.key_span), ..error })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let entry = self.entries.get(self.at).ok_or_else(|| DecodeError::custom("a value is missing"))?;
        self.at += 1;
        seed.deserialize(Decoder::of(&entry.value)).map_err(|error| error.inside(&entry.key, &entry.value))
    }
}

/// A variant with content: a mapping with one key.
struct OneOf<'de> {
    entry: &'de Entry,
}

impl<'de> EnumAccess<'de> for OneOf<'de> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), DecodeError> {
        let variant = seed.deserialize(BorrowedStrDeserializer::new(&self.entry.key));
        let variant = variant.map_err(|error: DecodeError| DecodeError { span: Some(self.entry.key_span), ..error })?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for OneOf<'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Err(DecodeError::custom("expected a word without a value"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DecodeError> {
        let Entry { key, value, .. } = self.entry;
        seed.deserialize(Decoder::of(value)).map_err(|error| error.inside(key, value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        let Entry { key, value, .. } = self.entry;
        Decoder::of(value).deserialize_any(visitor).map_err(|error| error.inside(key, value))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let Entry { key, value, .. } = self.entry;
        Decoder::of(value).deserialize_struct("", fields, visitor).map_err(|error| error.inside(key, value))
    }
}
