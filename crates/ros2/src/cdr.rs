//! CDR, the form of messages on the wire. It has no names and no types; a definition brings them, and serde takes them.

use re_cdr::{BigEndian, ByteOrder, CdrReader, LittleEndian};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::definition::{Definition, Field, Kind, Length, Shape};

/// Bytes before a message: two name the representation, two are options.
const ENCAPSULATION_BYTES: usize = 4;

/// Reason that bytes are no message of a definition.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CdrError {
    /// Another representation than plain CDR of version 1.
    #[error("the representation {0:#06x} is not plain CDR")]
    Representation(u16),
    /// They end within a value.
    #[error("the message ends early")]
    Truncated,
    /// An array or a text is longer than its definition allows.
    #[error("{name} has {count} elements, of at most {count_max}")]
    TooMany {
        /// The field.
        name: String,
        /// Its elements.
        count: usize,
        /// The most that it may have.
        count_max: usize,
    },
    /// A text is not UTF-8, or without the zero at its end.
    #[error("a text is not UTF-8 with a zero at its end")]
    Text,
    /// A truth value other than 0 and 1.
    #[error("a bool is neither 0 nor 1")]
    Bool,
    /// The reader wants no more.
    #[error("{0}")]
    Reader(String),
}

impl serde::de::Error for CdrError {
    fn custom<T: std::fmt::Display>(reason: T) -> Self {
        Self::Reader(reason.to_string())
    }
}

impl From<re_cdr::Error> for CdrError {
    fn from(error: re_cdr::Error) -> Self {
        match error {
            re_cdr::Error::UnexpectedEof => Self::Truncated,
            re_cdr::Error::InvalidBool(_) => Self::Bool,
            // A length beyond 100 million; the others are errors of its serde half, which is not used.
            error @ (re_cdr::Error::Custom(_)
            | re_cdr::Error::UnsupportedAny
            | re_cdr::Error::UnknownLength
            | re_cdr::Error::InvalidChar(_)
            | re_cdr::Error::InvalidOptionTag(_)
            | re_cdr::Error::Utf8(_)) => Self::Reader(error.to_string()),
        }
    }
}

/// Reads `message` into what `seed` makes: a map of the fields by name; arrays of bytes are byte strings.
///
/// # Errors
///
/// [`CdrError`] if the bytes are no message of `definition`. Memory is taken for what is there, not for what a
/// length claims.
pub fn read<'de, S: DeserializeSeed<'de>>(
    message: &'de [u8],
    definition: &Definition,
    seed: S,
) -> Result<S::Value, CdrError> {
    let (encapsulation, body) = message.split_at_checked(ENCAPSULATION_BYTES).ok_or(CdrError::Truncated)?;
    match encapsulation {
        [0, 0, ..] => read_body::<BigEndian, S>(body, definition, seed),
        [0, 1, ..] => read_body::<LittleEndian, S>(body, definition, seed),
        // Version 2 aligns otherwise, and a parameter list has headers: read as plain CDR both give wrong numbers.
        [high, low, ..] => Err(CdrError::Representation(u16::from_be_bytes([*high, *low]))),
        [_] | [] => Err(CdrError::Truncated),
    }
}

fn read_body<'de, BO: ByteOrder, S: DeserializeSeed<'de>>(
    body: &'de [u8],
    definition: &Definition,
    seed: S,
) -> Result<S::Value, CdrError> {
    let mut reader = CdrReader::<BO>::new(body);
    // Bytes behind the last value are not looked at: serialisers leave room there that they did not need.
    seed.deserialize(MessageReader { reader: &mut reader, definition })
}

/// The definition alone says what comes next, whatever a visitor hopes for.
macro_rules! by_definition {
    () => {
        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    };
}

/// One message.
struct MessageReader<'r, 'de, 'd, BO> {
    reader: &'r mut CdrReader<'de, BO>,
    definition: &'d Definition,
}

impl<'de, BO: ByteOrder> Deserializer<'de> for MessageReader<'_, 'de, '_, BO> {
    type Error = CdrError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CdrError> {
        visitor.visit_map(Fields { reader: self.reader, fields: self.definition.fields.iter(), field: None })
    }

    by_definition!();
}

/// The fields of a message, one after the other.
struct Fields<'r, 'de, 'd, BO> {
    reader: &'r mut CdrReader<'de, BO>,
    fields: std::slice::Iter<'d, Field>,
    /// The field whose name was read last.
    field: Option<&'d Field>,
}

impl<'de, BO: ByteOrder> MapAccess<'de> for Fields<'_, 'de, '_, BO> {
    type Error = CdrError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, CdrError> {
        self.field = self.fields.next();
        let Some(field) = self.field else { return Ok(None) };
        let name: StrDeserializer<'_, CdrError> = field.name.as_ref().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, CdrError> {
        let field = self.field.take().ok_or_else(|| CdrError::Reader("a value without a name".into()))?;
        seed.deserialize(FieldReader { reader: self.reader, field })
    }
}

/// One field.
struct FieldReader<'r, 'de, 'd, BO> {
    reader: &'r mut CdrReader<'de, BO>,
    field: &'d Field,
}

impl<'de, BO: ByteOrder> Deserializer<'de> for FieldReader<'_, 'de, '_, BO> {
    type Error = CdrError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CdrError> {
        let (reader, name) = (self.reader, self.field.name.as_ref());
        let (kind, length) = match &self.field.shape {
            Shape::One(kind) => return ValueReader { reader, name, kind }.deserialize_any(visitor),
            Shape::Many(kind, length) => (kind, *length),
        };
        let count = match length {
            // A fixed length is part of the type and does not stand in the message.
            Length::Exactly(count) => count,
            Length::AtMost(count_max) => within(name, reader.read_sequence_length()?, count_max)?,
            Length::Any => reader.read_sequence_length()?,
        };
        match kind {
            // Pictures and maps are arrays of bytes, which nobody wants to be called for one by one.
            Kind::Byte | Kind::Uint8 => visitor.visit_borrowed_bytes(reader.read_bytes(count)?),
            Kind::Bool
            | Kind::Char
            | Kind::Int8
            | Kind::Int16
            | Kind::Int32
            | Kind::Int64
            | Kind::Uint16
            | Kind::Uint32
            | Kind::Uint64
            | Kind::Float32
            | Kind::Float64
            | Kind::Text(_)
            | Kind::Message(_) => visitor.visit_seq(Elements { reader, name, kind, left: count }),
        }
    }

    by_definition!();
}

/// The elements of an array. Each takes at least a byte, so that a length beyond the message ends at its end.
struct Elements<'r, 'de, 'd, BO> {
    reader: &'r mut CdrReader<'de, BO>,
    name: &'d str,
    kind: &'d Kind,
    left: usize,
}

impl<'de, BO: ByteOrder> SeqAccess<'de> for Elements<'_, 'de, '_, BO> {
    type Error = CdrError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, CdrError> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(ValueReader { reader: self.reader, name: self.name, kind: self.kind }).map(Some)
    }
}

/// One value.
struct ValueReader<'r, 'de, 'd, BO> {
    reader: &'r mut CdrReader<'de, BO>,
    name: &'d str,
    kind: &'d Kind,
}

impl<'de, BO: ByteOrder> Deserializer<'de> for ValueReader<'_, 'de, '_, BO> {
    type Error = CdrError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CdrError> {
        let reader = self.reader;
        match self.kind {
            Kind::Bool => visitor.visit_bool(reader.read_bool()?),
            Kind::Byte | Kind::Char | Kind::Uint8 => visitor.visit_u64(reader.read_u8()?.into()),
            Kind::Int8 => visitor.visit_i64(reader.read_i8()?.into()),
            Kind::Int16 => visitor.visit_i64(reader.read_i16()?.into()),
            Kind::Int32 => visitor.visit_i64(reader.read_i32()?.into()),
            Kind::Int64 => visitor.visit_i64(reader.read_i64()?),
            Kind::Uint16 => visitor.visit_u64(reader.read_u16()?.into()),
            Kind::Uint32 => visitor.visit_u64(reader.read_u32()?.into()),
            Kind::Uint64 => visitor.visit_u64(reader.read_u64()?),
            Kind::Float32 => visitor.visit_f64(reader.read_f32()?.into()),
            Kind::Float64 => visitor.visit_f64(reader.read_f64()?),
            Kind::Text(bytes_max) => visitor.visit_borrowed_str(text(reader, self.name, *bytes_max)?),
            Kind::Message(definition) => MessageReader { reader, definition }.deserialize_any(visitor),
        }
    }

    by_definition!();
}

fn text<'de, BO: ByteOrder>(
    reader: &mut CdrReader<'de, BO>,
    name: &str,
    bytes_max: Option<usize>,
) -> Result<&'de str, CdrError> {
    let bytes = reader.read_sequence_length()?;
    // The length of a text in CDR counts the zero at its end.
    let text = reader.read_bytes(bytes)?.strip_suffix(&[0]).ok_or(CdrError::Text)?;
    if let Some(bytes_max) = bytes_max {
        within(name, text.len(), bytes_max)?;
    }
    std::str::from_utf8(text).map_err(|_| CdrError::Text)
}

fn within(name: &str, count: usize, count_max: usize) -> Result<usize, CdrError> {
    if count <= count_max { Ok(count) } else { Err(CdrError::TooMany { name: name.to_owned(), count, count_max }) }
}

#[cfg(test)]
mod tests;
