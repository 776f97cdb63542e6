//! A sample as people read it: as text, and as the places there are in it. For screens only; nothing is decided by it.

use robot::{Codec, RejectReason, Sample, Scalar};
use ros2::{Topic, UnknownMessage};
use serde_json::Value;

use crate::payload::decode::{Node, PAYLOAD_BYTES_MAX, document, looks_like_ros2, unwrapped};

/// The longest text of a sample, in characters.
const TEXT_CHARS_MAX: usize = 4_096;
/// Bytes that are printed of a sample in no known form.
const HEX_BYTES_MAX: usize = 256;
/// Places that are listed.
const FIELDS_MAX: usize = 64;
/// Characters of an example.
const EXAMPLE_CHARS_MAX: usize = 80;

/// A sample for people.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadableSample {
    /// `json`, `cbor`, `text`, `ros2` or `hex`: the form it was read as.
    pub form: String,
    /// The sample as text; a document as JSON.
    pub text: String,
    /// True if the text ends before the sample does.
    pub cut: bool,
    /// The name of its likely form, if it cannot be read, for example `ROS 2 (CDR, little-endian)`.
    pub looks_like: Option<String>,
    /// The places in it; an array is entered at its first element.
    pub fields: Vec<SeenField>,
}

/// A place in a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenField {
    /// A path as a provider names it.
    pub path: String,
    /// `number`, `boolean`, `text`, `null`, `map`, `array` or `bytes`.
    pub kind: String,
    /// The value there, if it is a scalar.
    pub example: Option<Scalar>,
}

/// Reads `sample` as well as it can.
#[must_use]
pub fn show(sample: &Sample) -> ReadableSample {
    let raw = match document(sample, Codec::Auto) {
        Ok(raw) => raw,
        Err(reason) => return ReadableSample { looks_like: looks_like(sample, reason), ..hex(&sample.payload) },
    };
    let mut fields = Vec::new();
    walk(unwrapped(&raw), "", &mut fields);
    let is_json = matches!(sample.payload.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'));
    let (form, text) = match (&raw, std::str::from_utf8(&sample.payload)) {
        _ if looks_like_ros2(&sample.payload) => ("ros2", to_json(&raw).to_string()),
        (Node::Map(_) | Node::Array(_), Ok(text)) if is_json => ("json", text.to_owned()),
        (Node::Map(_) | Node::Array(_), _) => ("cbor", to_json(&raw).to_string()),
        (Node::Null | Node::Scalar(_) | Node::Opaque, Ok(text)) => ("text", text.to_owned()),
        (Node::Null | Node::Scalar(_) | Node::Opaque, Err(_)) => ("cbor", to_json(&raw).to_string()),
    };
    let (text, cut) = shortened(text, TEXT_CHARS_MAX);
    ReadableSample { form: form.into(), text, cut, looks_like: None, fields }
}

/// The beginning of a sample that was too large to be read.
#[must_use]
pub fn show_beginning(sample: &Sample) -> ReadableSample {
    let looks_like = Some(format!("a sample of more than {} MiB", PAYLOAD_BYTES_MAX >> 20));
    ReadableSample { cut: true, looks_like, ..hex(&sample.payload) }
}

fn hex(payload: &[u8]) -> ReadableSample {
    let shown = payload.iter().take(HEX_BYTES_MAX);
    let text = shown.map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let cut = payload.len() > HEX_BYTES_MAX;
    ReadableSample { form: "hex".into(), text, cut, looks_like: None, fields: Vec::new() }
}

/// The likely form of a sample that was not read for `reason`.
fn looks_like(sample: &Sample, reason: RejectReason) -> Option<String> {
    if !looks_like_ros2(&sample.payload) {
        return None;
    }
    let Some(topic) = Topic::parse(&sample.key_expr) else {
        // In each pair of representations the odd one is little-endian.
        let order =
            if sample.payload.get(1).is_some_and(|byte| byte % 2 == 1) { "little-endian" } else { "big-endian" };
        return Some(format!("ROS 2 (CDR, {order})"));
    };
    let trouble = match (topic.definition(), reason) {
        (Err(UnknownMessage::NoDefinition), _) => "whose definition is not known here",
        (Err(UnknownMessage::OtherDefinition), _) => "in another definition than the one known here",
        (Ok(_), RejectReason::TooLarge) => "with more values than are read",
        (Ok(_), _) => "but its bytes do not follow the definition",
    };
    Some(format!("{} of ROS 2, {trouble}", topic.message()))
}

fn walk(node: &Node, path: &str, fields: &mut Vec<SeenField>) {
    if fields.len() >= FIELDS_MAX {
        return;
    }
    let named = if path.is_empty() { "$" } else { path };
    let (kind, example) = match node {
        Node::Null => ("null", None),
        Node::Opaque => ("bytes", None),
        Node::Array(_) => ("array", None),
        Node::Map(_) => ("map", None),
        Node::Scalar(scalar @ Scalar::Text(text)) => {
            let example = if text.chars().count() > EXAMPLE_CHARS_MAX {
                Scalar::Text(shortened(text.clone(), EXAMPLE_CHARS_MAX).0)
            } else {
                scalar.clone()
            };
            ("text", Some(example))
        }
        Node::Scalar(truth @ Scalar::Bool(_)) => ("boolean", Some(truth.clone())),
        Node::Scalar(number @ (Scalar::Int(_) | Scalar::Float(_))) => ("number", Some(number.clone())),
    };
    if !(path.is_empty() && kind == "map") {
        fields.push(SeenField { path: named.to_owned(), kind: kind.to_owned(), example });
    }
    match node {
        Node::Map(entries) => {
            for (key, value) in entries {
                if let Some(key) = key {
                    walk(value, &joined(path, key), fields);
                }
            }
        }
        Node::Array(elements) => {
            if let Some(first) = elements.first() {
                // A top-level array fans out by itself: its rows are the elements.
                let inside = if path.is_empty() { String::new() } else { format!("{path}[0]") };
                walk(first, &inside, fields);
            }
        }
        Node::Null | Node::Scalar(_) | Node::Opaque => {}
    }
}

fn joined(path: &str, key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let key = if is_bare { key.to_owned() } else { format!("'{}'", key.replace('\\', "\\\\").replace('\'', "\\'")) };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

fn to_json(node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Opaque => Value::String("(bytes)".into()),
        Node::Scalar(Scalar::Int(int)) => (*int).into(),
        Node::Scalar(Scalar::Float(float)) => (*float).into(),
        Node::Scalar(Scalar::Bool(truth)) => (*truth).into(),
        Node::Scalar(Scalar::Text(text)) => text.as_str().into(),
        Node::Array(elements) => elements.iter().map(to_json).collect(),
        Node::Map(entries) => {
            let named = |(key, value): &(Option<Box<str>>, Node)| {
                (key.as_deref().unwrap_or("(no name)").to_owned(), to_json(value))
            };
            Value::Object(entries.iter().map(named).collect())
        }
    }
}

fn shortened(mut text: String, chars_max: usize) -> (String, bool) {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => {
            text.truncate(end);
            (text, true)
        }
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;
    use expect_test::{Expect, expect};

    fn check(encoding: &str, payload: &[u8], expected: &Expect) {
        let shown = show(&sample("lab/x", encoding, payload));
        let fields = shown.fields.iter().map(|field| {
            let example = field.example.as_ref().map(|example| format!("={example}")).unwrap_or_default();
            format!("{}:{}{example}", field.path, field.kind)
        });
        let cut = if shown.cut { " (cut)" } else { "" };
        let like = shown.looks_like.iter().map(|like| format!(" ({like})")).collect::<String>();
        expected.assert_eq(&format!(
            "{} {}{cut}{like} | {}",
            shown.form,
            shown.text,
            fields.collect::<Vec<_>>().join(", ")
        ));
    }

    #[test]
    fn u_1105_a_sample_is_shown_as_what_it_is() {
        check(
            "application/json",
            br#"{"a": 1, "odd name": {"b": [{"c": true}, 2]}}"#,
            &expect![[
                r#"json {"a": 1, "odd name": {"b": [{"c": true}, 2]}} | a:number=1, 'odd name':map, 'odd name'.b:array, 'odd name'.b[0]:map, 'odd name'.b[0].c:boolean=true"#
            ]],
        );
        check("", b"[{\"label\": \"dog\"}]", &expect![[r#"json [{"label": "dog"}] | $:array, label:text=dog"#]]);
        check("text/plain", b"open", &expect!["text open | $:text=open"]);
        check("", &[0xff, 0x00], &expect!["hex ff 00 | "]);
        check(
            "",
            b"\0\x01\0\0\x06\0\0\0hello\0",
            &expect![[r#"hex 00 01 00 00 06 00 00 00 68 65 6c 6c 6f 00 (ROS 2 (CDR, little-endian)) | "#]],
        );
        check("", b"\0\0\0\0\0\0\0\x01", &expect!["hex 00 00 00 00 00 00 00 01 (ROS 2 (CDR, big-endian)) | "]);
        let mut cbor = Vec::new();
        let enveloped = serde_json::json!({"header": {"ts_ns": 1}, "body": {"v": 2.5}});
        ciborium::into_writer(&enveloped, &mut cbor).unwrap();
        check("application/cbor", &cbor, &expect![[r#"cbor {"body":{"v":2.5},"header":{"ts_ns":1}} | v:number=2.5"#]]);
    }

    fn check_topic(message: &str, hash: &str, payload: &[u8], expected: &Expect) {
        let key = format!("0/door/std_msgs::msg::dds_::{message}_/{hash}");
        let shown = show(&sample(&key, "", payload));
        let fields = shown.fields.iter().map(|field| field.path.as_str()).collect::<Vec<_>>().join(", ");
        expected.assert_eq(&format!("{} {} | {fields} | {:?}", shown.form, shown.text, shown.looks_like));
    }

    #[test]
    fn fw_13_a_message_of_ros_2_is_shown_with_its_fields_or_with_its_name_and_what_hinders() {
        let payload = b"\0\x01\0\0\x05\0\0\0open\0";
        let known = ros2::built_in().get("std_msgs/msg/String").unwrap().hash();
        let other = format!("RIHS01_{}", "0".repeat(64));
        check_topic("String", known, payload, &expect![[r#"ros2 {"data":"open"} | data | None"#]]);
        check_topic("String", "TypeHashNotSupported", payload, &expect![[r#"ros2 {"data":"open"} | data | None"#]]);
        check_topic(
            "String",
            &other,
            payload,
            &expect![[
                r#"hex 00 01 00 00 05 00 00 00 6f 70 65 6e 00 |  | Some("std_msgs/msg/String of ROS 2, in another definition than the one known here")"#
            ]],
        );
        check_topic(
            "Text",
            known,
            payload,
            &expect![[
                r#"hex 00 01 00 00 05 00 00 00 6f 70 65 6e 00 |  | Some("std_msgs/msg/Text of ROS 2, whose definition is not known here")"#
            ]],
        );
        check_topic(
            "String",
            known,
            &payload[..9],
            &expect![[
                r#"hex 00 01 00 00 05 00 00 00 6f |  | Some("std_msgs/msg/String of ROS 2, but its bytes do not follow the definition")"#
            ]],
        );
    }
}
