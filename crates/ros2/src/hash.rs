//! Hashes of definitions by REP 2016, by which two sides make sure that they mean the same message.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::definition::{Definition, Field, Kind, Length, Shape};

/// Numbers that kinds of types have in a description; the kinds of arrays follow 48 behind each other.
const MESSAGE: u16 = 1;
const TEXT: u16 = 17;
const TEXT_OF_AT_MOST: u16 = 21;
const EXACTLY: u16 = 48;
const AT_MOST: u16 = 96;
const ANY: u16 = 144;

/// The hash of the message `name` with `fields`: `RIHS01_` and 64 hex digits.
pub(crate) fn of(name: &str, fields: &[Field]) -> String {
    let mut nested = BTreeMap::new();
    collect(fields, &mut nested);
    let nested: Vec<String> =
        nested.values().map(|definition| description(definition.name(), &definition.fields)).collect();
    // Spaces and order are those of REP 2016: another byte would be another hash.
    let whole = format!(
        r#"{{"type_description": {}, "referenced_type_descriptions": [{}]}}"#,
        description(name, fields),
        nested.join(", ")
    );
    format!("RIHS01_{}", hex::encode(Sha256::digest(whole)))
}

fn collect<'d>(fields: &'d [Field], nested: &mut BTreeMap<&'d str, &'d Definition>) {
    for field in fields {
        let (Shape::One(kind) | Shape::Many(kind, _)) = &field.shape;
        if let Kind::Message(definition) = kind {
            nested.insert(definition.name(), definition);
            collect(&definition.fields, nested);
        }
    }
}

fn description(name: &str, fields: &[Field]) -> String {
    let mut text = format!(r#"{{"type_name": "{name}", "fields": ["#);
    for (index, field) in fields.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let (kind, offset, capacity) = match &field.shape {
            Shape::One(kind) => (kind, 0, 0),
            Shape::Many(kind, Length::Exactly(count)) => (kind, EXACTLY, *count),
            Shape::Many(kind, Length::AtMost(count)) => (kind, AT_MOST, *count),
            Shape::Many(kind, Length::Any) => (kind, ANY, 0),
        };
        let (number, text_bytes_max, nested) = number(kind);
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            r#"{separator}{{"name": "{}", "type": {{"type_id": {}, "capacity": {capacity}, "string_capacity": {text_bytes_max}, "nested_type_name": "{nested}"}}}}"#,
            field.name,
            number + offset,
        );
    }
    text.push_str("]}");
    text
}

/// The number of `kind`, the most bytes of a text, and the name of a message.
fn number(kind: &Kind) -> (u16, usize, &str) {
    let number = match kind {
        Kind::Message(definition) => return (MESSAGE, 0, definition.name()),
        Kind::Text(Some(bytes_max)) => return (TEXT_OF_AT_MOST, *bytes_max, ""),
        Kind::Text(None) => TEXT,
        Kind::Int8 => 2,
        // A `char` of ROS 2 is an unsigned byte.
        Kind::Uint8 | Kind::Char => 3,
        Kind::Int16 => 4,
        Kind::Uint16 => 5,
        Kind::Int32 => 6,
        Kind::Uint32 => 7,
        Kind::Int64 => 8,
        Kind::Uint64 => 9,
        Kind::Float32 => 10,
        Kind::Float64 => 11,
        Kind::Bool => 15,
        Kind::Byte => 16,
    };
    (number, 0, "")
}
